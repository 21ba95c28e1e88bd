import { statSync } from "node:fs";
import { join } from "node:path";
import { SqliteStore } from "keepsake/sqlite";
import type { Store } from "keepsake/store";
import { type Setting, vectorIndex } from "./setting.ts";
import { interleaved, type Spread } from "./stopwatch.ts";
import { textSource } from "./texts.ts";

/** One namespace of 1 000 items, alone in its file and inside a file of a million. */
export interface Neighbours {
  readonly items: number;
  readonly dims: number;
  readonly buildMinutes: number;
  readonly megabytes: number;
  readonly searches: readonly {
    readonly mode: "hybrid" | "keyword";
    readonly alone: Spread;
    readonly among: Spread;
    /** p95 of `among` by p95 of `alone`. */
    readonly times: number;
  }[];
}

const perNamespace = 1000;
const wordsPerItem = 12;
const rounds = 300;
const own = ["bench", "own"];

export async function measureNeighbours(setting: Setting, items: number, dims: number): Promise<Neighbours> {
  const pathOf = (name: string): string => join(setting.folder, `${name}.db`);
  const open = (name: string): SqliteStore =>
    new SqliteStore(pathOf(name), { driver: setting.driver, index: vectorIndex(dims) });
  const alone = open("alone");
  const among = open("among");
  await fill(alone, own, textSource());
  const start = performance.now();
  const source = textSource();
  // In the middle of the others, not at the end of the file.
  const others = items / perNamespace - 1;
  for (let user = 0; user < others; user += 1) {
    if (user === Math.floor(others / 2)) await fill(among, own, textSource());
    await fill(among, ["bench", `user ${user}`], source);
    if (user % 50 === 49) setting.progress(`${(user + 1) * perNamespace} items`);
  }
  const buildMinutes = (performance.now() - start) / 60_000;
  const searches: Neighbours["searches"][number][] = [];
  for (const mode of ["hybrid", "keyword"] as const) {
    const queries = textSource();
    const asked = Array.from({ length: rounds + 5 }, () => queries.query());
    const search = (store: Store) => (round: number) =>
      store.search(own, { query: asked[round] ?? "", mode });
    const times = await interleaved({ alone: search(alone), among: search(among) }, rounds);
    const ratio = times.among.cpu.p95 / times.alone.cpu.p95;
    searches.push({ mode, alone: times.alone.cpu, among: times.among.cpu, times: ratio });
  }
  await alone.close();
  await among.close();
  return { items, dims, buildMinutes, megabytes: statSync(pathOf("among")).size / 1e6, searches };
}

async function fill(store: Store, namespace: string[], source: ReturnType<typeof textSource>): Promise<void> {
  await store.batch(
    Array.from({ length: perNamespace }, (_, n) => ({
      namespace,
      key: `k${n}`,
      value: { content: source.text(wordsPerItem) },
    })),
  );
}
