import assert from "node:assert/strict";
import type { StoreContractRow } from "./context.ts";

const ns = ["copies"];

/** What a store is given and gives back belongs to the caller. */
export const copyRows: readonly StoreContractRow[] = [
  {
    id: "copies/at-the-call",
    title: "what is changed right after a call, before it is awaited, does not arrive",
    run: async ({ createStore }) => {
      const store = await createStore();
      const value = { content: "tea", list: [1] };
      const namespace = [...ns];
      const writing = store.put(namespace, "k", value);
      value.content = "changed";
      value.list.push(2);
      namespace[0] = "elsewhere";
      await writing;
      assert.deepEqual((await store.get(ns, "k"))?.value, { content: "tea", list: [1] });
      const operation = { namespace: [...ns], key: "b", value: { content: "tea" } };
      const operations: unknown[] = [operation];
      const batch = store.batch(operations);
      operation.value.content = "changed";
      operation.key = "c";
      operations.length = 0;
      await batch;
      assert.deepEqual((await store.get(ns, "b"))?.value, { content: "tea" });
      const prefix = [...ns];
      const searching = store.search(prefix);
      prefix[0] = "elsewhere";
      assert.equal((await searching).length, 2);
    },
  },
  {
    id: "copies/results",
    title: "results of get, search, query, batch and listing can be changed without changing the store",
    run: async ({ createStore }) => {
      const store = await createStore();
      const value = { content: "tea", deep: { list: [{ n: 1 }] } };
      await store.put(ns, "k", value);
      const query = store.capabilities.keyword ? { query: "tea" } : {};
      for (let round = 0; round < 2; round += 1) {
        const results = [
          await store.get(ns, "k"),
          (await store.search(ns))[0],
          (await store.search(ns, query))[0],
          ...(await store.batch([{ namespace: ns, key: "k" }])),
        ];
        for (const item of results) {
          assert.ok(item, "does not hold: item");
          assert.deepEqual(item.value, value);
          assert.deepEqual(item.namespace, ns);
          assert.ok(
            item.createdAt.getTime() > 0 && item.updatedAt.getTime() > 0,
            "does not hold: item.createdAt.getTime() > 0 && item.updatedAt.getTime() > 0",
          );
          (item.value as typeof value).deep.list.push({ n: 2 });
          item.value.content = "changed";
          item.namespace.push("deeper");
          item.key = "other";
          item.createdAt.setTime(0);
          item.updatedAt.setTime(0);
        }
        const [listed] = await store.listNamespaces();
        assert.deepEqual(listed, ns);
        listed?.push("deeper");
      }
    },
  },
  {
    id: "copies/frozen",
    title: "frozen values, options and operations are taken",
    run: async ({ createStore }) => {
      const store = await createStore();
      const value = Object.freeze({ content: "tea", deep: Object.freeze({ n: 1 }) });
      await store.put(Object.freeze([...ns]), "k", value, Object.freeze(["content"]) as string[]);
      await store.batch(
        Object.freeze([Object.freeze({ namespace: Object.freeze([...ns]), key: "b", value })]),
      );
      const options = Object.freeze({ filter: Object.freeze({ content: Object.freeze({ $eq: "tea" }) }) });
      assert.equal((await store.search(Object.freeze([...ns]), options)).length, 2);
    },
  },
];
