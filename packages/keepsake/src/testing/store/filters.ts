import assert from "node:assert/strict";
import type { Filter, Store } from "../../store/index.ts";
import { rejectsWith, type StoreContractContext, type StoreContractRow } from "./context.ts";

const ns = ["filters"];
const values: Record<string, Record<string, unknown>> = {
  a: { n: 1, s: "apple", flag: true, nested: { deep: { n: 5 } }, list: [1, 2], empty: null },
  b: { n: 2, s: "banana", flag: false, nested: { deep: { n: 6 } }, list: [1, 2, 3] },
  c: { n: 3, s: "cherry", nested: "flat", "nested.deep.n": 7 },
  d: { n: "2", s: "" },
  e: {},
};

const cases: readonly (readonly [title: string, filter: Filter, keys: string])[] = [
  ["a plain value is equality", { n: 2 }, "b"],
  ["$eq", { s: { $eq: "apple" } }, "a"],
  ["$eq does not convert", { n: { $eq: "2" } }, "d"],
  ["$ne", { n: { $ne: 2 } }, "acd"],
  ["$ne on a missing field", { flag: { $ne: true } }, "b"],
  ["$gt", { n: { $gt: 1 } }, "bc"],
  ["$gte", { n: { $gte: 2 } }, "bc"],
  ["$lt", { n: { $lt: 2 } }, "a"],
  ["$lte", { n: { $lte: 2 } }, "ab"],
  ["strings are ordered", { s: { $gt: "apple", $lte: "cherry" } }, "bc"],
  ["numbers and strings are not ordered", { n: { $gte: "0" } }, "d"],
  ["$in", { n: { $in: [1, "2", 9] } }, "ad"],
  ["$in of nothing", { n: { $in: [] } }, ""],
  ["$nin", { n: { $nin: [1, 2] } }, "cd"],
  ["$nin on a missing field", { flag: { $nin: ["x"] } }, "ab"],
  ["several operators all apply", { n: { $gt: 1, $lt: 3, $ne: 5 } }, "b"],
  ["several fields all apply", { n: { $gte: 1 }, flag: true }, "a"],
  ["null equals null and not what is missing", { empty: null }, "a"],
  ["not null", { empty: { $ne: null } }, ""],
  ["booleans", { flag: false }, "b"],
  ["dotted path", { "nested.deep.n": 5 }, "a"],
  ["dotted path with an operator", { "nested.deep.n": { $gte: 6 } }, "bc"],
  ["a name with dots comes first", { "nested.deep.n": 7 }, "c"],
  ["path through a text", { "nested.deep": { $ne: 1 } }, "ab"],
  ["objects by content", { nested: { deep: { n: 5 } } }, "a"],
  ["an empty object is a value", { nested: {} }, ""],
  ["arrays by content", { list: [1, 2] }, "a"],
  ["element of an array", { "list.2": 3 }, "b"],
  ["length is no property of JSON", { "list.length": 2 }, ""],
  [
    "$in of arrays",
    {
      list: {
        $in: [
          [1, 2],
          [1, 2, 3],
        ],
      },
    },
    "ab",
  ],
  ["missing everywhere", { nowhere: { $ne: 1 } }, ""],
  ["prototype names", { constructor: { $ne: 1 }, toString: { $ne: 1 } }, ""],
  ["own property by the name of the prototype", JSON.parse('{"__proto__": {"$ne": 1}}'), ""],
  ["quotes and SQL in a name", { "a') OR 1=1 --": { $ne: 1 } }, ""],
  ["quotes in a value", { s: { $ne: "' OR '1'='1" } }, "abcd"],
  ["quoted path", { 'x"."y': { $ne: 1 } }, ""],
  ["no condition", {}, "abcde"],
];

const refused: readonly (readonly [title: string, filter: unknown])[] = [
  ["unknown operator", { n: { $regex: "." } }],
  ["misspelt operator", { n: { $gtt: 1 } }],
  ["operator in the place of a field", { $where: "1" }],
  ["logical operator", { $or: [{ n: 1 }] }],
  ["operators and fields mixed", { n: { $gt: 1, deep: 2 } }],
  ["$in without an array", { n: { $in: "abc" } }],
  ["$gt of an object", { n: { $gt: {} } }],
  ["$gt of null", { n: { $gt: null } }],
  ["$lt of NaN", { n: { $lt: Number.NaN } }],
  ["undefined", { n: undefined }],
  ["undefined operand", { n: { $eq: undefined } }],
  ["function", { n: () => true }],
  ["text", "n = 1"],
  ["array", [{ n: 1 }]],
  ["Map", new Map([["n", 1]])],
  ["Set", new Set(["n"])],
  ["inherited", Object.create({ n: 99 })],
];

