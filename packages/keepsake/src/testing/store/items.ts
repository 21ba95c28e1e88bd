import assert from "node:assert/strict";
import type { Store } from "../../store/index.ts";
import { keysFound, rejectsWith, type StoreContractRow, tickingClock } from "./context.ts";

const ns = ["memories", "asha"];

/** Reading and writing single items. */
export const itemRows: readonly StoreContractRow[] = [
  {
    id: "items/round-trip",
    title: "what is put is got, with its place and times, and only under its namespace and key",
    run: async ({ createStore }) => {
      const store = await createStore();
      const value = { content: "tea", list: [1, { deep: null }], flag: false };
      await store.put(ns, "k", value);
      const item = await store.get(ns, "k");
      assert.deepEqual([item?.namespace, item?.key, item?.value], [ns, "k", value]);
      assert.ok(
        item?.createdAt instanceof Date && item.updatedAt instanceof Date,
        "does not hold: item?.createdAt instanceof Date && item.updatedAt instanceof Date",
      );
      assert.equal(await store.get(ns, "other"), null);
      assert.equal(await store.get(["memories"], "k"), null);
    },
  },
  {
    id: "items/overwrite",
    title: "a second put replaces the whole value and makes no second item",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(ns, "k", { content: "tea", gone: 1 });
      await store.put(ns, "k", { content: "coffee" });
      assert.deepEqual((await store.get(ns, "k"))?.value, { content: "coffee" });
      assert.equal(await store.count(ns), 1);
    },
  },
  {
    id: "items/times",
    title: "times come from the store's clock; a second put keeps createdAt and moves updatedAt",
    run: async ({ createStore }) => {
      const clock = { time: 1_700_000_000_123 };
      const store = await createStore({ now: () => clock.time });
      await store.put(ns, "k", { content: "tea" });
      clock.time += 5;
      await store.put(ns, "k", { content: "coffee" });
      const item = await store.get(ns, "k");
      assert.deepEqual(item?.createdAt, new Date(1_700_000_000_123));
      assert.deepEqual(item?.updatedAt, new Date(1_700_000_000_128));
    },
  },
  {
    id: "items/version",
    title: "the version is 1 for a new item, one more with each put, and 1 again after a deletion",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (const version of [1, 2, 3]) {
        await store.put(ns, "k", { content: "tea" });
        assert.equal((await store.get(ns, "k"))?.version, version);
        assert.equal((await store.search(ns))[0]?.version, version);
      }
      await store.delete(ns, "k");
      await store.put(ns, "k", { content: "again" });
      assert.equal((await store.get(ns, "k"))?.version, 1);
    },
  },
  {
    id: "items/delete",
    title:
      "a deleted item is gone from get, search, count and listings; deleting what is not there is no error",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(ns, "k", { content: "tea" });
      await store.delete(ns, "k");
      await store.delete(ns, "k");
      await store.delete(["never", "there"], "k");
      assert.equal(await store.get(ns, "k"), null);
      assert.deepEqual(await store.search([]), []);
      assert.equal(await store.count([]), 0);
      assert.deepEqual(await store.listNamespaces(), []);
    },
  },
  {
    id: "items/no-live-references",
    title: "values are copied on the way in and on the way out",
    run: async ({ createStore }) => {
      const store = await createStore();
      const value = { content: "tea", list: [{ n: 1 }] };
      await store.put(ns, "k", value);
      value.list.push({ n: 2 });
      const got = await store.get(ns, "k");
      assert.ok(got !== null, "does not hold: got !== null");
      got.value.content = "changed";
      got.namespace.push("changed");
      const [found] = await store.search(ns);
      assert.ok(Array.isArray(found?.value.list), "does not hold: Array.isArray(found?.value.list)");
      found.value.list.length = 0;
      const again = await store.get(ns, "k");
      assert.deepEqual(again?.value, { content: "tea", list: [{ n: 1 }] });
      assert.deepEqual(again?.namespace, ns);
    },
  },
  {
    id: "items/order-without-query",
    title: "a search without a query gives the newest first, and equal times by key in code point order",
    run: async ({ createStore }) => {
      const clock = { time: 1000 };
      const store = await createStore({ now: () => clock.time });
      for (const key of ["b", "a", "\u{1f600}", "\uff5e", "A"]) await store.put(ns, key, { n: 1 });
      clock.time = 2000;
      await store.put(ns, "new", { n: 1 });
      await store.put(["other"], "x", { n: 1 });
      assert.deepEqual(await keysFound(store, ns), ["new", "A", "a", "b", "\uff5e", "\u{1f600}"]);
      assert.equal((await store.search(ns))[0]?.score, undefined);
      assert.deepEqual(await keysFound(store, ns, { query: " \n" }), await keysFound(store, ns));
    },
  },
  {
    id: "items/limit-and-offset",
    title: "ten items by default; paging neither skips nor repeats",
    run: async ({ createStore }) => {
      const store = await createStore({ now: () => 1000 });
      await putMany(store, 25);
      assert.equal((await store.search(ns)).length, 10);
      const paged: string[] = [];
      for (let offset = 0; offset < 30; offset += 7)
        paged.push(...(await keysFound(store, ns, { limit: 7, offset })));
      assert.deepEqual(paged, await keysFound(store, ns, { limit: 100 }));
      assert.equal(new Set(paged).size, 25);
      assert.deepEqual(await store.search(ns, { limit: 0 }), []);
      assert.deepEqual(await store.search(ns, { offset: 25 }), []);
      const most = Number.MAX_SAFE_INTEGER;
      assert.equal((await store.search(ns, { limit: most })).length, 25);
      assert.deepEqual(await store.search(ns, { limit: most, offset: most }), []);
      if (store.capabilities.keyword)
        assert.equal((await store.search(ns, { query: "tea", limit: most })).length, 25);
    },
  },
  {
    id: "items/bad-options",
    title: "limits, offsets and options that make no sense are refused",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (const bad of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5" as unknown as number]) {
        await rejectsWith(store.search(ns, { limit: bad }), "invalid_input");
        await rejectsWith(store.search(ns, { offset: bad }), "invalid_input");
        await rejectsWith(store.listNamespaces({ limit: bad }), "invalid_input");
      }
      await rejectsWith(store.search(ns, { filters: { a: 1 } } as never), "invalid_input");
      await rejectsWith(store.search(ns, { query: 7 as never }), "invalid_input");
      await rejectsWith(store.search(ns, { mode: "fuzzy" as never }), "invalid_input");
      await rejectsWith(store.search(ns, { signal: {} as never }), "invalid_input");
      await rejectsWith(store.count(ns, { query: "x" } as never), "invalid_input");
      await rejectsWith(store.put(ns, "k", { a: 1 }, undefined, { ttl: 5 } as never), "invalid_input");
    },
  },
  {
    id: "items/keys",
    title: "every character is ordinary in a key, and keys that no database can keep are refused",
    run: async ({ createStore }) => {
      const store = await createStore();
      const keys = [
        "%",
        "_",
        "a%",
        "a_",
        "a",
        "A",
        "'; DROP TABLE items; --",
        '"',
        "\\",
        "/",
        "..",
        "*",
        ":",
        "__proto__",
        "\u00e9",
        "e\u0301",
        "\u{1f600}",
        " ",
        "\n",
        "\u0001",
        "x".repeat(2048),
      ];
      for (const [index, key] of keys.entries()) await store.put(ns, key, { index });
      assert.equal(await store.count(ns), keys.length);
      for (const [index, key] of keys.entries())
        assert.deepEqual((await store.get(ns, key))?.value, { index });
      for (const bad of [
        "",
        "a\0b",
        "\ud800",
        "x".repeat(10_000),
        5 as never,
        undefined as never,
        { $ne: null } as never,
      ]) {
        await rejectsWith(store.put(ns, bad, { a: 1 }), "invalid_key");
        await rejectsWith(store.get(ns, bad), "invalid_key");
        await rejectsWith(store.delete(ns, bad), "invalid_key");
      }
    },
  },
  {
    id: "items/delete-all",
    title: "deleteAll removes what is under the prefix and fits the filter, all of it, and says how much",
    run: async ({ createStore }) => {
      const store = await createStore();
      await putMany(store, 250);
      for (const twin of [["memories", "asha2"], ["memories"], ["memories", "ash"]])
        await store.put(twin, "k", { content: "keep" });
      await store.put([...ns, "deeper"], "k", { content: "tea", n: 300 });
      assert.equal(await store.deleteAll(ns, { filter: { n: { $lt: 100 } } }), 100);
      assert.equal(await store.count(ns), 151);
      assert.equal(await store.deleteAll(ns), 151);
      assert.equal(await store.deleteAll(ns), 0);
      assert.equal(await store.count([]), 3);
      await rejectsWith(store.deleteAll([]), "invalid_namespace");
      assert.equal(await store.count([]), 3);
    },
  },
  {
    id: "items/compare-and-set",
    title: "compareAndSet writes only where the version is the expected one",
    run: async ({ createStore }) => {
      const store = await createStore();
      assert.equal(await store.compareAndSet(ns, "k", 1, { n: 0 }), null);
      assert.equal(await store.compareAndSet(ns, "k", null, { n: 1 }), 1);
      assert.equal(await store.compareAndSet(ns, "k", null, { n: 2 }), null);
      assert.equal(await store.compareAndSet(ns, "k", 1, { n: 3 }), 2);
      assert.equal(await store.compareAndSet(ns, "k", 1, { n: 4 }), null);
      assert.deepEqual((await store.get(ns, "k"))?.value, { n: 3 });
      const attempts = await Promise.all(
        Array.from({ length: 10 }, (_, n) => store.compareAndSet(ns, "k", 2, { n })),
      );
      assert.equal(attempts.filter((version) => version === 3).length, 1);
    },
  },
  {
    id: "items/touch",
    title:
      "a touch changes the value of an item that exists, and neither version, updatedAt nor what finds it",
    run: async ({ createStore }) => {
      const clock = tickingClock();
      const store = await createStore({ now: clock.now });
      await store.put(ns, "k", { content: "tea" });
      const before = await store.get(ns, "k");
      await store.put(ns, "k", { content: "coffee", seen: 1 }, undefined, { touch: true });
      const after = await store.get(ns, "k");
      assert.deepEqual(after, { ...before, value: { content: "coffee", seen: 1 } });
      if (store.capabilities.keyword) assert.deepEqual(await keysFound(store, ns, { query: "tea" }), ["k"]);
      await store.put(ns, "gone", { content: "tea" }, undefined, { touch: true });
      assert.equal(await store.get(ns, "gone"), null);
    },
  },
  {
    id: "items/expiry",
    title: "an item is invisible from the moment its time is up, everywhere",
    needs: "ttl",
    run: async ({ createStore }) => {
      const clock = { time: 1000 };
      const store = await createStore({ now: () => clock.time });
      await store.put(ns, "brief", { content: "tea" }, undefined, { ttlMs: 500 });
      await store.put(["brief"], "brief", { content: "tea" }, undefined, { ttlMs: 500 });
      await store.put(ns, "kept", { content: "tea" }, undefined, { ttlMs: 500 });
      await store.put(ns, "kept", { content: "tea" });
      await store.put(ns, "renewed", { content: "tea" }, undefined, { ttlMs: 500 });
      await store.put(ns, "renewed", { content: "tea" }, undefined, { ttlMs: 900, touch: true });
      clock.time = 1499;
      assert.equal(await store.count([]), 4);
      clock.time = 1500;
      assert.equal(await store.get(ns, "brief"), null);
      assert.equal(await store.count([]), 2);
      assert.deepEqual(await store.listNamespaces(), [ns]);
      assert.deepEqual(await keysFound(store, []), ["kept", "renewed"]);
      if (store.capabilities.keyword)
        assert.deepEqual(await keysFound(store, [], { query: "tea" }), ["kept", "renewed"]);
      assert.equal(await store.compareAndSet(ns, "brief", null, { content: "new" }), 1);
      clock.time = 1900;
      assert.deepEqual(await keysFound(store, ns), ["brief", "kept"]);
      await rejectsWith(store.put(ns, "k", { a: 1 }, undefined, { ttlMs: 0 }), "invalid_input");
    },
  },
  {
    id: "items/closed",
    title: "a closed store says so; closing twice is no error",
    run: async ({ createStore }) => {
      const store = await createStore();
      const writing = store.put(ns, "k", { a: 1 });
      await store.close();
      await writing;
      await store.close();
      await rejectsWith(store.get(ns, "k"), "closed");
      await rejectsWith(store.batch([]), "closed");
    },
  },
  {
    id: "items/unused",
    title: "a store that was never used can be closed",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.close();
      await rejectsWith(store.search([]), "closed");
    },
  },
  {
    id: "items/concurrent-writes",
    title: "writes that are started together are all kept, each read back as soon as it is acknowledged",
    run: async ({ createStore }) => {
      const store = await createStore();
      await Promise.all(
        Array.from({ length: 50 }, async (_, n) => {
          await store.put(ns, `k${n}`, { n });
          assert.deepEqual((await store.get(ns, `k${n}`))?.value, { n });
        }),
      );
      assert.equal(await store.count(ns), 50);
    },
  },
  {
    id: "items/abort",
    title: "a search whose signal is aborted rejects with its reason",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(ns, "k", { content: "tea" });
      const reason = new Error("enough");
      await assert.rejects(store.search(ns, { signal: AbortSignal.abort(reason) }), reason);
      assert.equal((await store.search(ns, { signal: new AbortController().signal })).length, 1);
    },
  },
];

async function putMany(store: Store, count: number): Promise<void> {
  await store.batch(
    Array.from({ length: count }, (_, n) => ({
      namespace: ns,
      key: `k${n}`,
      value: { content: `tea ${n}`, n },
    })),
  );
}
