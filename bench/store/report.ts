import type { Machine } from "../measured-on.ts";
import type { BesideLangGraph } from "./beside-langgraph.ts";
import type { Disk } from "./disk.ts";
import type { Figures, Times } from "./measure.ts";
import type { Neighbours } from "./neighbours.ts";
import type { Spread } from "./stopwatch.ts";
import type { Writes } from "./writes.ts";

/** What one part of the bench gave, and of which code. */
export interface Part<Result> {
  readonly commit: string;
  readonly date: string;
  readonly result: Result;
}

/** The general figures of a driver. */
export interface General {
  readonly items: number;
  readonly drivers: readonly {
    readonly driver: string;
    readonly megabytes: number;
    readonly figures: Figures;
  }[];
}

/** All parts, each from its last run. */
export interface Report {
  readonly bench: "store";
  readonly machine: Machine;
  readonly general?: Part<General>;
  readonly writes?: Part<Writes>;
  readonly neighbours?: Part<Neighbours>;
  readonly langgraph?: Part<BesideLangGraph>;
  readonly disk?: Part<Disk>;
}

/** The page of a report. */
export function toMarkdown(report: Report): string {
  const { cpu, cores, memoryGb, node, platform } = report.machine;
  return [
    "# SQLite store: writing and searching",
    "",
    `${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, ${platform}.`,
    "",
    ...targets(report),
    ...(report.writes === undefined ? [] : writesSection(report.writes)),
    ...(report.neighbours === undefined ? [] : neighboursSection(report.neighbours)),
    ...(report.langgraph === undefined ? [] : langGraphSection(report.langgraph)),
    ...(report.disk === undefined ? [] : diskSection(report.disk)),
    ...(report.general === undefined ? [] : generalSection(report.general)),
  ].join("\n");
}

function targets({ writes, neighbours, langgraph, disk }: Report): string[] {
  const hybrid = neighbours?.result.searches.find(({ mode }) => mode === "hybrid")?.times;
  const sqlite = langgraph?.result.stores.find(
    ({ name, mode }) => name === "SqliteStore" && mode === "hybrid",
  );
  const rows: readonly (readonly [target: string, reached: string | undefined, met: boolean])[] = [
    [
      "20 000 items with text index through `batch`: at least 1/2 the rate of plain inserts with an FTS5 trigger",
      writes?.result.share.toFixed(2),
      (writes?.result.share ?? 0) >= 0.5,
    ],
    [
      "p95 of a hybrid search in a namespace of 1 000 items inside a database of 1 000 000: at most 2.5 times the same namespace alone",
      hybrid?.toFixed(2),
      (hybrid ?? 9) <= 2.5,
    ],
    [
      "hybrid search in one namespace of 100 000 items × 384 dims: at most 1/3 of LangGraph's `InMemoryStore`",
      sqlite?.share.toFixed(2),
      (sqlite?.share ?? 9) <= 1 / 3,
    ],
    [
      "disk for vectors, 1 000 namespaces × 10 items × 384 dims: at most 2 times the raw floats",
      disk?.result.times.toFixed(2),
      (disk?.result.times ?? 9) <= 2,
    ],
  ];
  return [
    "| target | reached | met |",
    "|---|---|---|",
    ...rows.map(
      ([target, reached, met]) =>
        `| ${target} | ${reached ?? "–"} | ${reached === undefined ? "–" : met ? "yes" : "no"} |`,
    ),
    "",
  ];
}

function heading(title: string, { commit, date }: Part<unknown>): string[] {
  return [`## ${title}`, "", `Commit ${commit}; ${date}.`, ""];
}

function writesSection(part: Part<Writes>): string[] {
  const { items, batchSize, keepsakePerSecond, plainPerSecond, share } = part.result;
  return [
    ...heading("Writes", part),
    `${items} items of 25 words in batches of ${batchSize}, better-sqlite3; items a second of processor time, median of 5 rounds.`,
    "",
    "| keepsake `batch` | plain inserts, FTS5 trigger | share |",
    "|---|---|---|",
    `| ${keepsakePerSecond.toFixed(0)} | ${plainPerSecond.toFixed(0)} | ${share.toFixed(2)} |`,
    "",
  ];
}

function neighboursSection(part: Part<Neighbours>): string[] {
  const { items, dims, buildMinutes, megabytes, searches } = part.result;
  return [
    ...heading("Neighbours", part),
    `A namespace of 1 000 items of 12 words, ${dims} dims, alone in its file and inside a file of ${items} (${megabytes.toFixed(0)} MB, built in ${buildMinutes.toFixed(1)} minutes); 300 searches, processor time, p50 / p95.`,
    "",
    "| mode | alone | among the others | p95, times |",
    "|---|---|---|---|",
    ...searches.map(
      ({ mode, alone, among, times }) =>
        `| ${mode} | ${pair(alone)} | ${pair(among)} | ${times.toFixed(2)} |`,
    ),
    "",
  ];
}

function langGraphSection(part: Part<BesideLangGraph>): string[] {
  const { items, dims, stores } = part.result;
  return [
    ...heading("Beside LangGraph's store in memory", part),
    `One namespace of ${items} items of 25 words, ${dims} dims; 40 searches, processor time, p50 / p95; put in batches of 500.`,
    "",
    "| store | mode | put, each | search | p50 by LangGraph's |",
    "|---|---|---|---|---|",
    ...stores.map(
      ({ name, mode, putMs, search, share }) =>
        `| ${name} | ${mode} | ${putMs.toFixed(2)} ms | ${pair(search)} | ${share.toFixed(2)} |`,
    ),
    "",
  ];
}

function diskSection(part: Part<Disk>): string[] {
  const { namespaces, itemsPerNamespace, dims, withoutVectorsMb, withVectorsMb, rawMb, times } = part.result;
  return [
    ...heading("Disk", part),
    `${namespaces} namespaces of ${itemsPerNamespace} items of 25 words, ${dims} dims, written in turn.`,
    "",
    "| file without vectors | with vectors | raw floats | what vectors add, by raw floats |",
    "|---|---|---|---|",
    `| ${withoutVectorsMb.toFixed(1)} MB | ${withVectorsMb.toFixed(1)} MB | ${rawMb.toFixed(1)} MB | ${times.toFixed(2)} |`,
    "",
  ];
}

function generalSection(part: Part<General>): string[] {
  const { items, drivers } = part.result;
  const row = (name: string, cell: (driver: General["drivers"][number]) => string): string =>
    `| ${[name, ...drivers.map(cell)].join(" | ")} |`;
  const times = ({ p50, p95 }: Times): string => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`;
  const names = drivers[0]?.figures.searches.map(({ name }) => name) ?? [];
  return [
    ...heading("By words, in one large namespace and a thousand small ones", part),
    "Items of 25 words, queries of 4; p50 / p95 of 100, by the clock.",
    "",
    row("", ({ driver }) => driver),
    `|---|${"---|".repeat(drivers.length)}`,
    row("put, one at a time", ({ figures }) => times(figures.putMs)),
    row("put, in batches of 500, each", ({ figures }) => `${figures.batchedPutMs.toFixed(2)} ms`),
    ...names.map((name, index) =>
      row(`search: ${name}`, ({ figures }) => times(figures.searches[index]?.times ?? { p50: 0, p95: 0 })),
    ),
    row(`file of ${items + 20_100} items`, ({ megabytes }) => `${megabytes.toFixed(0)} MB`),
    "",
  ];
}

function pair({ p50, p95 }: Spread): string {
  return `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`;
}
