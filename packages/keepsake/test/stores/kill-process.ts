// Run as a child process: node --import tsx kill-process.ts <path> <driver> <seed> <first step>
import { writeSync } from "node:fs";
import { type SqliteDriverName, SqliteStore } from "../../src/stores/sqlite/index.ts";
import { carryOut, index, timeOf } from "./kill-operations.ts";

const [path = "", driver = "", seed = "0", first = "0"] = process.argv.slice(2);
// Nobody kills the process any more where the parent has ended.
process.stdin.on("end", () => process.exit(1));
let step = Number(first);
const store = new SqliteStore(path, { driver: driver as SqliteDriverName, index, now: () => timeOf(step) });
writeSync(1, "r");
await new Promise((resolve) => process.stdin.once("data", resolve));
for (; ; step += 1) {
  await carryOut(store, Number(seed), step);
  writeSync(1, ".");
}
