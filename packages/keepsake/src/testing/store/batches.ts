import assert from "node:assert/strict";
import { KeepsakeError } from "../../errors/index.ts";
import { rejectsWith, type StoreContractRow } from "./context.ts";

const ns = ["batch"];

/** LangGraph's untagged operations. */
export const batchRows: readonly StoreContractRow[] = [
  {
    id: "batches/kinds",
    title: "operations are told apart by their properties, and results stand in their places",
    run: async ({ createStore }) => {
      const store = await createStore({ now: () => 1000 });
      const results = await store.batch([
        { namespace: ns, key: "a", value: { n: 1 } },
        { namespace: ns, key: "b", value: { n: 2 }, index: false },
        { namespace: ns, key: "a" },
        { namespacePrefix: ["batch"], filter: { n: { $gt: 1 } }, limit: 5, offset: 0 },
        { matchConditions: [{ matchType: "prefix", path: ["batch"] }], maxDepth: 1, limit: 10, offset: 0 },
        { limit: 10, offset: 0 },
        { namespace: ns, key: "a", value: null },
        { namespace: ns, key: "a" },
      ]);
      assert.equal(results.length, 8);
      const [put, hidden, got, found, listed, listedAll, deleted, gone] = results;
      for (const nothing of [put, hidden, deleted]) assert.equal(nothing ?? undefined, undefined);
      assert.deepEqual(got?.value, { n: 1 });
      assert.deepEqual(
        found.map(({ key }) => key),
        ["b"],
      );
      assert.deepEqual(listed, [["batch"]]);
      assert.deepEqual(listedAll, [["batch"]]);
      assert.equal(gone, null);
      assert.deepEqual(await store.batch([]), []);
    },
  },
  {
    id: "batches/order",
    title: "an operation sees those before it and not those after it",
    run: async ({ createStore }) => {
      const store = await createStore();
      const [before, , first, , second] = await store.batch([
        { namespace: ns, key: "k" },
        { namespace: ns, key: "k", value: { n: 1 } },
        { namespace: ns, key: "k" },
        { namespace: ns, key: "k", value: { n: 2 } },
        { namespace: ns, key: "k" },
      ]);
      assert.equal(before, null);
      assert.deepEqual(first?.value, { n: 1 });
      assert.deepEqual(second?.value, { n: 2 });
    },
  },
  {
    id: "batches/kinds-in-order",
    title: "searches, queries and listings of a batch see the puts and deletions before them, and no others",
    run: async ({ createStore }) => {
      const store = await createStore();
      const { keyword } = store.capabilities;
      const look = [
        { namespacePrefix: ns, limit: 10, offset: 0 },
        { namespacePrefix: ns, filter: { content: "tea" }, limit: 10, offset: 0 },
        ...(keyword ? [{ namespacePrefix: ns, query: "tea", limit: 10, offset: 0 }] : []),
        { matchConditions: [{ matchType: "prefix", path: ns }], limit: 10, offset: 0 },
      ];
      const put = { namespace: ns, key: "k", value: { content: "tea" } };
      const results = await store.batch([...look, put, ...look, { ...put, value: null }, ...look, put]);
      const lengths = results.map((result: unknown) => (Array.isArray(result) ? result.length : "write"));
      const each = (length: number): number[] => look.map(() => length);
      assert.deepEqual(
        lengths.filter((length: unknown) => length !== "write"),
        [...each(0), ...each(1), ...each(0)],
      );
      assert.equal(await store.count(ns), 1);
    },
  },
  {
    id: "batches/large",
    title: "a batch of 2000 puts and gets keeps its order",
    run: async ({ createStore }) => {
      const store = await createStore();
      const operations = Array.from({ length: 2000 }, (_, n) =>
        n % 2 === 0
          ? { namespace: ns, key: `k${n % 7}`, value: { n } }
          : { namespace: ns, key: `k${(n - 1) % 7}` },
      );
      const results = (await store.batch(operations)) as ({ value: { n: number } } | undefined)[];
      for (let n = 1; n < 2000; n += 2) assert.equal(results[n]?.value.n, n - 1);
    },
  },
  {
    id: "batches/conditions",
    title: "match conditions of both types and with wildcards all apply",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (const namespace of [
        ["a", "x", "c"],
        ["a", "y", "c"],
        ["b", "x", "c"],
        ["a", "x"],
      ])
        await store.put(namespace, "k", { n: 1 });
      const [listed] = await store.batch([
        {
          matchConditions: [
            { matchType: "prefix", path: ["a", "*"] },
            { matchType: "suffix", path: ["x", "c"] },
          ],
          limit: 10,
          offset: 0,
        },
      ]);
      assert.deepEqual(listed, [["a", "x", "c"]]);
    },
  },
  {
    id: "batches/partial-failure",
    title: "every valid operation is carried out, then the batch rejects and says which failed",
    run: async ({ createStore }) => {
      const store = await createStore();
      const error = await rejectsWith(
        store.batch([
          { namespace: ns, key: "a", value: { n: 1 } },
          { namespace: [], key: "b", value: { n: 1 } },
          { namespace: ns, key: "c", value: { n: Number.NaN } },
          { namespace: ns, key: "d", value: undefined },
          { nonsense: true },
          null,
          { namespacePrefix: ns, filter: { n: { $no: 1 } } },
          { namespace: ns, key: "e", value: { n: 5 } },
          { namespace: ns, key: "a" },
        ]),
        "batch_failed",
      );
      assert.equal(await store.count(ns), 2);
      const { results, errors } = error.data as {
        results: unknown[];
        errors: { index: number; error: unknown }[];
      };
      assert.equal(results.length, 9);
      assert.deepEqual((results[8] as { value: unknown }).value, { n: 1 });
      assert.deepEqual(
        errors.map(({ index, error: cause }) => [
          index,
          KeepsakeError.isInstance(cause) ? cause.code : cause,
        ]),
        [
          [1, "invalid_namespace"],
          [2, "invalid_value"],
          [3, "invalid_value"],
          [4, "invalid_input"],
          [5, "invalid_input"],
          [6, "invalid_filter"],
        ],
      );
    },
  },
  {
    id: "batches/no-array",
    title: "what is not an array is refused",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (const bad of [undefined, null, {}, "x"])
        await rejectsWith(store.batch(bad as never), "invalid_input");
    },
  },
];
