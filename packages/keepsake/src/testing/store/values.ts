import assert from "node:assert/strict";
import { keysFound, rejectsWith, type StoreContractRow } from "./context.ts";

const ns = ["values"];

const kept: readonly (readonly [title: string, value: Record<string, unknown>])[] = [
  ["empty", {}],
  ["unicode", { text: "héllo 世界 👩🏽‍💻 \u202e \u0000 \u001f \u2028" }],
  ["lone-surrogates", { text: "a\ud800b\udc00", "\ud800": 1 }],
  ["nul", { text: "before\0after", "\0": "\0" }],
  ["numbers", { a: 0, b: -1.5, c: 1e300, d: 5e-324, e: 9007199254740992, f: -9007199254740991 }],
  ["quotes", { text: `'"\\\`; DROP TABLE items; --`, "'\"": null }],
  ["deep", { a: { b: { c: { d: [[[[1]]]] } } } }],
  ["names", { constructor: 1, toString: 2, hasOwnProperty: 3, "": 4, "a.b": 5, $gt: 6 }],
];

/** Values come back as they were given, or are refused. */
export const valueRows: readonly StoreContractRow[] = [
  ...kept.map(
    ([title, value]): StoreContractRow => ({
      id: `values/${title}`,
      title: `a value with ${title.replaceAll("-", " ")} comes back unchanged`,
      run: async ({ createStore }) => {
        const store = await createStore();
        await store.put(ns, "k", value);
        assert.deepEqual((await store.get(ns, "k"))?.value, value);
        assert.deepEqual((await store.search(ns))[0]?.value, value);
      },
    }),
  ),
  {
    id: "values/one-megabyte",
    title: "a value of 1 MB is kept and found",
    run: async ({ createStore }) => {
      const store = await createStore();
      const content = `${"The quick brown fox jumps over the lazy dog. ".repeat(23_000)} saffron`;
      await store.put(ns, "k", { content });
      assert.equal((await store.get(ns, "k"))?.value.content, content);
      if (store.capabilities.keyword)
        assert.deepEqual(await keysFound(store, ns, { query: "saffron" }), ["k"]);
      await store.delete(ns, "k");
      if (store.capabilities.keyword) assert.deepEqual(await store.search(ns, { query: "saffron" }), []);
    },
  },
  {
    id: "values/around-nul",
    title:
      "words beside NUL, lone surrogates and control characters are found, and those characters filtered by",
    run: async ({ createStore }) => {
      const store = await createStore();
      const content = "green\0tea \ud800saffron\udc00 rice\u0001milk";
      await store.put(ns, "k", { content, "\0": "\ud800" });
      await store.put(ns, "other", { content: "something else" });
      assert.deepEqual(await keysFound(store, ns, { filter: { content } }), ["k"]);
      assert.deepEqual(await keysFound(store, ns, { filter: { "\0": { $in: ["\ud800"] } } }), ["k"]);
      assert.deepEqual(await keysFound(store, ns, { filter: { "\0": "\ufffd" } }), []);
      if (!store.capabilities.keyword) return;
      for (const query of ["green", "tea", "saffron", "rice", "milk", "tea\0saffron"])
        assert.deepEqual(await keysFound(store, ns, { query }), ["k"], query);
    },
  },
  {
    id: "values/json-forms",
    title: "dates become ISO texts and undefined properties are left out, as in JSON",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(ns, "k", { at: new Date(0), gone: undefined, list: [undefined, 1] });
      assert.deepEqual((await store.get(ns, "k"))?.value, {
        at: "1970-01-01T00:00:00.000Z",
        list: [null, 1],
      });
    },
  },
  {
    id: "values/refused",
    title: "a value that JSON would lose or change is refused, and nothing is written",
    run: async ({ createStore }) => {
      const store = await createStore();
      const cyclic: Record<string, unknown> = { a: {} };
      cyclic.a = { back: cyclic };
      let deep: unknown = 1;
      for (let level = 0; level < 10_000; level += 1) deep = [deep];
      const bad: unknown[] = [
        null,
        undefined,
        5,
        "text",
        [1],
        new Map(),
        () => 1,
        cyclic,
        { deep },
        { n: Number.NaN },
        { n: Number.POSITIVE_INFINITY },
        { n: 5n },
        { f: () => 1 },
        { s: Symbol("s") },
        { m: new Map([[1, 2]]) },
        { p: Promise.resolve() },
        { b: new Uint8Array(2) },
      ];
      for (const value of bad as Record<string, unknown>[]) {
        await rejectsWith(store.put(ns, "k", value), "invalid_value");
        await rejectsWith(store.compareAndSet(ns, "k", null, value), "invalid_value");
      }
      assert.equal(await store.count([]), 0);
    },
  },
];
