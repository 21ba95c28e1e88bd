import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { drivers } from "./drivers.ts";
import { randomFrom, seedOfRun } from "./isolation-search.ts";
import { index, Model, stateOf } from "./kill-operations.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const source = join(import.meta.dirname, "kill-process.ts");
/** Inside `node_modules`, so that the bundle finds the drivers. */
const cache = join(import.meta.dirname, "../../../../node_modules/.cache");

/**
 * Registers the tests that kill a process while it writes, again and again on the same file, at random instants: each time, the store must be
 * what it is after all acknowledged steps, or after these and the one that was under way, in every item, listing and score.
 */
export function testKilling(kills: number): void {
  const folder = temporaryFolder();
  const seed = seedOfRun();
  const timeout = 60_000 + kills * 6_000;

  let bundle = "";

  beforeAll(() => {
    mkdirSync(cache, { recursive: true });
    bundle = mkdtempSync(join(cache, "keepsake-kill-"));
    const outfile = join(bundle, "kill-process.mjs");
    // Bundled once: a process then starts in a fraction of the time that it takes to compile its modules.
    buildSync({
      entryPoints: [source],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
    });
  });
  afterAll(() => rmSync(bundle, { recursive: true, force: true }));

  describe("SIGKILL during writes", () => {
    for (const { name: driver, missing } of drivers) {
      const title = `${driver}: ${kills} times, nothing acknowledged is lost and the indexes agree (KEEPSAKE_SEED=${seed})`;
      test.skipIf(missing !== undefined)(
        missing === undefined ? title : `${title} (skipped: ${missing})`,
        { timeout },
        async () => {
          const path = join(folder, `${driver.replace(":", "-")}.db`);
          const random = randomFrom(seed);
          const model = new Model(seed);
          let acknowledgedInAll = 0;
          for (let kill = 0; kill < kills; kill += 1) {
            const acknowledged = await killWriter(
              [join(bundle, "kill-process.mjs"), path, driver, String(seed), String(model.steps)],
              { afterFirstStep: random() < 0.8, delayMs: random() ** 2 * 120 },
            );
            acknowledgedInAll += acknowledged;
            await model.advanceTo(model.steps + acknowledged);
            await agrees(path, model, `kill ${kill}, after step ${model.steps}, seed ${seed}`);
          }
          expect(acknowledgedInAll).toBeGreaterThan(kills);
        },
      );
    }
  });
}

/** Compares, and moves the model on where the step under way was carried out. */
async function agrees(path: string, model: Model, when: string): Promise<void> {
  const store = new SqliteStore(path, { driver: "libsql", index });
  const actual = await stateOf(store);
  await store.close();
  const before = await model.state();
  if (isDeepStrictEqual(actual, before)) return;
  await model.advanceTo(model.steps + 1);
  const after = await model.state();
  if (isDeepStrictEqual(actual, after)) return;
  expect(actual, `${when}: neither as before the step under way`).toEqual(before);
  expect(actual, `${when}: nor as after it`).toEqual(after);
}

/**
 * Starts the writer and kills it so many milliseconds after it was told to begin, which may be while it opens the file, or after its first
 * step. Gives the number of acknowledged steps.
 */
async function killWriter(
  args: readonly string[],
  { afterFirstStep, delayMs }: { afterFirstStep: boolean; delayMs: number },
): Promise<number> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [...args]);
  let bytes = 0;
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += String(chunk);
  });
  const ended = once(child, "close");
  const said = async (length: number): Promise<void> => {
    while (bytes < length && child.exitCode === null) await Promise.race([once(child.stdout, "data"), ended]);
  };
  await said(1);
  child.stdin.write("go\n");
  if (afterFirstStep) await said(2);
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  child.kill("SIGKILL");
  const [, signal] = await ended;
  expect({ signal, errors }).toEqual({ signal: "SIGKILL", errors: "" });
  return bytes - 1;
}
