/** `npm run bench:store [-- --part writes,disk --items 100000]`: what it measures is told in bench/README.md. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type SqliteDriverName, SqliteStore } from "keepsake/sqlite";
import { commit, machine } from "../measured-on.ts";
import { measureBesideLangGraph } from "./beside-langgraph.ts";
import { measureDisk } from "./disk.ts";
import { measure } from "./measure.ts";
import { measureNeighbours } from "./neighbours.ts";
import { type General, type Part, type Report, toMarkdown } from "./report.ts";
import type { Setting } from "./setting.ts";
import { measureWrites } from "./writes.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "general,writes,neighbours,langgraph,disk" },
    items: { type: "string", default: "100000" },
    neighbours: { type: "string", default: "1000000" },
    "neighbour-dims": { type: "string", default: "64" },
    driver: { type: "string", default: "better-sqlite3,libsql" },
    out: { type: "string", default: "bench/results" },
  },
});
const items = Number(values.items);
const drivers = values.driver.split(",") as SqliteDriverName[];
const parts = values.part.split(",");

const measured: Partial<Record<keyof Report, unknown>> = {};
await run("general", measureGeneral);
await run("writes", (setting) => measureWrites(setting, 20_000));
await run("disk", (setting) => measureDisk(setting, 384));
await run("langgraph", (setting) => measureBesideLangGraph(setting, items, 384));
await run("neighbours", (setting) =>
  measureNeighbours(setting, Number(values.neighbours), Number(values["neighbour-dims"])),
);

/** Measures a part where it is asked for, and writes the page anew: parts that were not asked for stay as they are. */
async function run<Result>(
  part: keyof Report,
  measurePart: (setting: Setting) => Promise<Result>,
): Promise<void> {
  if (!parts.includes(part)) return;
  const folder = mkdtempSync(join(tmpdir(), "keepsake-bench-"));
  const progress = (text: string): void => {
    process.stderr.write(`${part}: ${text}\n`);
  };
  try {
    const result = await measurePart({ folder, driver: drivers[0] ?? "better-sqlite3", progress });
    const date = new Date().toISOString().slice(0, 10);
    measured[part] = { commit: commit("bench/store"), date, result } satisfies Part<Result>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  write();
}

async function measureGeneral({ folder, progress }: Setting): Promise<General> {
  const results: General["drivers"][number][] = [];
  for (const driver of drivers) {
    const path = join(folder, `${driver}.db`);
    const store = new SqliteStore(path, { driver });
    const figures = await measure(store, items, (text) => progress(`${driver}: ${text}`));
    await store.close();
    results.push({ driver, megabytes: statSync(path).size / 1e6, figures });
  }
  return { items, drivers: results };
}

function write(): void {
  const file = join(values.out, "store.json");
  const before = readBefore(file);
  const report = { ...before, ...measured, bench: "store", machine: machine() } as Report;
  mkdirSync(values.out, { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  const page = toMarkdown(report);
  writeFileSync(join(values.out, "store.md"), page);
  console.log(page);
}

function readBefore(file: string): Partial<Report> {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
