import type { machine } from "../measured-on.ts";
import type { Row } from "./measure.ts";

/** What `bench/results/tokens.json` holds. */
export interface Report {
  readonly bench: "tokens";
  readonly tokenizer: string;
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
  readonly machine: ReturnType<typeof machine>;
  readonly commit: string;
  readonly date: string;
}

/** One thing that the library promises, and whether it held. */
export interface Target {
  readonly target: string;
  readonly reached: string;
  readonly met: boolean;
}

/** The promises: how far the estimate may be off, and how much faster than the tokeniser it is. */
export function targetsOf(rows: readonly Row[]): Target[] {
  const within = (tolerance: number, names: string): Target => {
    const held = rows.filter((row) => row.tolerance === tolerance);
    const worst = held
      .flatMap(({ name, accuracy }) =>
        accuracy.flatMap(({ lowest, highest }) => [
          { name, off: lowest - 1 },
          { name, off: highest - 1 },
        ]),
      )
      .reduce((one, other) => (Math.abs(other.off) > Math.abs(one.off) ? other : one));
    return {
      target: `${names}: within ±${100 * tolerance} %`,
      reached: `${signed(worst.off)} at worst (${worst.name})`,
      met: Math.abs(worst.off) <= tolerance,
    };
  };
  return [
    within(0.15, "English, code, JSON"),
    within(0.35, "every other kind"),
    fasterThan("from 100 000 characters on, every kind", rows, (length) => length >= 100_000),
    fasterThan(
      "texts of the repository and dialogues, every length",
      rows.filter(({ isNatural }) => isNatural),
      () => true,
    ),
  ];
}

function fasterThan(what: string, rows: readonly Row[], fits: (length: number) => boolean): Target {
  const speeds = rows.flatMap(({ name, speed }) =>
    speed.filter(({ length }) => fits(length)).map(({ times }) => ({ name, times })),
  );
  const slowest = speeds.reduce((one, other) => (other.times < one.times ? other : one));
  return {
    target: `at least 20× faster than the tokeniser: ${what}`,
    reached: `${slowest.times.toFixed(0)}× (${slowest.name})`,
    met: slowest.times >= 20,
  };
}

/** The report as Markdown: the same on the terminal and in the results folder. */
export function markdown({ rows, targets, tokenizer, machine: on, commit, date }: Report): string {
  const lengths = rows[0]?.accuracy.map(({ length }) => count(length)) ?? [];
  const speedLengths = rows[0]?.speed.map(({ length }) => count(length)) ?? [];
  return `# Estimating tokens

${on.cpu}, ${on.cores} cores, ${on.memoryGb} GB, Node ${on.node}, ${on.platform}; commit ${commit}; ${date}.

\`estimateTokens\` beside ${tokenizer}.

## How far it is off

The least and the most, by kind of text and its length in characters.

${table(
  ["text", "held to", ...lengths],
  rows.map(({ name, tolerance, accuracy }) => [
    name,
    `±${100 * tolerance} %`,
    ...accuracy.map(({ lowest, highest, texts }) =>
      texts === 1 ? signed(lowest - 1) : `${signed(lowest - 1)} … ${signed(highest - 1)}`,
    ),
  ]),
)}

## How fast it is

Megabytes of UTF-8 in a second of CPU time, median of interleaved rounds.

${table(
  ["text", ...speedLengths.flatMap((length) => [`${length}: estimate`, "tokeniser", "times"])],
  rows.map(({ name, speed }) => [
    name,
    ...speed.flatMap(({ estimate, tokenizer: other, times }) => [
      estimate.toFixed(0),
      other.toPrecision(2),
      `${times.toFixed(0)}×`,
    ]),
  ]),
)}

## Targets

${table(
  ["target", "reached", "met"],
  targets.map(({ target, reached, met }) => [target, reached, met ? "yes" : "no"]),
)}
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

const count = (value: number): string => value.toLocaleString("en").replaceAll(",", " ");
const signed = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(0)} %`;
