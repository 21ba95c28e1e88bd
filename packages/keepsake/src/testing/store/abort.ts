import assert from "node:assert/strict";
import type { Store } from "../../store/index.ts";
import { keysFound, rejectsWith, type StoreContractContext, type StoreContractRow } from "./context.ts";

const ns = ["abort"];
const count = 1200;

/** Abort signals end waiting, and leave nothing half done. */
export const abortRows: readonly StoreContractRow[] = [
  {
    id: "abort/before",
    title: "a search or reindex whose signal is already aborted rejects with its reason",
    run: async (context) => {
      const store = await filled(context);
      const reason = new Error("enough");
      const signal = AbortSignal.abort(reason);
      await assert.rejects(store.search(ns, { signal }), reason);
      await assert.rejects(store.search(ns, { filter: { n: 1 }, signal }), reason);
      if (store.capabilities.keyword)
        await assert.rejects(store.search(ns, { query: "tea", signal }), reason);
      await assert.rejects(store.reindex({ signal }), reason);
      assert.equal(await store.count(ns), count);
    },
  },
  {
    id: "abort/during",
    title: "a signal that is aborted while a search runs ends it with the reason, or comes too late",
    run: async (context) => {
      const store = await filled(context);
      for (let n = 0; n < 10; n += 1) {
        const controller = new AbortController();
        const reason = new Error("enough");
        const options = { limit: count, signal: controller.signal };
        const searching = store.search(
          ns,
          store.capabilities.keyword ? { ...options, query: "tea" } : options,
        );
        for (let pause = 0; pause < n; pause += 1) await Promise.resolve();
        controller.abort(reason);
        const result = await searching.catch((error: unknown) => error);
        assert.ok(
          result === reason || (Array.isArray(result) && result.length === count),
          "does not hold: result === reason || (Array.isArray(result) && result.length === count)",
        );
      }
      assert.equal((await store.search(ns, { limit: count + 1 })).length, count);
    },
  },
  {
    id: "abort/reindex",
    title: "a reindex that is aborted on its way leaves a store that finds everything, and can be run again",
    needs: "keyword",
    run: async (context) => {
      const store = await filled(context);
      const controller = new AbortController();
      const reason = new Error("enough");
      const seen: number[] = [];
      const onProgress = (done: number, total: number): void => {
        assert.ok(done <= total, "does not hold: done <= total");
        seen.push(done);
        controller.abort(reason);
      };
      const result = await store
        .reindex({ onProgress, signal: controller.signal })
        .catch((error: unknown) => error);
      assert.ok(
        result === reason || result === count,
        "does not hold: result === reason || result === count",
      );
      assert.ok(seen.length > 0, "does not hold: seen.length > 0");
      assert.equal((await keysFound(store, ns, { query: "tea", limit: count + 1 })).length, count);
      assert.equal(await store.reindex(), count);
      assert.deepEqual(await keysFound(store, ns, { query: "number77" }), ["k77"]);
    },
  },
  {
    id: "abort/one-of-a-batch",
    title: "a signal on one search of a batch leaves that search out, with its reason, and the writes alone",
    run: async ({ createStore }) => {
      const store = await createStore();
      const reason = new Error("enough");
      const failure = await rejectsWith(
        store.batch([
          { namespace: ns, key: "k", value: { n: 1 } },
          { namespacePrefix: ns, signal: AbortSignal.abort(reason) },
          { namespace: ns, key: "l", value: { n: 2 } },
        ]),
        "batch_failed",
      );
      assert.deepEqual(failure.data.errors, [{ index: 1, error: reason }]);
      assert.equal(await store.count(ns), 2);
    },
  },
];

async function filled({ createStore }: StoreContractContext): Promise<Store> {
  const store = await createStore();
  await store.batch(
    Array.from({ length: count }, (_, n) => ({
      namespace: ns,
      key: `k${n}`,
      value: { content: `tea number${n}`, n },
    })),
  );
  return store;
}
