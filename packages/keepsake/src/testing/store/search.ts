import assert from "node:assert/strict";
import type { SearchItem, Store } from "../../store/index.ts";
import { keysFound, rejectsWith, type StoreContractContext, type StoreContractRow } from "./context.ts";

const ns = ["memories", "asha"];

/** A text, and queries that must find it. */
const findable: readonly (readonly [text: string, queries: readonly string[]])[] = [
  ["She booked the flights yesterday", ["booking", "flight", "FLIGHTS", "book"]],
  ["Café Zürich, naïve Ångström", ["cafe zurich", "CAFÉ", "angstrom", "nai\u0308ve"]],
  ["Straße", ["strasse"]],
  ["我住在北京", ["北京", "京", "住在北京", "我"]],
  ["田中さんに会った", ["田中", "田"]],
  ["カメラが好き", ["ｶﾒﾗ", "カメラ"]],
  ["서울에서 만나요", ["서울"]],
  ["ภาษาไทย", ["ไทย"]],
  ["что-то новое про ёлку", ["елку", "новое"]],
  ["השלום", ["השלום"]],
  ["great 👍🏽 news", ["👍", "👍🏽"]],
  ["going to 🇵🇹", ["🇵🇹"]],
  ["family 👩‍👩‍👧", ["👩‍👩‍👧"]],
  ["call me at user.name+x@example.com", ["example.com", "user.name"]],
  ["the code is QX7-88", ["QX7-88", "qx7", "88", "qx7-88?"]],
  ["see https://example.com/docs/store_types.ts#L10", ["store_types.ts", "example.com", "types", "docs"]],
  ["ticket #4711 for @asha in C#", ["#4711", "4711", "@asha", "c#"]],
  ["at 10:30 on 2026-05-07 for 3.14", ["10:30", "2026-05-07", "2026", "3.14"]],
  ["Asha's don't-care list", ["asha", "don't", "dont"]],
  ["ﬁne ① ２０２６", ["fine", "1", "2026"]],
  [`hash ${"a1".repeat(200)}`, ["a1".repeat(200)]],
];

/** Queries in the languages of others; each must be taken as words. */
const hostile: readonly string[] = [
  '"',
  '""',
  "'",
  "*",
  "tea*",
  "te*",
  "NEAR(tea coffee)",
  "tea AND",
  "AND",
  "OR",
  "NOT tea",
  "tea OR 1=1",
  "content:tea",
  "^tea",
  "(",
  ")",
  "{tea}",
  "-tea",
  "+tea",
  "tea\0",
  "\ud800",
  "%",
  "_",
  "\\",
  "; DROP TABLE items; --",
  "tea|0|1",
  '"tea" *',
  "$where",
  "[object Object]",
  "\u202etea",
  "a".repeat(100_000),
  "tea ".repeat(20_000),
];

