import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { drivers } from "./drivers.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const script = join(import.meta.dirname, "writer-process.ts");
const timeoutMs = 120_000;

interface Writer {
  readonly process: ChildProcessWithoutNullStreams;
  /** How many writes it has acknowledged. */
  acknowledged(): number;
  readonly ended: Promise<{ code: number | null; errors: string }>;
}

/** A child process that is ready to create the file and write. */
async function writer(path: string, driver: string, name: string, count: number): Promise<Writer> {
  const child = spawn(process.execPath, ["--import", "tsx", script, path, driver, name, String(count)]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  const ended = once(child, "close").then(([code]) => ({ code, errors }));
  await Promise.race([once(child.stdout, "data"), ended]);
  return { process: child, acknowledged: () => output.split("\n").length - 2, ended };
}

for (const { name: driver, missing } of drivers) {
  test.skipIf(missing !== undefined)(
    `${driver}: two processes that create one file and write 1000 items each make 2000 rows${missing === undefined ? "" : ` (skipped: ${missing})`}`,
    { timeout: timeoutMs },
    async () => {
      const path = join(folder, `${driver.replace(":", "-")}.db`);
      const writers = await Promise.all(["one", "two"].map((name) => writer(path, driver, name, 1000)));
      for (const { process: child } of writers) child.stdin.write("go\n");
      for (const { ended } of writers) expect(await ended).toMatchObject({ code: 0 });
      const store = new SqliteStore(path, { driver });
      expect(await store.count([])).toBe(2000);
      expect(await store.search(["processes"], { query: "tea", limit: 3000 })).toHaveLength(2000);
      expect((await store.search(["processes", "two"], { query: "number 77" }))[0]?.key).toBe("k77");
      await store.close();
    },
  );

  test.skipIf(missing !== undefined)(
    `${driver}: a process killed while it writes loses nothing that it has acknowledged${missing === undefined ? "" : ` (skipped: ${missing})`}`,
    { timeout: timeoutMs },
    async () => {
      const path = join(folder, `killed-${driver.replace(":", "-")}.db`);
      const { process: child, acknowledged, ended } = await writer(path, driver, "one", 1_000_000);
      child.stdin.write("go\n");
      while (acknowledged() < 50) await once(child.stdout, "data");
      child.kill("SIGKILL");
      await ended;
      const store = new SqliteStore(path, { driver });
      const count = await store.count([]);
      expect(count).toBeGreaterThanOrEqual(acknowledged());
      expect(await store.search([], { query: "tea", limit: count + 10 })).toHaveLength(count);
      await store.put(["processes", "one"], "after", { content: "saffron" });
      expect(await store.search([], { query: "saffron" })).toHaveLength(1);
      await store.close();
    },
  );
}
