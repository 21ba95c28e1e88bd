/** `npm run bench:store [-- --items 100000 --driver better-sqlite3,libsql]`: what it measures is told in bench/README.md. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type SqliteDriverName, SqliteStore } from "keepsake/sqlite";
import { commit, machine } from "../measured-on.ts";
import { type Figures, measure, type Times } from "./measure.ts";

const { values } = parseArgs({
  options: {
    items: { type: "string", default: "100000" },
    driver: { type: "string", default: "better-sqlite3,libsql" },
    out: { type: "string", default: join(import.meta.dirname, "../results") },
  },
});
const items = Number(values.items);
const results: { driver: string; megabytes: number; figures: Figures }[] = [];
for (const driver of values.driver.split(",")) {
  const folder = mkdtempSync(join(tmpdir(), "keepsake-bench-"));
  const path = join(folder, "bench.db");
  const store = new SqliteStore(path, { driver: driver as SqliteDriverName });
  const figures = await measure(store, items, (text) => process.stderr.write(`${driver}: ${text}\n`));
  await store.close();
  results.push({ driver, megabytes: statSync(path).size / 1e6, figures });
  rmSync(folder, { recursive: true, force: true });
}

const report = {
  bench: "store",
  items,
  results,
  machine: machine(),
  commit: commit("bench/store"),
  date: new Date().toISOString().slice(0, 10),
};
const page = toMarkdown();
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, "store.json"), `${JSON.stringify(report, undefined, 2)}\n`);
writeFileSync(join(values.out, "store.md"), page);
console.log(page);

function toMarkdown(): string {
  const { cpu, cores, memoryGb, node, platform } = report.machine;
  const line = (name: string, cells: readonly string[]): string => `| ${[name, ...cells].join(" | ")} |`;
  const each = (cell: (result: (typeof results)[number]) => string): string[] => results.map(cell);
  const times = ({ p50, p95 }: Times): string => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`;
  const names = results[0]?.figures.searches.map(({ name }) => name) ?? [];
  return `# SQLite store: writing and searching

${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, ${platform}; commit ${report.commit}; ${report.date}.

Items of 25 words, queries of 4; p50 / p95 of 100.

${line(
  "",
  each(({ driver }) => driver),
)}
|---|${"---|".repeat(results.length)}
${line(
  "put, one at a time",
  each(({ figures }) => times(figures.putMs)),
)}
${line(
  "put, in batches of 500, each",
  each(({ figures }) => `${figures.batchedPutMs.toFixed(2)} ms`),
)}
${names
  .map((name, index) =>
    line(
      `search: ${name}`,
      each(({ figures }) => times(figures.searches[index]?.times ?? { p50: 0, p95: 0 })),
    ),
  )
  .join("\n")}
${line(
  `file of ${items + 20_100} items`,
  each(({ megabytes }) => `${megabytes.toFixed(0)} MB`),
)}
`;
}