/** Options of a deletion that may have been meant to spare something. */
const refusedDeletions: readonly unknown[] = [
  null,
  "filter",
  new Map([["filter", { n: 99 }]]),
  Object.create({ filter: { n: 99 } }),
  { filter: undefined },
  { filter: null },
];

/** Filters mean the same everywhere. */
export const filterRows: readonly StoreContractRow[] = [
  ...cases.map(
    ([title, filter, keys]): StoreContractRow => ({
      id: `filters/${slug(title)}`,
      title: `${JSON.stringify(filter)} finds ${keys === "" ? "nothing" : [...keys].join(", ")}`,
      run: async (context) => {
        const store = await filled(context);
        const found = await store.search(ns, { filter });
        assert.equal(
          found
            .map(({ key }) => key)
            .sort()
            .join(""),
          keys,
        );
        assert.equal(await store.count(ns, { filter }), keys.length);
        if (store.capabilities.keyword) {
          const ranked = await store.search(ns, { filter, query: "word" });
          assert.equal(
            ranked
              .map(({ key }) => key)
              .sort()
              .join(""),
            keys,
          );
        }
        if (keys.length < 5) {
          assert.equal(await store.deleteAll(ns, { filter }), keys.length);
          assert.equal(await store.count(ns), 5 - keys.length);
        }
      },
    }),
  ),
  {
    id: "filters/refused",
    title: "a filter that cannot be meant is refused, by every operation, and nothing is found or deleted",
    run: async (context) => {
      const store = await filled(context);
      for (const [title, filter] of refused) {
        const given = { filter: filter as Filter };
        for (const attempt of [
          () => store.search(ns, given),
          () => store.count(ns, given),
          () => store.deleteAll(ns, given),
        ]) {
          const error = await rejectsWith(attempt(), "invalid_filter");
          assert.ok(error.message.includes("filter"), title);
        }
      }
      assert.equal(await store.count(ns), 5);
    },
  },
  {
    id: "filters/deletion-options",
    title:
      "a deletion whose options are none, or whose filter is missing, is refused, and nothing is deleted",
    run: async (context) => {
      const store = await filled(context);
      for (const options of refusedDeletions) {
        await rejectsWith(store.deleteAll(ns, options as never), "invalid_filter", "invalid_input");
      }
      assert.equal(await store.count(ns), 5);
      assert.equal(await store.deleteAll(ns, {}), 5);
    },
  },
  {
    id: "filters/proto-value",
    title: "a value with a property named __proto__ keeps it, finds itself by it, and pollutes nothing",
    run: async (context) => {
      const store = await filled(context);
      await store.put(ns, "p", JSON.parse('{"__proto__": {"admin": true}, "word": 1}'));
      const found = await store.search(ns, { filter: JSON.parse('{"__proto__": {"admin": true}}') });
      assert.deepEqual(
        found.map(({ key }) => key),
        ["p"],
      );
      const value = Object.entries(found[0]?.value ?? {}).sort();
      assert.deepEqual(value, [
        ["__proto__", { admin: true }],
        ["word", 1],
      ]);
      assert.equal(({} as { admin?: unknown }).admin, undefined);
      assert.deepEqual(await store.search(ns, { filter: { admin: true } }), []);
    },
  },
  {
    id: "filters/before-limit",
    title: "limit and offset count what the filter lets through",
    run: async ({ createStore }) => {
      const store = await createStore();
      const puts = Array.from({ length: 60 }, (_, n) => ({
        namespace: ns,
        key: `k${n}`,
        value: { content: "word", even: n % 2 === 0 },
      }));
      await store.batch(puts);
      for (const query of store.capabilities.keyword ? [undefined, "word"] : [undefined]) {
        const options = { filter: { even: true }, ...(query === undefined ? {} : { query }) };
        const pages = [
          await store.search(ns, { ...options, limit: 20 }),
          await store.search(ns, { ...options, limit: 20, offset: 20 }),
        ];
        assert.deepEqual(
          pages.map((page) => page.length),
          [20, 10],
        );
        assert.equal(new Set(pages.flat().map(({ key }) => key)).size, 30);
      }
    },
  },
];

async function filled({ createStore }: StoreContractContext): Promise<Store> {
  const store = await createStore();
  for (const [key, value] of Object.entries(values)) {
    await store.put(ns, key, { ...value, text: "word" });
    await store.put(["foreign"], key, { ...value, text: "word" });
  }
  return store;
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
