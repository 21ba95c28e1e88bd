import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomFrom, seedOfRun } from "./isolation-search.ts";
import { type KillPlace, openKillPlace, textOf } from "./outbox-kill-place.ts";
import { databaseUrl, freshSchema, withoutServer } from "./postgres-pools.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Inside `node_modules`, so that the bundle finds the packages. */
const cache = join(import.meta.dirname, "../../../../node_modules/.cache");
/** Imported only for an embedder by name. */
const embeddingPackages = ["openai", "google-genai", "mistralai", "cohere", "aws", "ollama"].map(
  (name) => `@langchain/${name}`,
);
const turns = 8;

/** Builds a process once, for all tests of a file: it then starts in a fraction of the time that it takes to compile its modules. */
export function bundledProcess(source: string): { readonly script: string } {
  let folder = "";
  beforeAll(() => {
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, "keepsake-outbox-"));
    buildSync({
      entryPoints: [join(import.meta.dirname, `${source}.ts`)],
      outfile: join(folder, `${source}.mjs`),
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["better-sqlite3", "libsql", "pg", "pg-native", ...embeddingPackages],
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get script() {
      return join(folder, `${source}.mjs`);
    },
  };
}

/** Tests that conversations lose nothing in processes that are killed, as many of each outbox as `KEEPSAKE_KILL_RUNS` says. */
export function describeKills(usualRuns: number): void {
  const runs = Number(process.env.KEEPSAKE_KILL_RUNS ?? usualRuns);
  const seed = seedOfRun();
  const timeout = 60_000 + runs * 10_000;

  describe("SIGKILL of a process whose hook is durable", () => {
    const child = bundledProcess("outbox-kill-process");
    const folder = temporaryFolder();
    const title = `${runs} conversations lose nothing and repeat nothing (KEEPSAKE_SEED=${seed})`;

    async function holdOn(place: KillPlace): Promise<void> {
      const counts = await killWhileTalking(child.script, place, { runs, seed });
      console.log(`${place.kind}, seed ${seed}: ${JSON.stringify(counts)}`);
      expect(counts.kills).toBeGreaterThan(runs / 4);
    }

    test(`SQLite: ${title}`, { timeout }, async () => holdOn({ kind: "sqlite", folder }));

    test.skipIf(databaseUrl === undefined)(`Postgres: ${title}${withoutServer}`, { timeout }, async () =>
      holdOn({ kind: "postgres", url: databaseUrl ?? "", schema: freshSchema() }),
    );
  });
}

/** What came of {@link killWhileTalking}. */
interface KillCounts {
  readonly runs: number;
  readonly kills: number;
  readonly messages: number;
  readonly remembered: number;
}

/**
 * Conversations through a LangGraph graph with a durable hook, in processes that are killed at random instants and started again until each
 * conversation is done. Then every message is in the window or in the store, in one item, and no delivery is left.
 */
async function killWhileTalking(
  script: string,
  place: KillPlace,
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Promise<KillCounts> {
  const random = randomFrom(seed);
  let child = new Child(script);
  // Loads its modules while the other one works.
  let spare = new Child(script);
  let kills = 0;
  let remembered = 0;
  try {
    for (let run = 0; run < runs; run += 1) {
      for (let attempt = 0; ; attempt += 1) {
        const killAfterMs = random() < 0.9 / (attempt + 1) ** 2 ? random() ** 1.5 * 300 : undefined;
        if (await child.carriesOut({ place, run, turns }, killAfterMs)) break;
        kills += 1;
        child = spare;
        spare = new Child(script);
      }
      remembered += await holds(place, run, `run ${run}, seed ${seed}`);
    }
  } finally {
    await Promise.all([child.kill(), spare.kill()]);
  }
  return { runs, kills, messages: runs * 2 * turns, remembered };
}

/** Checks a conversation that is done; the number of its messages in the store. */
async function holds(place: KillPlace, run: number, when: string): Promise<number> {
  const { saver, store, outbox, close } = await openKillPlace(place);
  try {
    const tuple = await saver.getTuple({ configurable: { thread_id: `run ${run}` } });
    const window = (tuple?.checkpoint.channel_values.messages ?? []) as { content: unknown }[];
    const items = await store.search(["kill", String(run)], { limit: 1000 });
    const stored = items.map(({ value }) => String(value.content));
    const said = Array.from({ length: turns }, (_, turn) => [textOf("u", turn), textOf("a", turn)]).flat();
    const found = new Set([...window.map(({ content }) => String(content)), ...stored]);
    expect([...found].sort(), `${when}: every message is in the window or in the store`).toEqual(said.sort());
    expect(stored.length, `${when}: one item for each message`).toBe(new Set(stored).size);
    const { pending, leased, retrying, dead } = await outbox.stats(`run ${run}`);
    expect({ pending, leased, retrying, dead }, `${when}: nothing is left`).toEqual({
      pending: 0,
      leased: 0,
      retrying: 0,
      dead: 0,
    });
    return stored.length;
  } finally {
    await close();
  }
}

class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown[]>;
  #said = "";
  #errors = "";

  constructor(script: string) {
    // Node 22 warns of node:sqlite; whatever else is said there is an error.
    this.#process = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script]);
    this.#process.stdout.on("data", (chunk: Buffer) => {
      this.#said += String(chunk);
    });
    this.#process.stderr.on("data", (chunk: Buffer) => {
      this.#errors += String(chunk);
    });
    this.#process.stdin.on("error", () => undefined);
    this.#ended = once(this.#process, "close");
  }

  /** True where it has come to the end of the job; false where it was killed. */
  async carriesOut(job: unknown, killAfterMs: number | undefined): Promise<boolean> {
    await this.#says("r");
    this.#said = "r";
    this.#process.stdin.write(`${JSON.stringify(job)}\n`);
    const kill = (): void => void this.#process.kill("SIGKILL");
    const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
    const isDone = await this.#says("d");
    clearTimeout(timer);
    if (isDone) return true;
    expect([this.#errors, await this.#ended]).toEqual(["", [null, "SIGKILL"]]);
    return false;
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  async #says(word: string): Promise<boolean> {
    const ended = this.#ended.then(() => "ended");
    while (!this.#said.includes(word)) {
      const event = await Promise.race([once(this.#process.stdout, "data"), ended]);
      if (event === "ended") return this.#said.includes(word);
    }
    return true;
  }
}
