import { InMemoryStore, type SearchOptions, type Store } from "../../src/store/index.ts";
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

/** The clock of step `index`, so that times can be compared too. */
export function timeOf(index: number): number {
  return 1_700_000_000_000 + index;
}

/** A store in memory that follows the same history: what the killed one must be equal to. */
export class Model {
  readonly #seed: number;
  readonly #store: InMemoryStore;
  #steps = 0;

  constructor(seed: number, config: ConstructorParameters<typeof InMemoryStore>[0] = {}) {
    this.#seed = seed;
    this.#store = new InMemoryStore({ ...config, now: () => timeOf(this.#steps) });
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
    for (const prefix of [[], ...users]) {
      const options: SearchOptions = { query, limit };
      found[JSON.stringify({ prefix, query })] = (await store.search(prefix, options)).map(
        ({ namespace, key, score, signals }) => ({
          namespace,
          key,
          score: rounded(score),
          keyword: rounded(signals?.keyword),
        }),
      );
    }
  }
  for (const { value } of items) {
    const [, , step = ""] = String(value.content).split(" ");
    found[step] = (await store.search([], { query: step, limit })).map(({ key }) => key).sort();
  }
  return { items, found, namespaces: await store.listNamespaces(), count: await store.count([]) };
}

/** The order in which parts of a score are added up may differ between stores. */
function rounded(score: number | undefined): number | undefined {
  return score === undefined ? undefined : Math.round(score * 1e9) / 1e9;
}
