/** `npm run bench:engine [-- --held 10000 --added 1000]`: what it measures is told in bench/README.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SqliteStore } from "keepsake/sqlite";
import { InMemoryStore, type Store } from "keepsake/store";
import { commit, machine } from "../measured-on.ts";
import { type Figures, measure, type Size } from "./measure.ts";
import { median, type Report, toMarkdown } from "./report.ts";

const { values } = parseArgs({
  options: {
    held: { type: "string", default: "10000" },
    added: { type: "string", default: "1000" },
    rounds: { type: "string", default: "3" },
    out: { type: "string", default: "bench/results" },
  },
});
const size: Size = { held: Number(values.held), added: Number(values.added) };

const report: Report = {
  ...{ bench: "engine", commit: commit("bench/engine"), date: new Date().toISOString().slice(0, 10) },
  ...{ machine: machine(), ...size, rounds: Number(values.rounds) },
  stores: [
    { name: "InMemoryStore", figures: median(await rounds(new InMemoryStore())) },
    { name: "SqliteStore", figures: median(await inFile()) },
  ],
};
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, "engine.json"), `${JSON.stringify(report, undefined, 2)}\n`);
const page = toMarkdown(report);
writeFileSync(join(values.out, "engine.md"), page);
console.log(page);

async function inFile(): Promise<Figures[]> {
  const folder = mkdtempSync(join(tmpdir(), "keepsake-bench-"));
  try {
    return await rounds(new SqliteStore(join(folder, "memory.db")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first round warms up and does not count. */
async function rounds(store: Store): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    process.stderr.write(`${store.constructor.name}: round ${round}\n`);
    figures.push(await measure(store, size, round));
  }
  await store.close();
  return figures.slice(1);
}
