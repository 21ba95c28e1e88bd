import { type IndexConfig, InMemoryStore, type SearchItem, type Store } from "../../src/store/index.ts";
import { hashingEmbedder } from "../../src/testing/index.ts";
import { pick, randomFrom } from "./isolation-search.ts";

const words = ["tea", "green", "saffron", "milk", "rice", "京都", "👍🏽", "10"];
const users = [["u", "1"], ["u", "10"], ["u"]];
const keys = 40;

/** What a process does at step `index` of an endless history that follows from the seed. */
export async function carryOut(store: Store, seed: number, index: number): Promise<void> {
  const random = randomFrom(seed * 1_000_003 + index);
  const namespace = pick(random, users);
  const key = (): string => `k${Math.floor(random() * keys)}`;
  const value = () => ({
    content: `${pick(random, words)} ${pick(random, words)} step${index}`,
    n: index,
    pad: "x".repeat(Math.floor(random() * 3000)),
  });
  const choice = random();
  if (choice < 0.5) return store.put(namespace, key(), value());
  if (choice < 0.6) return store.put(namespace, key(), value(), false);
  if (choice < 0.75) return store.delete(namespace, key());
  if (choice < 0.8) {
    await store.deleteAll(namespace, { filter: { n: { $lt: index - 60 } } });
    return;
  }
  await store.batch(
    Array.from({ length: 8 }, () => ({
      namespace: pick(random, users),
      key: key(),
      value: random() < 0.25 ? null : value(),
    })),
  );
}

/** Words and vectors. */
export const index: IndexConfig = { embed: hashingEmbedder(16), fields: ["content"] };

/** The clock of step `index`, so that times can be compared too. */
export function timeOf(index: number): number {
  return 1_700_000_000_000 + index;
}

/** A store in memory that follows the same history: what the killed one must be equal to. */
export class Model {
  readonly #seed: number;
  readonly #store: InMemoryStore;
  #steps = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#store = new InMemoryStore({ index, now: () => timeOf(this.#steps) });
  }

  get steps(): number {
    return this.#steps;
  }

  async advanceTo(steps: number): Promise<void> {
    for (; this.#steps < steps; this.#steps += 1) await carryOut(this.#store, this.#seed, this.#steps);
  }

  state(): Promise<unknown> {
    return stateOf(this.#store);
  }
}

/** Everything that a store shows: its items, its listings, and what each of some queries finds with which score. */
export async function stateOf(store: Store): Promise<unknown> {
  const limit = 1000;
  const items = await store.search([], { limit });
  const found: Record<string, unknown> = {};
  for (const query of [...words, "green tea", "saffron rice milk"]) {
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      for (const prefix of [[], ...users]) {
        const hits = await store.search(prefix, { query, limit, mode });
        found[JSON.stringify({ prefix, query, mode })] = hits.map(shown).sort();
      }
    }
  }
  for (const { value } of items) {
    const [, , step = ""] = String(value.content).split(" ");
    found[step] = (await store.search([], { query: step, limit, mode: "keyword" }))
      .map(({ key }) => key)
      .sort();
  }
  return { items, found, namespaces: await store.listNamespaces(), count: await store.count([]) };
}

/** In any order: sums of floating-point numbers differ in their last digits, and so may the order of equals. */
function shown({ namespace, key, signals }: SearchItem): string {
  const rounded = (signal: number | undefined): string =>
    signal === undefined ? "" : (signal + 0).toFixed(4);
  return JSON.stringify([namespace, key, rounded(signals?.keyword), rounded(signals?.vector)]);
}
