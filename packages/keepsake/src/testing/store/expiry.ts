import assert from "node:assert/strict";
import { keysFound, rejectsWith, type StoreContractRow } from "./context.ts";

const ns = ["expiry"];

/** Items that end by themselves. */
export const expiryRows: readonly StoreContractRow[] = [
  {
    id: "expiry/boundary",
    title: "the last millisecond still counts, the next one does not, in whichever operation comes first",
    needs: "ttl",
    run: async ({ createStore }) => {
      const clock = { time: 0 };
      const store = await createStore({ now: () => clock.time });
      const looks: readonly (() => Promise<boolean>)[] = [
        async () => (await store.get(ns, "k")) !== null,
        async () => (await store.search(ns)).length > 0,
        async () => (await store.search(ns, { filter: { n: 1 } })).length > 0,
        async () => (await store.count(ns)) > 0,
        async () => (await store.listNamespaces()).length > 0,
        async () => (await store.batch([{ namespace: ns, key: "k" }]))[0] !== null,
        async () =>
          (await store.compareAndSet(ns, "k", 1, { content: "tea", n: 1 }, { ttlMs: 100 })) !== null,
        async () => (await store.deleteAll(ns)) > 0,
        ...(store.capabilities.keyword
          ? [async () => (await store.search([], { query: "tea" })).length > 0]
          : []),
      ];
      for (const look of looks) {
        for (const [age, there] of [
          [99, true],
          [100, false],
          [101, false],
        ] as const) {
          clock.time += 1_000_000;
          await store.put(ns, "k", { content: "tea", n: 1 }, undefined, { ttlMs: 100 });
          clock.time += age;
          assert.equal(await look(), there, `${look} after ${age} ms`);
          await store.delete(ns, "k");
        }
      }
    },
  },
  {
    id: "expiry/as-if-never-there",
    title: "an expired item is replaced by a new one, not by a second version, and no touch brings it back",
    needs: "ttl",
    run: async ({ createStore }) => {
      const clock = { time: 1000 };
      const store = await createStore({ now: () => clock.time });
      for (const key of ["put", "touch", "set"])
        await store.put(ns, key, { content: "tea" }, undefined, { ttlMs: 10 });
      clock.time = 1010;
      await store.put(ns, "touch", { content: "tea" }, undefined, { touch: true });
      assert.equal(await store.get(ns, "touch"), null);
      assert.equal(await store.compareAndSet(ns, "set", 1, { content: "tea" }), null);
      await store.put(ns, "put", { content: "coffee" });
      const item = await store.get(ns, "put");
      assert.deepEqual([item?.version, item?.createdAt.getTime()], [1, 1010]);
      clock.time = 10_000;
      assert.deepEqual(await keysFound(store, ns), ["put"]);
    },
  },
  {
    id: "expiry/scores",
    title: "an expired item leaves no trace in the scores of others",
    needs: "ttl",
    run: async ({ createStore }) => {
      const clock = { time: 1000 };
      const store = await createStore({ now: () => clock.time });
      if (!store.capabilities.keyword) return;
      const scores = async (): Promise<unknown> =>
        (await store.search(ns, { query: "saffron tea" })).map(({ key, score, signals }) => [
          key,
          score,
          signals,
        ]);
      await store.put(ns, "a", { content: "saffron and tea" });
      await store.put(ns, "b", { content: "tea" });
      const before = await scores();
      for (let n = 0; n < 5; n += 1)
        await store.put(ns, `brief${n}`, { content: "saffron saffron" }, undefined, { ttlMs: 10 });
      clock.time = 1009;
      assert.notDeepEqual(await scores(), before);
      clock.time = 1010;
      assert.deepEqual(await scores(), before);
    },
  },
  {
    id: "expiry/renewed",
    title: "a put without a time limit lifts it, one with another replaces it, a touch renews or keeps it",
    needs: "ttl",
    run: async ({ createStore }) => {
      const clock = { time: 1000 };
      const store = await createStore({ now: () => clock.time });
      const value = { content: "tea" };
      for (const key of ["lifted", "shortened", "renewed", "kept"])
        await store.put(ns, key, value, undefined, { ttlMs: 100 });
      await store.put(ns, "lifted", value);
      await store.put(ns, "shortened", value, undefined, { ttlMs: 50 });
      await store.put(ns, "renewed", value, undefined, { touch: true, ttlMs: 200 });
      await store.put(ns, "kept", value, undefined, { touch: true });
      const alive = async (time: number): Promise<string[]> => {
        clock.time = time;
        return (await keysFound(store, ns)).sort();
      };
      assert.deepEqual(await alive(1049), ["kept", "lifted", "renewed", "shortened"]);
      assert.deepEqual(await alive(1050), ["kept", "lifted", "renewed"]);
      assert.deepEqual(await alive(1100), ["lifted", "renewed"]);
      assert.deepEqual(await alive(1200), ["lifted"]);
      for (const ttlMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        await rejectsWith(store.put(ns, "k", value, undefined, { ttlMs }), "invalid_input");
    },
  },
];
