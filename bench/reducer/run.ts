/** `npm run bench:reducer [-- --profile]`: what it measures is told in bench/README.md. */
import { mkdirSync, writeFileSync } from "node:fs";
import { medianTurnMs } from "./measure.ts";
import { type Comparison, commit, type Growth, machine, number, type Report, toMarkdown } from "./report.ts";
import {
  keepsakeOnChat,
  keepsakeOnLangChain,
  type Limit,
  lookUpSubject,
  pruneMessagesSubject,
  trimMessagesSubject,
  WINDOW_MESSAGES,
  WINDOW_TOKENS,
} from "./subjects.ts";

const LENGTHS = [100, 1_000, 10_000];
const GROWTH_LENGTHS = [10_000, 100_000];
const ROUNDS = 15;
const SAMPLE_MS = 30;

const progress = (text: string): void => void process.stderr.write(`${text}\n`);

async function compare(limit: Limit, messages: number): Promise<Comparison[]> {
  progress(`one more turn by ${limit}, n = ${messages}`);
  const subjects = [
    trimMessagesSubject(messages, limit),
    keepsakeOnLangChain(messages, limit),
    pruneMessagesSubject(messages),
    keepsakeOnChat(messages, limit),
  ];
  const [trimMs = 0, onLangChainMs = 0, pruneMs = 0, onChatMs = 0] = await medianTurnMs(subjects, {
    rounds: ROUNDS,
    sampleMs: SAMPLE_MS,
  });
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

async function grow(): Promise<Growth[]> {
  const [from = 0, to = 0] = GROWTH_LENGTHS;
  progress(`growth ${from} to ${to}`);
  const makers = [
    { what: "a bare look-up of each message", make: lookUpSubject },
    { what: "keepsake by tokens, OpenAI chat", make: (length: number) => keepsakeOnChat(length, "tokens") },
    { what: "keepsake by count, OpenAI chat", make: (length: number) => keepsakeOnChat(length, "count") },
    {
      what: "keepsake by tokens, LangChain objects",
      make: (length: number) => keepsakeOnLangChain(length, "tokens"),
    },
  ];
  const rows: Growth[] = [];
  // One after another, so that no history makes the garbage collector's work for another.
  for (const { what, make } of makers) {
    const effort = { rounds: ROUNDS, sampleMs: SAMPLE_MS };
    const [fromMs = Number.NaN, toMs = Number.NaN] = await medianTurnMs([make(from), make(to)], effort);
    rows.push({ what, from, to, fromMs, toMs, times: toMs / fromMs });
  }
  return rows;
}

function targets(comparisons: readonly Comparison[], growth: readonly Growth[]): Report["targets"] {
  const times = (other: string): number =>
    comparisons.find((row) => row.limit === "tokens" && row.messages === 10_000 && row.other.endsWith(other))
      ?.times ?? 0;
  const trim = times("trimMessages");
  const prune = times("pruneMessages");
  const worst = Math.max(...growth.filter(({ what }) => what.startsWith("keepsake")).map((row) => row.times));
  return [
    {
      target: "n = 10 000 by tokens: at most 1/200 of trimMessages",
      reached: `1/${number(trim)}`,
      met: trim >= 200,
    },
    {
      target: "n = 10 000 by tokens: at most 1/3 of pruneMessages",
      reached: `1/${number(prune)}`,
      met: prune >= 3,
    },
    { target: "growth 10 000 to 100 000: at most 25×", reached: `${number(worst)}×`, met: worst <= 25 },
  ];
}

/** keepsake's turn alone, for a profiler. */
async function profile(): Promise<void> {
  const subject = keepsakeOnChat(10_000, "tokens");
  const [turnMs = Number.NaN] = await medianTurnMs([subject], { rounds: 100, sampleMs: SAMPLE_MS });
  process.stdout.write(`one more turn by tokens, n = 10 000: ${number(turnMs)} ms\n`);
}

async function measure(): Promise<void> {
  const comparisons: Comparison[] = [];
  for (const limit of ["count", "tokens"] as const) {
    for (const length of LENGTHS) comparisons.push(...(await compare(limit, length)));
  }
  const growth = await grow();
  const report: Report = {
    machine: machine(),
    commit: commit(),
    date: new Date().toISOString().slice(0, 10),
    window: { messages: WINDOW_MESSAGES, tokens: WINDOW_TOKENS },
    comparisons,
    growth,
    targets: targets(comparisons, growth),
  };
  const results = new URL("../results/", import.meta.url);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL("reducer.json", results), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(new URL("reducer.md", results), toMarkdown(report));
  process.stdout.write(`${toMarkdown(report)}\n`);
}

await (process.argv.includes("--profile") ? profile() : measure());
