import type { Machine } from "../measured-on.ts";

export interface Comparison {
  readonly limit: "count" | "tokens";
  readonly messages: number;
  readonly other: string;
  readonly otherMs: number;
  readonly keepsake: string;
  readonly keepsakeMs: number;
  /** `otherMs / keepsakeMs`. */
  readonly times: number;
}

/** keepsake's turn on one format. */
export interface FormatCost {
  readonly format: string;
  readonly limit: Comparison["limit"];
  readonly ms: number;
  /** The turn of LangChain's trimMessages in the same rounds, divided by ours. */
  readonly timesTrim: number;
  /** The turn of AI SDK's pruneMessages in the same rounds, divided by ours. */
  readonly timesPrune: number;
}

export interface Growth {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly times: number;
}

export interface Report {
  readonly machine: Machine;
  readonly commit: string;
  readonly date: string;
  readonly window: { readonly messages: number; readonly tokens: number };
  readonly comparisons: readonly Comparison[];
  readonly formats: { readonly messages: number; readonly costs: readonly FormatCost[] };
  readonly growth: readonly Growth[];
  readonly targets: readonly { readonly target: string; readonly reached: string; readonly met: boolean }[];
}

/** The report as Markdown: the same on the terminal and in the results folder. */
export function toMarkdown(report: Report): string {
  const { machine: on, window } = report;
  return [
    "# The cost of one more turn",
    "",
    `${on.cpu}, ${on.cores} cores, ${on.memoryGb} GB, Node ${on.node}, ${on.platform}; commit ${report.commit}; ${report.date}.`,
    `A history of n known messages plus one new one, cut to a window of ${window.messages} messages or ${window.tokens} tokens; warm; CPU time, medians of interleaved rounds.`,
    "",
    table(
      ["limit", "n", "library", "its turn", "keepsake on", "our turn", "times"],
      report.comparisons.map((row) => [
        row.limit,
        count(row.messages),
        row.other,
        ms(row.otherMs),
        row.keepsake,
        ms(row.keepsakeMs),
        `${number(row.times)}×`,
      ]),
    ),
    "",
    "## Every format",
    "",
    `The same turn at n = ${count(report.formats.messages)}, beside the two libraries in the same rounds.`,
    "",
    table(
      ["format", "limit", "our turn", "trimMessages takes", "pruneMessages takes"],
      report.formats.costs.map((row) => [
        row.format,
        row.limit,
        ms(row.ms),
        `${number(row.timesTrim)}×`,
        `${number(row.timesPrune)}×`,
      ]),
    ),
    "",
    "## Growth",
    "",
    table(
      ["what", "from n", "to n", "turn at first", "turn at last", "growth"],
      report.growth.map((row) => [
        row.what,
        count(row.from),
        count(row.to),
        ms(row.fromMs),
        ms(row.toMs),
        `${number(row.times)}×`,
      ]),
    ),
    "",
    "## Targets",
    "",
    table(
      ["target", "reached", "met"],
      report.targets.map((row) => [row.target, row.reached, row.met ? "yes" : "no"]),
    ),
    "",
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join(
    "\n",
  );
}

const count = (value: number): string => value.toLocaleString("en").replaceAll(",", " ");
const ms = (value: number): string => (value >= 1 ? `${number(value)} ms` : `${number(value * 1000)} µs`);

/** Three significant digits. */
export function number(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
