// Run as a child process: node --import tsx writer-process.ts <path> <driver> <name> <count>
import { type SqliteDriverName, SqliteStore } from "../../src/stores/sqlite/index.ts";

const [path = "", driver = "", name = "", count = "0"] = process.argv.slice(2);
const store = new SqliteStore(path, { driver: driver as SqliteDriverName });
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
for (let n = 0; n < Number(count); n += 1) {
  await store.put(["processes", name], `k${n}`, { content: `tea number ${n} of ${name}` });
  process.stdout.write(`${n}\n`);
}
await store.close();
process.exit(0);
