/** `npm run bench:reducer [-- --profile]`: what it measures is told in bench/README.md. */
import { mkdirSync, writeFileSync } from "node:fs";
import { commit, machine } from "../measured-on.ts";
import { FORMATS, type Format } from "./formats.ts";
import { medianTurnMs } from "./measure.ts";
import { type Comparison, type FormatCost, type Growth, number, type Report, toMarkdown } from "./report.ts";
import {
  keepsakeSubject,
  type Limit,
  lookUpSubject,
  pruneMessagesSubject,
  type Subject,
  trimMessagesSubject,
  WINDOW_MESSAGES,
  WINDOW_TOKENS,
} from "./subjects.ts";

const LENGTHS = [100, 1_000, 10_000];
const FORMATS_LENGTH = 10_000;
const GROWTH_LENGTHS = [10_000, 100_000];
const ROUNDS = 15;
const SAMPLE_MS = 30;

const EFFORT = { rounds: ROUNDS, sampleMs: SAMPLE_MS };

const chat = formatOf("OpenAI chat");
const langChain = formatOf("LangChain objects");

function formatOf(name: string): Format {
  const format = FORMATS.find((one) => one.name === name);
  if (format === undefined) throw new Error(`no format is called ${name}`);
  return format;
}

const progress = (text: string): void => void process.stderr.write(`${text}\n`);

async function compare(limit: Limit, messages: number): Promise<Comparison[]> {
  progress(`one more turn by ${limit}, n = ${messages}`);
  const subjects = [
    trimMessagesSubject(messages, limit),
    keepsakeSubject(langChain, messages, limit),
    pruneMessagesSubject(messages),
    keepsakeSubject(chat, messages, limit),
  ];
  const [trimMs = 0, onLangChainMs = 0, pruneMs = 0, onChatMs = 0] = await medianTurnMs(subjects, EFFORT);
  const row = (other: string, otherMs: number, keepsake: string, keepsakeMs: number): Comparison => ({
    limit,
    messages,
    other,
    otherMs,
    keepsake,
    keepsakeMs,
    times: otherMs / keepsakeMs,
  });
  return [
    row("LangChain trimMessages", trimMs, "LangChain objects", onLangChainMs),
    row("AI SDK pruneMessages", pruneMs, "OpenAI chat", onChatMs),
  ];
}

async function everyFormat(limit: Limit): Promise<FormatCost[]> {
  progress(`every format by ${limit}, n = ${FORMATS_LENGTH}`);
  const subjects = [
    trimMessagesSubject(FORMATS_LENGTH, limit),
    pruneMessagesSubject(FORMATS_LENGTH),
    ...FORMATS.map((format) => keepsakeSubject(format, FORMATS_LENGTH, limit)),
  ];
  const [trimMs = 0, pruneMs = 0, ...formatsMs] = await medianTurnMs(subjects, EFFORT);
  return FORMATS.map(({ name }, index) => {
    const ms = formatsMs[index] ?? Number.NaN;
    return { format: name, limit, ms, timesTrim: trimMs / ms, timesPrune: pruneMs / ms };
  });
}

/** What grows: its name, and the subject for a length. */
type Grower = readonly [what: string, make: (length: number) => Subject];

async function grow(): Promise<Growth[]> {
  const [from = 0, to = 0] = GROWTH_LENGTHS;
  const ours = (format: Format, limit: Limit): Grower => [
    `keepsake by ${limit}, ${format.name}`,
    (length) => keepsakeSubject(format, length, limit),
  ];
  const growers: Grower[] = [
    ["a bare look-up of each message", lookUpSubject],
    ...FORMATS.map((format) => ours(format, "tokens")),
    ours(chat, "count"),
  ];
  const rows: Growth[] = [];
  // One after another, so that no history makes the garbage collector's work for another.
  for (const [what, make] of growers) {
    progress(`growth of ${what}`);
    const [fromMs = Number.NaN, toMs = Number.NaN] = await medianTurnMs([make(from), make(to)], EFFORT);
    rows.push({ what, from, to, fromMs, toMs, times: toMs / fromMs });
  }
  return rows;
}

/** The costs that are demanded, on the format where each is worst. */
function targets(costs: readonly FormatCost[], growth: readonly Growth[]): Report["targets"] {
  const byTokens = costs.filter(({ limit }) => limit === "tokens");
  const slowest = byTokens.reduce((one, other) => (other.ms > one.ms ? other : one));
  const steepest = growth
    .filter(({ what }) => what.startsWith("keepsake"))
    .reduce((one, other) => (other.times > one.times ? other : one));
  const share = (of: string, least: number, times: number): Report["targets"][number] => ({
    target: `every format by tokens, n = 10 000: at most 1/${least} of ${of}`,
    reached: `1/${number(times)} (${slowest.format})`,
    met: times >= least,
  });
  return [
    share("trimMessages", 200, slowest.timesTrim),
    share("pruneMessages", 3, slowest.timesPrune),
    {
      target: "every format, growth from 10 000 to 100 000: at most 25×",
      reached: `${number(steepest.times)}× (${steepest.what.replace("keepsake ", "")})`,
      met: steepest.times <= 25,
    },
  ];
}

/** keepsake's turn alone, for a profiler. */
async function profile(): Promise<void> {
  const subject = keepsakeSubject(chat, 10_000, "tokens");
  const [turnMs = Number.NaN] = await medianTurnMs([subject], { rounds: 100, sampleMs: SAMPLE_MS });
  process.stdout.write(`one more turn by tokens, n = 10 000: ${number(turnMs)} ms\n`);
}

async function measure(): Promise<void> {
  const comparisons: Comparison[] = [];
  for (const limit of ["count", "tokens"] as const) {
    for (const length of LENGTHS) comparisons.push(...(await compare(limit, length)));
  }
  const costs = [...(await everyFormat("tokens")), ...(await everyFormat("count"))];
  const growth = await grow();
  const report: Report = {
    machine: machine(),
    commit: commit("bench/reducer"),
    date: new Date().toISOString().slice(0, 10),
    window: { messages: WINDOW_MESSAGES, tokens: WINDOW_TOKENS },
    comparisons,
    formats: { messages: FORMATS_LENGTH, costs },
    growth,
    targets: targets(costs, growth),
  };
  const results = new URL("../results/", import.meta.url);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL("reducer.json", results), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(new URL("reducer.md", results), toMarkdown(report));
  process.stdout.write(`${toMarkdown(report)}\n`);
}

await (process.argv.includes("--profile") ? profile() : measure());
