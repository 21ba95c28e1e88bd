import assert from "node:assert/strict";
import type { SearchItem } from "../../store/index.ts";
import { hashingEmbedder } from "../hashing-embedder.ts";
import { keysFound, rejectsWith, type StoreContractRow } from "./context.ts";

const ns = ["memories", "asha"];
const dims = 4;
const quiet = { debug: () => undefined, warn: () => undefined };

/** What the texts of these rows are about, so that texts without a common word can be near to each other. */
const meanings: readonly (readonly [words: RegExp, place: number])[] = [
  [/tea|chai|drink|brew/, 0],
  [/train|rail|travel|ticket/, 1],
  [/dog|puppy|hound|pet/, 2],
];

function vectorOf(text: string): number[] {
  const vector = [0, 0, 0, 0.1];
  for (const [words, place] of meanings) vector[place] = text.match(new RegExp(words, "g"))?.length ?? 0;
  return vector;
}

const embed = async (texts: readonly string[]): Promise<number[][]> => texts.map(vectorOf);
const byMeaning = { dims, embed };

/** Search by vectors, alone and beside words. Stores take the embedder as `index.embed`. */
export const vectorRows: readonly StoreContractRow[] = [
  {
    id: "vectors/meaning",
    title: "an item without a word of the query is found by its vector, and says how near it is",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: byMeaning });
      await store.put(ns, "tea", { content: "hot tea" });
      await store.put(ns, "train", { content: "the train leaves" });
      const [best, ...rest] = await store.search(ns, { query: "brew" });
      assert.equal(best?.key, "tea");
      assert.ok(
        (best?.score ?? 0) > (rest[0]?.score ?? Number.POSITIVE_INFINITY),
        "does not hold: (best?.score ?? 0) > (rest[0]?.score ?? Number.POSITIVE_INFINITY)",
      );
      assert.ok(
        Math.abs((best?.signals?.vector ?? 0) - 1) < 0.001,
        "does not hold: Math.abs((best?.signals?.vector ?? 0) - 1) < 0.001",
      );
      assert.ok(
        (rest[0]?.signals?.vector ?? 1) < 0.2,
        "does not hold: (rest[0]?.signals?.vector ?? 1) < 0.2",
      );
    },
  },
  {
    id: "vectors/modes",
    title:
      "by keywords only words count, by vectors only cosine, in hybrid search both; every hit has all signals",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: byMeaning });
      await store.put(ns, "words", { content: "saffron rail" });
      await store.put(ns, "meaning", { content: "chai chai chai" });
      await store.put(ns, "both", { content: "saffron chai" });
      const query = "saffron tea tea";
      assert.deepEqual((await keysFound(store, ns, { query, mode: "keyword" })).sort(), ["both", "words"]);
      const byVector = await store.search(ns, { query, mode: "vector" });
      assert.deepEqual(
        byVector.map(({ key }) => key),
        ["meaning", "both", "words"],
      );
      for (const { score, signals } of byVector) {
        assert.equal(score, signals?.vector);
        assert.equal(signals?.keyword, undefined);
      }
      const hybrid = await store.search(ns, { query });
      assert.equal(hybrid[0]?.key, "both");
      assert.equal(hybrid.length, 3);
      for (const { score, signals } of hybrid) {
        assert.ok(
          typeof score === "number" && typeof signals?.vector === "number",
          'does not hold: typeof score === "number" && typeof signals?.vector === "number"',
        );
        assert.ok(typeof signals.keyword === "number", 'does not hold: typeof signals.keyword === "number"');
      }
      assert.equal(hybrid.find(({ key }) => key === "meaning")?.signals?.keyword, 0);
    },
  },
  {
    id: "vectors/no-traces",
    title:
      "what was overwritten, deleted, put without an index, or has expired, leaves no vector; a touch keeps it",
    needs: "vector",
    run: async ({ createStore }) => {
      const clock = { time: 1000 };
      const store = await createStore({ index: byMeaning, now: () => clock.time });
      const keys = ["overwritten", "deleted", "unindexed", "expired", "touched", "mass"];
      for (const key of keys) {
        const ttl = key === "expired" ? { ttlMs: 10 } : undefined;
        await store.put(ns, key, { content: "tea" }, undefined, ttl);
      }
      await store.put(ns, "overwritten", { content: "a dog" });
      await store.delete(ns, "deleted");
      await store.put(ns, "unindexed", { content: "tea" }, false);
      await store.deleteAll([...ns], { filter: { content: "never" } });
      await store.put([...ns, "mass"], "mass", { content: "tea" });
      assert.equal(await store.deleteAll([...ns, "mass"]), 1);
      if (store.capabilities.ttl) clock.time = 1010;
      else await store.delete(ns, "expired");
      await store.put(ns, "touched", { content: "tea", seen: 1 }, undefined, { touch: true });
      const near = (await store.search(ns, { query: "chai", mode: "vector", limit: 50 })).filter(
        ({ signals }) => (signals?.vector ?? 0) > 0.9,
      );
      assert.deepEqual(near.map(({ key }) => key).sort(), ["mass", "touched"]);
      assert.deepEqual(await keysFound(store, ns, { query: "puppy", mode: "vector", limit: 1 }), [
        "overwritten",
      ]);
    },
  },
  {
    id: "vectors/tenants",
    title: "neighbours, prefix twins and parents of a namespace are never found by a vector",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: byMeaning });
      const twins = [["u", "1"], ["u", "10"], ["u", "1", "x"], ["u"], ["u1"], ["v", "1"]];
      for (const namespace of twins) await store.put(namespace, "k", { content: "tea" });
      for (const mode of ["vector", "hybrid"] as const) {
        const found = await store.search(["u", "1"], { query: "chai", mode, limit: 50 });
        assert.deepEqual(found.map(({ namespace }) => namespace.join("/")).sort(), ["u/1", "u/1/x"]);
        assert.equal((await store.search([], { query: "chai", mode, limit: 50 })).length, twins.length);
      }
    },
  },
  {
    id: "vectors/filter",
    title:
      "a filter chooses before the ranking: what is far is found behind many nearer items that it leaves out",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: byMeaning });
      await store.batch([
        ...Array.from({ length: 300 }, (_, n) => ({
          namespace: ns,
          key: `near${n}`,
          value: { content: `tea ${"tea ".repeat(n % 5)}`, kind: "near" },
        })),
        { namespace: ns, key: "far", value: { content: "tea train", kind: "far" } },
        { namespace: ns, key: "farther", value: { content: "a dog", kind: "far" } },
      ]);
      for (const mode of ["vector", "hybrid"] as const) {
        const options = { query: "chai", mode, filter: { kind: "far" } };
        assert.deepEqual(await keysFound(store, ns, options), ["far", "farther"]);
      }
    },
  },
  {
    id: "vectors/pages",
    title: "pages neither skip nor repeat, and begin like longer ones",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: { dims: 32, embed: hashingEmbedder(32) }, now: () => 1000 });
      const word = (n: number): string =>
        `word${(n * n) % 17} word${n % 23} tea ${n % 3 === 0 ? "saffron" : ""}`;
      await store.batch(
        Array.from({ length: 260 }, (_, n) => ({ namespace: ns, key: `k${n}`, value: { content: word(n) } })),
      );
      for (const mode of ["vector", "hybrid"] as const) {
        const query = "saffron tea word4";
        const all = await store.search(ns, { query, mode, limit: 1000 });
        assert.equal(all.length, 260);
        assert.equal(new Set(all.map(({ key }) => key)).size, 260);
        assert.deepEqual(
          [...all].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)),
          all,
        );
        const paged: SearchItem[] = [];
        for (let offset = 0; offset < 260; offset += 37)
          paged.push(...(await store.search(ns, { query, mode, limit: 37, offset })));
        assert.deepEqual(paged, all);
      }
    },
  },
  {
    id: "vectors/many-namespaces",
    title: "a prefix over many namespaces ranks them as one",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: { dims: 32, embed: hashingEmbedder(32) } });
      const value = (n: number) => ({ content: n === 57 ? "saffron rice" : `tea number${n}` });
      const put = (n: number) => ({ namespace: ["many", `u${n}`], key: "k", value: value(n) });
      await store.batch(Array.from({ length: 150 }, (_, n) => put(n)));
      const found = await store.search(["many"], { query: "saffron rice", mode: "vector", limit: 200 });
      assert.deepEqual(found[0]?.namespace, ["many", "u57"]);
      assert.equal(found.length, 150);
    },
  },
  {
    id: "vectors/long-texts",
    title: "of a long text each part can be found",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: byMeaning });
      await store.put(ns, "long", { content: `${"tea ".repeat(2_000)}${"puppy ".repeat(100)}` });
      await store.put(ns, "short", { content: "rail rail dog" });
      const [best] = await store.search(ns, { query: "hound", mode: "vector" });
      assert.equal(best?.key, "long");
      await store.put(ns, "long", { content: "tea" });
      assert.deepEqual(await keysFound(store, ns, { query: "hound", mode: "vector", limit: 1 }), ["short"]);
    },
  },
  {
    id: "vectors/once",
    title: "an unchanged text is never embedded twice, an empty one not at all",
    needs: "vector",
    run: async ({ createStore }) => {
      const embedder = hashingEmbedder();
      const store = await createStore({ index: { embed: embedder, fields: ["content"] } });
      await store.batch([
        { namespace: ns, key: "a", value: { content: "tea" } },
        { namespace: ns, key: "b", value: { content: "tea" } },
        { namespace: ns, key: "c", value: { content: "chai" } },
        { namespace: ns, key: "d", value: { content: " " } },
        { namespace: ns, key: "e", value: { content: "not indexed" }, index: false },
      ]);
      assert.deepEqual([...embedder.embedded].sort(), ["chai", "tea"]);
      await store.put(ns, "a", { content: "tea", note: "another" });
      await store.reindex();
      await store.put(ns, "b", { content: "coffee" });
      assert.deepEqual([...embedder.embedded].sort(), ["chai", "coffee", "tea"]);
      assert.equal((await store.search(ns, { query: "tea", mode: "vector" })).length, 3);
    },
  },
  {
    id: "vectors/embedder-fails",
    title: "where the embedder fails the item is stored and found by its words; reindex makes up for it",
    needs: "vector",
    run: async ({ createStore }) => {
      let broken = true;
      const failing = async (texts: readonly string[]): Promise<number[][]> => {
        if (broken) throw Object.assign(new Error("no such key"), { status: 401 });
        return embed(texts);
      };
      const store = await createStore({ index: { dims, embed: failing }, logger: quiet });
      await store.put(ns, "tea", { content: "tea" });
      await store.batch([{ namespace: ns, key: "dog", value: { content: "a dog" } }]);
      assert.deepEqual(await keysFound(store, ns, { query: "tea" }), ["tea"]);
      await rejectsWith(store.search(ns, { query: "tea", mode: "vector" }), "embedding_failed");
      await rejectsWith(store.reindex(), "embedding_failed");
      broken = false;
      assert.deepEqual(await keysFound(store, ns, { query: "chai", mode: "vector" }), []);
      assert.equal(await store.reindex(), 2);
      assert.deepEqual(await keysFound(store, ns, { query: "chai", mode: "vector" }), ["tea", "dog"]);
    },
  },
  ...(
    [
      ["another size", () => [1, 2, 3], /3 numbers where 4 are expected/],
      ["NaN", () => [1, Number.NaN, 0, 0], /NaN as number 2 of 4/],
      ["all zero", () => [0, 0, 0, 0], /4 numbers that are all zero/],
      ["no numbers", () => "vector", /not a list of numbers/],
    ] as const
  ).map(
    ([name, vector, words]): StoreContractRow => ({
      id: `vectors/invalid-${name.replace(" ", "-")}`,
      title: `a vector of ${name} is refused with a clear error; the item is stored and found by its words`,
      needs: "vector",
      run: async ({ createStore }) => {
        let wrong = false;
        const sometimes = async (texts: readonly string[]) =>
          wrong ? (texts.map(() => vector()) as number[][]) : embed(texts);
        const store = await createStore({ index: { dims, embed: sometimes }, logger: quiet });
        await store.put(ns, "before", { content: "tea" });
        wrong = true;
        const error = await rejectsWith(store.put(ns, "k", { content: "saffron" }), "invalid_embedding");
        assert.match(error.message, words);
        const failed = await rejectsWith(
          store.batch([{ namespace: ns, key: "b", value: { content: "saffron" } }]),
          "batch_failed",
        );
        assert.match(failed.message, words);
        assert.deepEqual((await keysFound(store, ns, { query: "saffron" })).sort(), ["b", "k"]);
        await rejectsWith(store.search(ns, { query: "tea", mode: "vector" }), "invalid_embedding");
        wrong = false;
        assert.deepEqual(await keysFound(store, ns, { query: "chai", mode: "vector" }), ["before"]);
        assert.equal(await store.reindex(), 3);
        assert.equal((await store.search(ns, { query: "chai", mode: "vector" })).length, 3);
      },
    }),
  ),
  {
    id: "vectors/wrong-count",
    title: "fewer vectors than texts are refused, with both numbers",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: { dims, embed: async () => [[1, 2, 3, 4]] }, logger: quiet });
      const puts = ["a", "b"].map((key) => ({ namespace: ns, key, value: { content: key } }));
      const error = await rejectsWith(store.batch(puts), "batch_failed");
      assert.match(error.message, /1 vectors for 2 texts/);
      assert.equal(await store.count(ns), 2);
    },
  },
  {
    id: "vectors/another-model",
    title:
      "reindex moves to a model of other dims; until then its vectors are refused and words are searched",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: { embed: hashingEmbedder(16) }, logger: quiet });
      await store.batch(
        Array.from({ length: 30 }, (_, n) => ({
          namespace: ns,
          key: `k${n}`,
          value: { content: `tea ${n}` },
        })),
      );
      const next = hashingEmbedder(24);
      const progress: number[] = [];
      assert.equal(await store.reindex({ embed: next, onProgress: (done) => progress.push(done) }), 30);
      assert.equal(progress.at(-1), 30);
      assert.equal(next.embedded.filter((text) => text.startsWith("tea")).length, 30);
      assert.equal((await store.search(ns, { query: "tea 7", mode: "vector", limit: 50 })).length, 30);
      await store.put(ns, "new", { content: "tea seven" });
      assert.equal((await store.search(ns, { query: "tea 7", mode: "vector", limit: 50 })).length, 31);
      assert.equal(await store.reindex({ embed: next }), 31);
      assert.equal(next.embedded.filter((text) => text === "tea 7").length, 3);
    },
  },
  {
    id: "vectors/batch",
    title: "a search sees the vectors of what was put before it in its batch",
    needs: "vector",
    run: async ({ createStore }) => {
      const store = await createStore({ index: byMeaning });
      const results = await store.batch([
        { namespacePrefix: ns, query: "chai" },
        { namespace: ns, key: "k", value: { content: "tea" } },
        { namespacePrefix: ns, query: "chai" },
      ]);
      assert.deepEqual(results[0], []);
      assert.deepEqual(
        results[2].map(({ key }) => key),
        ["k"],
      );
    },
  },
  {
    id: "vectors/ties",
    title: "equal vectors: newest first, then by key",
    needs: "vector",
    run: async ({ createStore }) => {
      const clock = { time: 1000 };
      const store = await createStore({ index: byMeaning, now: () => clock.time });
      for (const key of ["b", "a", "c"]) await store.put(ns, key, { content: "tea" });
      clock.time = 2000;
      await store.put(ns, "z", { content: "tea" });
      assert.deepEqual(await keysFound(store, ns, { query: "chai", mode: "vector" }), ["z", "a", "b", "c"]);
      assert.deepEqual(await keysFound(store, ns, { query: "chai", mode: "vector", limit: 2, offset: 1 }), [
        "a",
        "b",
      ]);
    },
  },
];
