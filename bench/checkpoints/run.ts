/** `npm run bench:checkpoints`: what it measures is told in bench/README.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commit, machine } from "../measured-on.ts";
import { measure } from "./measure.ts";
import { type Report, toMarkdown } from "./report.ts";
import { memorySubject, postgresSubject, type Subject, sqliteSubject } from "./subjects.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "50" },
    out: { type: "string", default: join(import.meta.dirname, "../results") },
  },
});
const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error("DATABASE_URL is not set: npm run bench:checkpoints sets it.");

const kinds: readonly ((name: string) => Subject | Promise<Subject>)[] = [
  memorySubject,
  (name) => sqliteSubject(join(folder, `${name}.db`)),
  (name) => postgresSubject(databaseUrl, `bench_${name}`),
];
const folder = mkdtempSync(join(tmpdir(), "keepsake-bench-"));
const results: Report["results"][number][] = [];
try {
  for (const durability of ["async", "exit"] as const) {
    for (const create of kinds) {
      for (const dress of ["bare", "wrapped"] as const) {
        const subject = await create(`${dress}_${durability}`);
        process.stderr.write(`${subject.name}, ${dress}, ${durability}\n`);
        const figures = await measure(subject, { dress, durability, turns: Number(values.turns) });
        results.push({ saver: subject.name, dress, durability, ...figures });
        await subject.close();
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const report: Report = {
  bench: "checkpoints",
  machine: machine(),
  commit: commit("bench/checkpoints"),
  date: new Date().toISOString().slice(0, 10),
  turns: Number(values.turns),
  results,
};
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, "checkpoints.json"), `${JSON.stringify(report, undefined, 2)}\n`);
const page = toMarkdown(report);
writeFileSync(join(values.out, "checkpoints.md"), page);
console.log(page);
