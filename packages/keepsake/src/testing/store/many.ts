import assert from "node:assert/strict";
import type { SearchOptions, Store } from "../../store/index.ts";
import { keysFound, type StoreContractRow } from "./context.ts";

const ns = ["many"];
const count = 10_000;

/** Namespaces with ten thousand items, and texts that make a careless analyser slow. */
export const manyRows: readonly StoreContractRow[] = [
  {
    id: "many/pages",
    title: "10 000 items of one moment: pages neither skip nor repeat, with and without filter and query",
    run: async ({ createStore }) => {
      const store = await createStore({ now: () => 1000 });
      await fill(store);
      assert.equal(await store.count(ns), count);
      assert.equal(await pagedDistinct(store, {}), count);
      assert.equal(await pagedDistinct(store, { filter: { even: true } }), count / 2);
      if (store.capabilities.keyword) {
        assert.equal(await pagedDistinct(store, { query: "tea" }), count);
        assert.equal(await pagedDistinct(store, { query: "tea", filter: { even: true } }), count / 2);
      }
      assert.deepEqual(await store.search(ns, { offset: count }), []);
      assert.equal((await store.search(ns, { limit: count * 2 })).length, count);
    },
  },
  {
    id: "many/needle",
    title: "one of 10 000 is found by its word, and gone everywhere once it is deleted",
    run: async ({ createStore }) => {
      const store = await createStore();
      await fill(store);
      const word = { query: "word7777" };
      if (store.capabilities.keyword) assert.deepEqual(await keysFound(store, ns, word), ["k7777"]);
      await store.delete(ns, "k7777");
      assert.equal(await store.count(ns), count - 1);
      assert.deepEqual(await store.search(ns, { filter: { n: 7777 } }), []);
      if (store.capabilities.keyword) assert.deepEqual(await store.search(ns, word), []);
      assert.equal(await store.deleteAll(ns, { filter: { even: true } }), count / 2);
      assert.equal(await store.deleteAll(ns), count / 2 - 1);
      assert.deepEqual(await store.search(ns), []);
    },
  },
  {
    id: "many/linear-analysis",
    title: "writing a text of eight times the length takes in proportion, whatever it is made of",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (const [name, part] of heavyTexts) {
        const short = part.repeat(Math.ceil(32_000 / part.length));
        const ratios: number[] = [];
        // Another program may have had the machine: what is slow by itself is slow each time.
        do ratios.push((await fastest(store, short.repeat(8))) / (await fastest(store, short)));
        while (ratios.length < 4 && Math.min(...ratios) > 40);
        assert.ok(
          Math.min(...ratios) <= 40,
          `${name}: eight times the text takes ${ratios.join(", ")} times as long`,
        );
      }
    },
  },
];

/** Quadratic work would take 64 times as long for eight times the text; linear work takes 8 times. */
const heavyTexts: readonly (readonly [name: string, part: string])[] = [
  ["words", "the quick brown fox jumped over lazy dogs "],
  ["one word", "a"],
  ["accents", "e\u0301\u0302\u0303"],
  ["Chinese", "我住在北京"],
  ["emoji", "👩‍👩‍👧"],
  ["flags", "🇵🇹"],
  ["an identifier", "a-b_c.d/e:f#g@"],
  ["apostrophes", "a'"],
  ["white space", " \n"],
  ["NUL", "\0"],
  ["lone surrogates", "\ud800"],
  ["digits", "1.2,3"],
];

/** Milliseconds of the fastest of some writes; at least 10, below which caches and other programs decide. */
async function fastest(store: Store, content: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    await store.put(ns, "heavy", { content });
    best = Math.min(best, performance.now() - start);
  }
  return Math.max(best, 10);
}

async function fill(store: Store): Promise<void> {
  for (let start = 0; start < count; start += 1000) {
    await store.batch(
      Array.from({ length: 1000 }, (_, index) => {
        const n = start + index;
        return { namespace: ns, key: `k${n}`, value: { content: `tea word${n}`, n, even: n % 2 === 0 } };
      }),
    );
  }
}

async function pagedDistinct(store: Store, options: SearchOptions): Promise<number> {
  const seen = new Set<string>();
  let total = 0;
  for (let offset = 0; ; offset += 1499) {
    const keys = await keysFound(store, ns, { ...options, limit: 1499, offset });
    for (const key of keys) seen.add(key);
    total += keys.length;
    if (keys.length < 1499) break;
  }
  assert.equal(total, seen.size, "a page repeats an item of another");
  return total;
}
