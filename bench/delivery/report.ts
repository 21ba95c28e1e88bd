import type { Machine } from "../measured-on.ts";
import type { DrainFigures } from "./drain.ts";
import type { LedgerFigures } from "./ledger.ts";
import type { ReduceFigures } from "./reduce.ts";

/** All figures. */
export interface Report {
  readonly bench: "delivery";
  readonly machine: Machine;
  readonly commit: string;
  readonly date: string;
  readonly driver: string;
  readonly reduce: ReduceFigures;
  readonly drain: DrainFigures;
  readonly ledger: LedgerFigures;
}

/** The page of a report. */
export function toMarkdown({ machine, commit, date, driver, reduce, drain, ledger }: Report): string {
  const { cpu, cores, memoryGb, node, platform } = machine;
  const ms = (time: number): string => `${time.toFixed(2)} ms`;
  const small = ledger[0]?.enqueue.p50 ?? Number.NaN;
  const large = ledger.at(-1)?.enqueue.p50 ?? Number.NaN;
  const added = reduce.full.p50 - reduce.inline.p50;
  const slowest = Math.min(...drain.settings.map(({ perSecond }) => perSecond));
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["a reduce that prunes: at most 2 ms more than with an inline hook, p50", ms(added), added <= 2],
    [
      "at least 2 000 deliveries drained per second",
      `${Math.round(slowest)} in the slowest row`,
      slowest >= 2_000,
    ],
    [
      "enqueue into the larger ledger: at most 1.5 times the smaller, or 0.2 ms more, p50",
      `${(large / small).toFixed(2)} times, ${ms(large - small)} more`,
      large / small <= 1.5 || large - small <= 0.2,
    ],
  ];
  return [
    "# Durable hand-over with SQLite",
    "",
    `${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, ${platform}; ${driver}; commit ${commit}, ${date}.`,
    "",
    "| target | reached | |",
    "|---|---|---|",
    ...rows.map(([target, reached, met]) => `| ${target} | ${reached} | ${met ? "yes" : "no"} |`),
    "",
    `## A reduce that prunes ten messages of twenty (${reduce.reduces} times)`,
    "",
    "| hook | p50 | p95 |",
    "|---|---|---|",
    ...(
      [
        ["inline, does nothing", reduce.inline],
        ['durable, `synchronous: "normal"`', reduce.normal],
        ['durable, `synchronous: "full"` (default)', reduce.full],
      ] as const
    ).map(([name, { p50, p95 }]) => `| ${name} | ${ms(p50)} | ${ms(p95)} |`),
    "",
    `## Draining ${drain.deliveries} deliveries, hook does nothing`,
    "",
    "| namespaces | concurrency | deliveries per second |",
    "|---|---|---|",
    ...drain.settings.map(
      ({ namespaces, concurrency, perSecond }) =>
        `| ${namespaces} | ${concurrency} | ${Math.round(perSecond)} |`,
    ),
    "",
    "## Enqueuing ten messages, by the size of the ledger",
    "",
    "| messages claimed before | p50 | p95 |",
    "|---|---|---|",
    ...ledger.map(({ rows: count, enqueue }) => `| ${count} | ${ms(enqueue.p50)} | ${ms(enqueue.p95)} |`),
    "",
  ].join("\n");
}
