import assert from "node:assert/strict";
import { type ListNamespacesOptions, reservedRoot } from "../../store/index.ts";
import { places, rejectsWith, type StoreContractRow } from "./context.ts";

/** Pairs of namespaces that a careless encoding takes for one another, or for one inside the other. */
const twins: readonly (readonly [string[], string[]])[] = [
  [
    ["u", "1"],
    ["u", "10"],
  ],
  [["a", "b"], ["a:b"]],
  [
    ["a", "b:c"],
    ["a", "b", "c"],
  ],
  [["a.b"], ["a", "b"]],
  [["a/b"], ["a", "b"]],
  [["a,b"], ["a", "b"]],
  [['a","b'], ["a", "b"]],
  [['a"'], ["a"]],
  [["a\\"], ["a"]],
  [["100%"], ["1000"]],
  [["john_doe"], ["john-doe"]],
  [["*"], ["a"]],
  [["A"], ["a"]],
  [["\u00e9"], ["e\u0301"]],
  [["a "], ["a"]],
  [["\u0001"], ["\u0002"]],
  [["a'"], ["a"]],
  [["[1"], ["1"]],
  [["\u{1f600}"], ["\u{1f601}"]],
  [["__proto__"], ["constructor"]],
];

/** In the order in which they are listed. */
const listed: readonly string[][] = [
  ["a", "b"],
  ["a", "b", "c"],
  ["a", "x", "c"],
  ["b"],
  ["b", "b", "c"],
  ["\uff5e"],
  ["\u{1f600}"],
];