/** Search by words. */
export const searchRows: readonly StoreContractRow[] = [
  ...findable.map(
    ([text, queries], index): StoreContractRow => ({
      id: `search/finds-${index + 1}`,
      title: `${JSON.stringify(text.slice(0, 40))} is found by ${queries.map((query) => JSON.stringify(query.slice(0, 20))).join(", ")}`,
      needs: "keyword",
      run: async ({ createStore }) => {
        const store = await createStore();
        await store.put(ns, "it", { content: text });
        await store.put(ns, "other", { content: "something else entirely" });
        for (const query of queries) assert.deepEqual(await keysFound(store, ns, { query }), ["it"], query);
      },
    }),
  ),
  {
    id: "search/best-first",
    title: "rare words weigh more, several words more than one, and short texts more than long ones",
    needs: "keyword",
    run: async (context) => {
      const store = await withTexts(context, {
        one: "tea",
        two: "tea and saffron",
        long: `tea ${"and many other words ".repeat(30)}`,
        none: "coffee",
      });
      const found = await store.search(ns, { query: "saffron tea" });
      assert.deepEqual(
        found.map(({ key }) => key),
        ["two", "one", "long"],
      );
      for (const { score, signals } of found) {
        assert.ok(score !== undefined && score > 0, "does not hold: score !== undefined && score > 0");
        assert.ok(
          signals?.keyword !== undefined && signals.keyword > 0 && signals.keyword <= 1,
          "does not hold: signals?.keyword !== undefined && signals.keyword > 0 && signals.keyword <= 1",
        );
      }
      assert.deepEqual(
        [...found].sort((a, b) => (b.score ?? 0) - (a.score ?? 0)),
        found,
      );
    },
  },
  {
    id: "search/repeated-words",
    title: "a word that is said more often counts more, however often",
    needs: "keyword",
    run: async (context) => {
      const counts = [1, 2, 3, 5, 9, 50, 1000];
      const filler = (count: number): string => "milk ".repeat(1000 - count);
      const store = await withTexts(
        context,
        Object.fromEntries(counts.map((count) => [`k${count}`, "tea ".repeat(count) + filler(count)])),
      );
      const expected = counts.map((count) => `k${count}`).reverse();
      assert.deepEqual(await keysFound(store, ns, { query: "tea" }), expected);
      assert.deepEqual(await keysFound(store, ns, { query: "tea", limit: 1 }), ["k1000"]);
    },
  },
  {
    id: "search/share",
    title:
      "signals.keyword is 1 where an item says what the query says, and less where it says only part of it",
    needs: "keyword",
    run: async (context) => {
      const store = await withTexts(context, {
        whole: "green tea with saffron",
        part: "green paint",
        none: "coffee",
      });
      const [whole, part] = await store.search(ns, { query: "green tea with saffron" });
      assert.equal(whole?.key, "whole");
      assert.ok((whole?.signals?.keyword ?? 0) > 0.8, "does not hold: (whole?.signals?.keyword ?? 0) > 0.8");
      assert.ok((part?.signals?.keyword ?? 1) < 0.5, "does not hold: (part?.signals?.keyword ?? 1) < 0.5");
      const [unknown] = await store.search(ns, { query: "green zebra umbrella" });
      assert.ok(
        (unknown?.signals?.keyword ?? 1) < (whole?.signals?.keyword ?? 0) / 2,
        "does not hold: (unknown?.signals?.keyword ?? 1) < (whole?.signals?.keyword ?? 0) / 2",
      );
    },
  },
  {
    id: "search/nothing-found",
    title: "a query that nothing answers, or that has no words, finds nothing",
    needs: "keyword",
    run: async (context) => {
      const store = await withTexts(context, { a: "tea" });
      for (const query of ["coffee", "!?", "...", "\0", "\ud800"])
        assert.deepEqual(await store.search(ns, { query }), [], query);
    },
  },
  {
    id: "search/hostile-queries",
    title: "a query is words, never a query language: nothing is an error, and nothing foreign is found",
    needs: "keyword",
    run: async (context) => {
      const store = await withTexts(context, { a: "tea" });
      await store.put(["other"], "foreign", {
        content: "tea AND OR NOT NEAR where object drop table items a",
      });
      for (const query of hostile) {
        for (const { namespace } of await store.search(ns, { query })) assert.deepEqual(namespace, ns, query);
      }
      for (const query of ["tea*", "NOT tea", "-tea", "content:tea", "tea\0", "(tea", '"tea']) {
        assert.deepEqual(await keysFound(store, ns, { query }), ["a"], query);
      }
      assert.deepEqual(await keysFound(store, ns, { query: "te*" }), []);
    },
  },
  {
    id: "search/own-statistics",
    title: "what other namespaces hold never changes a score",
    needs: "keyword",
    run: async (context) => {
      const store = await withTexts(context, { a: "tea and saffron", b: "tea", c: "coffee" });
      const before = scores(await store.search(ns, { query: "saffron tea" }));
      for (let n = 0; n < 30; n += 1) {
        await store.put(["memories", "asha2"], `k${n}`, {
          content: `saffron saffron tea ${"word ".repeat(n)}`,
        });
        await store.put(["memories"], `k${n}`, { content: "saffron" });
      }
      assert.deepEqual(scores(await store.search(ns, { query: "saffron tea" })), before);
      assert.notDeepEqual(scores(await store.search(["memories"], { query: "saffron tea" })), before);
    },
  },
  {
    id: "search/no-traces",
    title: "overwritten and deleted texts are not found, and leave no trace in the scores",
    needs: "keyword",
    run: async (context) => {
      const store = await withTexts(context, { a: "tea and saffron", b: "tea" });
      const before = scores(await store.search(ns, { query: "saffron tea" }));
      await store.put(ns, "gone", { content: "saffron saffron" });
      await store.put(ns, "b", { content: "saffron rice" });
      await store.put(ns, "b", { content: "tea" });
      await store.delete(ns, "gone");
      assert.deepEqual(scores(await store.search(ns, { query: "saffron tea" })), before);
      assert.deepEqual(await store.search(ns, { query: "rice" }), []);
      await store.put(ns, "gone", { content: "plain" }, false);
      assert.deepEqual(
        await store.search(ns, { query: "plain saffron" }).then((found) => found.map(({ key }) => key)),
        ["a"],
      );
    },
  },
  {
    id: "search/read-your-writes",
    title: "what was just written is found, what was just deleted is not",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (let n = 0; n < 20; n += 1) {
        await store.put(ns, `k${n}`, { content: `unique${n}x` });
        assert.deepEqual(await keysFound(store, ns, { query: `unique${n}x` }), [`k${n}`]);
        if (n % 2 === 0) await store.delete(ns, `k${n}`);
        assert.equal((await store.search(ns, { query: `unique${n}x` })).length, n % 2);
      }
    },
  },
  {
    id: "search/pasted-page",
    title: "a whole text as the query finds itself, also over many namespaces",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore();
      const text = (page: number): string =>
        Array.from({ length: 2000 }, (_, n) => (n % 3 === 0 ? `own${page}x${n}` : `shared${n}`)).join(" ");
      await store.batch(
        Array.from({ length: 12 }, (_, n) => ({
          namespace: ["pages", `p${n}`],
          key: "k",
          value: { content: text(n + 1) },
        })),
      );
      for (const prefix of [["pages", "p4"], ["pages"], []]) {
        const [best] = await store.search(prefix, { query: text(5) });
        assert.deepEqual(best?.namespace, ["pages", "p4"]);
      }
    },
  },
  {
    id: "search/ties",
    title: "equal scores: newest first, then by key; pages neither skip nor repeat",
    needs: "keyword",
    run: async ({ createStore }) => {
      const clock = { time: 1000 };
      const store = await createStore({ now: () => clock.time });
      for (const key of ["b", "a", "d", "c"]) await store.put(ns, key, { content: "tea" });
      clock.time = 2000;
      await store.put(ns, "z", { content: "tea" });
      await store.put(ns, "better", { content: "tea tea tea" });
      const expected = ["better", "z", "a", "b", "c", "d"];
      assert.deepEqual(await keysFound(store, ns, { query: "tea" }), expected);
      const paged: string[] = [];
      for (let offset = 0; offset < 6; offset += 1)
        paged.push(...(await keysFound(store, ns, { query: "tea", limit: 1, offset })));
      assert.deepEqual(paged, expected);
    },
  },
  {
    id: "search/many-candidates",
    title: "the best are found among many that have only the common words of the query",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore();
      const text = (n: number): string =>
        `tea ${n % 3 === 0 ? "green " : ""}${n % 100 === 7 ? "saffron " : ""}${"filler ".repeat(n % 11)}`;
      await store.batch(
        Array.from({ length: 1500 }, (_, n) => ({
          namespace: ns,
          key: `k${n}`,
          value: { content: text(n) },
        })),
      );
      const found = await store.search(ns, { query: "green saffron tea", limit: 20 });
      const all = await store.search(ns, { query: "green saffron tea", limit: 2000 });
      assert.equal(all.length, 1500);
      assert.deepEqual(scores(found), scores(all).slice(0, 20));
      assert.ok(
        found.slice(0, 5).every(({ value }) => String(value.content).includes("saffron")),
        'does not hold: found.slice(0, 5).every(({ value }) => String(value.content).includes("saffron"))',
      );
    },
  },
  {
    id: "search/many-namespaces",
    title: "a prefix over many namespaces ranks them as one",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore();
      const put = (root: string, n: number) => ({
        namespace: [root, `u${n}`],
        key: "k",
        value: { content: n === 57 ? "saffron tea" : "tea" },
      });
      await store.batch(Array.from({ length: 150 }, (_, n) => put("many", n)));
      await store.batch(Array.from({ length: 40 }, (_, n) => put("few", n + 30)));
      const other = await createStore();
      await other.batch(
        Array.from({ length: 150 }, (_, n) => ({ ...put("many", n), namespace: ["one"], key: `u${n}` })),
      );
      const [best, ...rest] = await store.search(["many"], { query: "saffron tea", limit: 200 });
      assert.deepEqual(best?.namespace, ["many", "u57"]);
      assert.equal(rest.length, 149);
      assert.ok(
        rest.every(({ namespace }) => namespace[0] === "many"),
        'does not hold: rest.every(({ namespace }) => namespace[0] === "many")',
      );
      assert.equal(best?.score, (await other.search([], { query: "saffron tea" }))[0]?.score);
      assert.equal((await store.search([], { query: "tea", limit: 500 })).length, 190);
      assert.equal((await store.search(["few"], { query: "tea", limit: 500 })).length, 40);
    },
  },
  {
    id: "search/fields",
    title: "only the fields of the index are searched, each with its weight",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore({ index: { fields: { title: 2, "body.text": 1, near: 0.3 } } });
      await store.put(ns, "title", { title: "tea", body: { text: "x" } });
      await store.put(ns, "body", { title: "x", body: { text: "tea" } });
      await store.put(ns, "near", { near: "tea", title: "x", "body.text": "x" });
      await store.put(ns, "elsewhere", { note: "tea", body: { other: "tea" } });
      assert.deepEqual(await keysFound(store, ns, { query: "tea" }), ["title", "body", "near"]);
    },
  },
  {
    id: "search/index-of-one-item",
    title: "`index` of a put: false is not found by a query, a list names the fields",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore({ index: { fields: ["content"] } });
      await store.put(ns, "none", { content: "tea", note: "tea" }, false);
      await store.put(ns, "note", { content: "tea", note: "saffron" }, ["note"]);
      await store.put(ns, "usual", { content: "tea", note: "saffron" });
      assert.deepEqual(await keysFound(store, ns, { query: "tea" }), ["usual"]);
      assert.deepEqual(await keysFound(store, ns, { query: "saffron" }), ["note"]);
      assert.equal((await store.search(ns)).length, 3);
      assert.equal(await store.reindex(), 3);
      assert.deepEqual(await keysFound(store, ns, { query: "saffron tea" }).then((keys) => keys.sort()), [
        "note",
        "usual",
      ]);
      await rejectsWith(store.put(ns, "k", { a: 1 }, "content" as never), "invalid_input");
      await rejectsWith(store.put(ns, "k", { a: 1 }, [5] as never), "invalid_input");
    },
  },
  {
    id: "search/whole-value",
    title:
      "by default every text and number of a value is searched, however deep, and property names are not",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(ns, "k", { a: { b: ["tea", { c: 4711 }] }, label: true });
      for (const query of ["tea", "4711"]) assert.deepEqual(await keysFound(store, ns, { query }), ["k"]);
      for (const query of ["label", "true", "a"]) assert.deepEqual(await keysFound(store, ns, { query }), []);
    },
  },
  {
    id: "search/compare-and-set",
    title: "compareAndSet indexes only the paths that it is told to, and nothing with `index: false`",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore();
      const value = { content: "likes tea", note: "from the kitchen" };
      await store.compareAndSet(ns, "paths", null, value, { index: ["content"] });
      await store.compareAndSet(ns, "never", null, value, { index: false });
      assert.deepEqual(await keysFound(store, ns, { query: "tea" }), ["paths"]);
      assert.deepEqual(await keysFound(store, ns, { query: "kitchen" }), []);
      assert.deepEqual((await store.get(ns, "never"))?.value, value);
    },
  },
  {
    id: "search/vector-mode",
    title: "a mode that the store cannot do is refused",
    run: async ({ createStore }) => {
      const store = await createStore();
      if (!store.capabilities.vector)
        await rejectsWith(store.search(ns, { query: "tea", mode: "vector" }), "unsupported");
      if (store.capabilities.keyword) await store.search(ns, { query: "tea", mode: "keyword" });
    },
  },
];

async function withTexts(
  { createStore }: StoreContractContext,
  texts: Record<string, string>,
): Promise<Store> {
  const store = await createStore({ now: () => 1000 });
  for (const [key, content] of Object.entries(texts)) await store.put(ns, key, { content });
  return store;
}

function scores(found: readonly SearchItem[]): unknown[] {
  return found.map(({ key, score, signals }) => [key, score, signals]);
}
