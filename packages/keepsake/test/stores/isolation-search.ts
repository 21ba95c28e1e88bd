import type { SearchOptions, Store } from "../../src/store/index.ts";
import { awkwardCharacters } from "../../src/testing/store/characters.ts";

/** What to do: everything follows from the seed. */
export interface IsolationPlan {
  readonly seed: number;
  readonly namespaces: number;
  readonly searches: number;
}

/** What came of it. */
export interface IsolationResult {
  readonly searches: number;
  /** Items found in all searches together. */
  readonly found: number;
  /** Items that stood outside the prefix, or held what belongs to another namespace. */
  readonly foreign: readonly string[];
  /** Searches that did not find what is under their prefix. */
  readonly incomplete: readonly string[];
}

const itemsPerNamespace = 3;
const letters = ["u", "1", "0", "a", "A", "é", "e\u0301", "京", "😀"];
const marks = [...awkwardCharacters, '","', '\\"', "__"];
const words = ["tea", "green", "saffron", "milk", "rice", "京都", "👍🏽", "a-b", "10"];

const modes = ["hybrid", "hybrid", "keyword", "vector"] as const;

/** Fills a store with namespaces that are easily taken for one another, and searches it at random. */
export async function searchAtRandom(store: Store, plan: IsolationPlan): Promise<IsolationResult> {
  const random = randomFrom(plan.seed);
  const namespaces = twinsOf(random, plan.namespaces);
  await fill(store, namespaces, random);
  const foreign: string[] = [];
  const incomplete: string[] = [];
  let found = 0;
  for (let n = 0; n < plan.searches; n += 1) {
    const prefix = prefixOf(random, namespaces);
    const options = optionsOf(random, store.capabilities.keyword);
    const items = await store.search(prefix, options);
    found += items.length;
    const search = JSON.stringify({ prefix, options });
    for (const { namespace, value } of items) {
      const isOwn = isUnder(namespace, prefix) && value.owner === JSON.stringify(namespace);
      if (!isOwn) foreign.push(`${search} found ${JSON.stringify({ namespace, value })}`);
    }
    if (options.query !== undefined || options.filter !== undefined) continue;
    const expected = namespaces.filter((namespace) => isUnder(namespace, prefix)).length * itemsPerNamespace;
    if (items.length !== Math.min(expected, options.limit ?? 10))
      incomplete.push(`${search} found ${items.length} of ${expected}`);
  }
  return { searches: plan.searches, found, foreign, incomplete };
}

async function fill(store: Store, namespaces: readonly string[][], random: Random): Promise<void> {
  const operations = namespaces.flatMap((namespace) =>
    Array.from({ length: itemsPerNamespace }, (_, n) => ({
      namespace,
      key: `k${n}`,
      value: {
        owner: JSON.stringify(namespace),
        content: `tea ${pick(random, words)} ${pick(random, words)}`,
        n,
      },
    })),
  );
  for (let start = 0; start < operations.length; start += 500)
    await store.batch(operations.slice(start, start + 500));
}

/** Namespaces of which each has others that differ by a character, a separator, or a level. */
function twinsOf(random: Random, count: number): string[][] {
  const all = new Map<string, string[]>();
  while (all.size < count) {
    const known = [...all.values()];
    const namespace =
      random() < 0.4 || known.length === 0 ? fresh(random) : twinOf(random, pick(random, known));
    all.set(JSON.stringify(namespace), namespace);
  }
  return [...all.values()];
}

function fresh(random: Random): string[] {
  const label = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      pick(random, random() < 0.5 ? letters : marks),
    ).join("");
  return Array.from({ length: 1 + Math.floor(random() * 3) }, label);
}

function twinOf(random: Random, namespace: readonly string[]): string[] {
  const at = Math.floor(random() * namespace.length);
  const label = namespace[at] ?? "u";
  const before = namespace.slice(0, at);
  const behind = namespace.slice(at + 1);
  const mark = pick(random, marks);
  return pick(random, [
    [...before, label + pick(random, letters), ...behind],
    [...before, label + mark, ...behind],
    [...before, mark + label, ...behind],
    [...before, label, pick(random, letters), ...behind],
    [[...namespace].join(mark)],
    [...before, label.toUpperCase(), ...behind],
    [...before, ...label],
    before.length === 0 ? [label] : before,
  ]).filter((part) => part !== "");
}

/** A namespace, what it is under, or one that is like it and perhaps not there. */
function prefixOf(random: Random, namespaces: readonly string[][]): string[] {
  const namespace = pick(random, namespaces);
  const choice = random();
  if (choice < 0.02) return [];
  if (choice < 0.6) return [...namespace];
  if (choice < 0.8) return namespace.slice(0, 1 + Math.floor(random() * namespace.length));
  return twinOf(random, namespace);
}

function optionsOf(random: Random, keyword: boolean): SearchOptions {
  const choice = random();
  const query =
    choice < 0.5 && keyword
      ? { query: `${pick(random, words)} ${pick(random, words)}`, mode: pick(random, modes) }
      : {};
  const filter = choice > 0.35 && choice < 0.65 ? { filter: { n: { $gte: Math.floor(random() * 3) } } } : {};
  return { ...query, ...filter, limit: pick(random, [5, 10, 1000]) };
}

function isUnder(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((label, index) => namespace[index] === label);
}

type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const chosen = list[Math.floor(random() * list.length)];
  if (chosen === undefined) throw new Error("nothing to pick from");
  return chosen;
}

/** The seed of this run: always the same, but for the one of the environment; `random`: another each time. */
export function seedOfRun(): number {
  const given = process.env.KEEPSAKE_SEED ?? "20261130";
  return given === "random" ? Date.now() % 1_000_000_007 : Number(given);
}
