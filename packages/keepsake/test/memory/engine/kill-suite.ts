import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryEngine } from "../../../src/memory/engine/index.ts";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";
import { randomFrom, seedOfRun } from "../../stores/isolation-search.ts";
import { temporaryFolder } from "../../stores/temporary-folder.ts";
import { deliveries, namespace } from "./kill-deliveries.ts";

/** Inside `node_modules`, so that the bundle finds the drivers. */
const cache = join(import.meta.dirname, "../../../../../node_modules/.cache");

/**
 * Registers the test that two processes are delivered the same batches, each twice, and are killed at random instants: each goes on with the
 * first delivery that it has not acknowledged. In the end each fact is stored once, and no change of the shared record is lost.
 */
export function testKilling(batches: number, kills: number): void {
  const folder = temporaryFolder();
  const seed = seedOfRun();
  let bundle = "";

  beforeAll(() => {
    mkdirSync(cache, { recursive: true });
    bundle = mkdtempSync(join(cache, "keepsake-engine-kill-"));
    buildSync({
      entryPoints: [join(import.meta.dirname, "kill-process.ts")],
      outfile: join(bundle, "kill-process.mjs"),
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
    });
  });
  afterAll(() => rmSync(bundle, { recursive: true, force: true }));

  test(`two processes, ${batches} batches twice each, ${kills} kills: each fact once (KEEPSAKE_SEED=${seed})`, {
    timeout: 60_000 + kills * 6_000 + batches * 2_000,
  }, async () => {
    const path = join(folder, "memory.db");
    const store = new SqliteStore(path);
    await store.put(namespace, "tally", {
      ...{ kind: "Tally", subject: "everyone", attribute: "tally" },
      content: { label: "tally" },
    });
    const workers = [1, 2].map((worker) =>
      work(join(bundle, "kill-process.mjs"), path, seed + worker, batches, kills / 2),
    );
    const killed = await Promise.all(workers);
    expect(killed.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(Math.floor(kills / 2));
    const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
    const records = await engine.list(namespace, { limit: 10_000 });
    const facts = records.filter(({ key }) => key !== "tally").map(({ content }) => factIn(content));
    const expected = deliveries(0, batches).flatMap((batch) =>
      [1, 2, 3].map((fact) => `batch ${batch} fact ${fact}`),
    );
    expect(facts.sort()).toEqual([...new Set(expected)].sort());
    const tally = await engine.get(namespace, "tally");
    expect(Object.keys(Object(tally?.content))).toHaveLength(batches + 1);
    const versions = (await engine.history(namespace, "tally")).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: batches + 1 }, (_, index) => batches + 1 - index));
    await store.close();
  });
}

function factIn(content: unknown): string {
  return /^batch \d+ fact \d/.exec(String(content))?.[0] ?? JSON.stringify(content);
}

/** Starts the process again and again until it has acknowledged all deliveries; gives how often it was killed. */
async function work(
  program: string,
  path: string,
  seed: number,
  batches: number,
  kills: number,
): Promise<number> {
  const random = randomFrom(seed);
  let acknowledged = 0;
  let killed = 0;
  while (acknowledged < batches * 2) {
    const args = [program, path, String(seed), String(batches), String(acknowledged)];
    const delayMs = killed < kills ? random() * 250 : undefined;
    const outcome = await runOnce(args, delayMs);
    acknowledged += outcome.acknowledged;
    if (outcome.killed) killed += 1;
  }
  return killed;
}

async function runOnce(
  args: readonly string[],
  delayMs: number | undefined,
): Promise<{ acknowledged: number; killed: boolean }> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [...args]);
  let said = 0;
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.length;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += String(chunk);
  });
  const ended = once(child, "close");
  while (said < 1 && child.exitCode === null) await Promise.race([once(child.stdout, "data"), ended]);
  const timer = delayMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), delayMs);
  const [code, signal] = await ended;
  clearTimeout(timer);
  expect({ errors, ended: code === 0 || signal === "SIGKILL" }).toEqual({ errors: "", ended: true });
  return { acknowledged: Math.max(0, said - 1), killed: signal === "SIGKILL" };
}
