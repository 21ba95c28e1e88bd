/** `npm run bench:delivery`: what it measures is told in bench/README.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { SqliteDriverName } from "keepsake/sqlite";
import { commit, machine } from "../measured-on.ts";
import { measureDrain } from "./drain.ts";
import { measureLedger } from "./ledger.ts";
import { measureReduce } from "./reduce.ts";
import { type Report, toMarkdown } from "./report.ts";

const { values } = parseArgs({
  options: {
    driver: { type: "string", default: "better-sqlite3" },
    reduces: { type: "string", default: "1000" },
    deliveries: { type: "string", default: "20000" },
    ledger: { type: "string", default: "1000000" },
    out: { type: "string", default: "bench/results" },
  },
});
const driver = values.driver as SqliteDriverName;
const folder = mkdtempSync(join(tmpdir(), "keepsake-bench-"));
const path = (name: string): string => join(folder, `${name}.db`);
try {
  const reduces = Number(values.reduces);
  process.stderr.write("reduce\n");
  const reduce = await measureReduce(path, { driver, reduces });
  process.stderr.write("drain\n");
  const drain = await measureDrain(path, { driver, deliveries: Number(values.deliveries) });
  process.stderr.write("ledger\n");
  const ledger = await measureLedger(path, { driver, rows: [10_000, Number(values.ledger)] });
  const report: Report = {
    bench: "delivery",
    machine: machine(),
    commit: commit("bench/delivery"),
    date: new Date().toISOString().slice(0, 10),
    driver,
    reduce,
    drain,
    ledger,
  };
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, "delivery.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  const page = toMarkdown(report);
  writeFileSync(join(values.out, "delivery.md"), page);
  console.log(page);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