/** Namespaces are exact, segment by segment. */
export const namespaceRows: readonly StoreContractRow[] = [
  ...twins.map(
    ([one, other], index): StoreContractRow => ({
      id: `namespaces/twins-${index + 1}`,
      title: `${JSON.stringify(one)} and ${JSON.stringify(other)} never see each other's items`,
      run: async ({ createStore }) => {
        const store = await createStore();
        await store.put(one, "k", { content: "tea of one" });
        await store.put(other, "k", { content: "tea of the other" });
        for (const [own, content] of [
          [one, "tea of one"],
          [other, "tea of the other"],
        ] as const) {
          const options = store.capabilities.keyword ? { query: "tea" } : {};
          for (const found of [await store.search(own), await store.search(own, options)]) {
            assert.deepEqual(
              found.map(({ namespace, value }) => [namespace, value]),
              [[own, { content }]],
            );
          }
          assert.equal(await store.count(own), 1);
        }
        assert.equal(await store.deleteAll(one), 1);
        assert.deepEqual((await store.get(other, "k"))?.value, { content: "tea of the other" });
      },
    }),
  ),
  {
    id: "namespaces/prefix",
    title: "a search sees the namespace itself and all below it, and [] sees everything",
    run: async ({ createStore }) => {
      const store = await createStore();
      const all = [["a"], ["a", "b"], ["a", "b", "c"], ["a", "bc"], ["ab"], ["b", "a"]];
      for (const namespace of all) await store.put(namespace, "k", { content: "tea" });
      assert.deepEqual(places(await store.search(["a"])), [
        '["a","b","c","k"]',
        '["a","b","k"]',
        '["a","bc","k"]',
        '["a","k"]',
      ]);
      assert.deepEqual(places(await store.search(["a", "b"])), ['["a","b","c","k"]', '["a","b","k"]']);
      assert.equal((await store.search([])).length, all.length);
      assert.deepEqual(await store.search(["a", "b", "c", "d"]), []);
      assert.deepEqual(await store.search(["c"]), []);
    },
  },
  {
    id: "namespaces/invalid",
    title:
      "a namespace that is missing, empty or holds what is not a label is refused, never read as everything",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(["a"], "k", { content: "tea" });
      const bad: unknown[] = [
        undefined,
        null,
        "a",
        [""],
        ["a", ""],
        [undefined],
        [null],
        [5],
        [["a"]],
        ["a\0"],
        ["\udc00"],
        [{ $ne: "" }],
        { length: 0 },
        ["x".repeat(10_000)],
      ];
      for (const namespace of bad as string[][]) {
        await rejectsWith(store.get(namespace, "k"), "invalid_namespace");
        await rejectsWith(store.put(namespace, "k", { a: 1 }), "invalid_namespace");
        await rejectsWith(store.delete(namespace, "k"), "invalid_namespace");
        await rejectsWith(store.search(namespace), "invalid_namespace");
        await rejectsWith(store.count(namespace), "invalid_namespace");
        await rejectsWith(store.deleteAll(namespace), "invalid_namespace");
      }
      await rejectsWith(store.put([], "k", { a: 1 }), "invalid_namespace");
      await rejectsWith(store.get([], "k"), "invalid_namespace");
      assert.equal(await store.count([]), 1);
    },
  },
  {
    id: "namespaces/reserved",
    title: "what is under the reserved root is seen only by who asks for it",
    run: async ({ createStore }) => {
      const store = await createStore();
      const hidden = [reservedRoot, "history", "asha"];
      await store.put(hidden, "k", { content: "tea" });
      await store.put(["asha"], "k", { content: "tea" });
      assert.deepEqual(places(await store.search([])), ['["asha","k"]']);
      assert.equal(await store.count([]), 1);
      assert.deepEqual(await store.listNamespaces(), [["asha"]]);
      assert.deepEqual(await store.listNamespaces({ prefix: ["*"] }), [["asha"]]);
      assert.deepEqual(await store.listNamespaces({ suffix: ["asha"] }), [["asha"]]);
      if (store.capabilities.keyword) {
        assert.deepEqual(places(await store.search([], { query: "tea" })), ['["asha","k"]']);
        assert.equal((await store.search([reservedRoot], { query: "tea" })).length, 1);
      }
      assert.equal((await store.search([reservedRoot])).length, 1);
      assert.equal((await store.get(hidden, "k"))?.key, "k");
      assert.deepEqual(await store.listNamespaces({ prefix: [reservedRoot] }), [hidden]);
    },
  },
  {
    id: "namespaces/list",
    title: "listNamespaces: prefix, suffix, wildcards and depth, each namespace once",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (const namespace of listed) {
        await store.put(namespace, "1", { n: 1 });
        await store.put(namespace, "2", { n: 1 });
      }
      const all = listed.map((labels) => labels.join("/"));
      const list = async (options?: ListNamespacesOptions): Promise<string[]> =>
        (await store.listNamespaces(options)).map((labels) => labels.join("/")).sort();
      assert.deepEqual(await list(), [...all].sort());
      assert.deepEqual(await list({ prefix: ["a"] }), ["a/b", "a/b/c", "a/x/c"]);
      assert.deepEqual(await list({ prefix: ["a", "*", "c"] }), ["a/b/c", "a/x/c"]);
      assert.deepEqual(await list({ prefix: ["*", "b"] }), ["a/b", "a/b/c", "b/b/c"]);
      assert.deepEqual(await list({ suffix: ["c"] }), ["a/b/c", "a/x/c", "b/b/c"]);
      assert.deepEqual(await list({ suffix: ["b", "*"] }), ["a/b/c", "b/b/c"]);
      assert.deepEqual(await list({ prefix: ["a"], suffix: ["b", "c"] }), ["a/b/c"]);
      assert.deepEqual(await list({ suffix: ["x", "a", "b", "c"] }), []);
      assert.deepEqual(await list({ prefix: ["a"], maxDepth: 2 }), ["a/b", "a/x"]);
      assert.equal((await list({ maxDepth: 1, limit: 2, offset: 1 })).length, 2);
    },
  },
  {
    id: "namespaces/list-order",
    title: "namespaces are listed by their labels, in code point order, and in pages",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (const namespace of [...listed].reverse()) await store.put(namespace, "k", { n: 1 });
      assert.deepEqual(await store.listNamespaces(), listed);
      const pages: string[][] = [];
      for (let offset = 0; offset < listed.length; offset += 2)
        pages.push(...(await store.listNamespaces({ limit: 2, offset })));
      assert.deepEqual(pages, listed);
      assert.deepEqual(await store.listNamespaces({ maxDepth: 1, limit: 1, offset: 1 }), [["b"]]);
    },
  },
  {
    id: "namespaces/list-bad-options",
    title: "options of a listing that make no sense are refused",
    run: async ({ createStore }) => {
      const store = await createStore();
      await rejectsWith(store.listNamespaces({ maxDepth: 0 }), "invalid_input");
      await rejectsWith(store.listNamespaces({ depth: 1 } as never), "invalid_input");
      await rejectsWith(store.listNamespaces({ prefix: "a" as never }), "invalid_namespace");
    },
  },
  {
    id: "namespaces/emptied",
    title: "a namespace is listed while it holds an item, and no longer",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(["a"], "1", { n: 1 });
      await store.put(["a"], "2", { n: 1 });
      await store.delete(["a"], "1");
      assert.deepEqual(await store.listNamespaces(), [["a"]]);
      await store.delete(["a"], "2");
      assert.deepEqual(await store.listNamespaces(), []);
    },
  },
];
