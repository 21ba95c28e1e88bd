import assert from "node:assert/strict";
import type { Store } from "../../store/index.ts";
import { keysFound, type StoreContractContext, type StoreContractRow } from "./context.ts";

const ns = ["reopening", "asha"];

/** What outlives the object. */
export const reopeningRows: readonly StoreContractRow[] = [
  {
    id: "reopening/kept",
    title: "a store that is closed and opened again has everything as it was, and goes on",
    needs: "reopening",
    run: async (context) => {
      const clock = { time: 1_700_000_000_000 };
      const now = (): number => clock.time;
      const store = await context.createStore({ now });
      await store.put(ns, "k", { content: "green tea", text: "nul \0 \ud800 京 👍🏽" });
      clock.time += 5;
      await store.put(ns, "k", { content: "green tea", text: "nul \0 \ud800 京 👍🏽" });
      await store.put(["a", "b:c%_"], "'\"\\", { content: "coffee" });
      await store.put(ns, "hidden", { content: "tea" }, false);
      await store.put(ns, "gone", { content: "tea" });
      await store.delete(ns, "gone");
      const state = async (of: Store): Promise<unknown[]> => [
        await of.get(ns, "k"),
        await of.get(["a", "b:c%_"], "'\"\\"),
        await of.search([]),
        await of.listNamespaces(),
        of.capabilities.keyword ? await of.search([], { query: "green tea" }) : [],
      ];
      const before = await state(store);
      await store.close();
      const again = await reopen(context, { now });
      assert.deepEqual(await state(again), before);
      assert.equal(await again.compareAndSet(ns, "k", 2, { content: "white tea" }), 3);
      if (again.capabilities.keyword) assert.deepEqual(await keysFound(again, ns, { query: "white" }), ["k"]);
    },
  },
  {
    id: "reopening/expired-meanwhile",
    title: "what expired while the store was closed is not there any more",
    needs: "reopening",
    run: async (context) => {
      const store = await context.createStore({ now: () => 1000 });
      if (!store.capabilities.ttl) return;
      await store.put(ns, "brief", { content: "tea" }, undefined, { ttlMs: 500 });
      await store.put(ns, "kept", { content: "tea" });
      await store.close();
      const again = await reopen(context, { now: () => 1500 });
      if (again.capabilities.keyword)
        assert.deepEqual(await keysFound(again, [], { query: "tea" }), ["kept"]);
      assert.equal(await again.count([]), 1);
    },
  },
  {
    id: "reopening/other-fields",
    title: "after a change of `index.fields`, reindex makes old items be found by the new fields only",
    needs: "reopening",
    run: async (context) => {
      const store = await context.createStore({ index: { fields: ["title"] } });
      if (!store.capabilities.keyword) return;
      await store.put(ns, "usual", { title: "tea", body: "saffron" });
      await store.put(ns, "own", { title: "tea", body: "saffron" }, ["title"]);
      await store.put(ns, "none", { title: "tea", body: "saffron" }, false);
      await store.close();
      const again = await reopen(context, { index: { fields: ["body"] } });
      assert.equal(await again.reindex(), 3);
      assert.deepEqual(await keysFound(again, ns, { query: "saffron" }), ["usual"]);
      assert.deepEqual(await keysFound(again, ns, { query: "tea" }), ["own"]);
    },
  },
  {
    id: "reopening/two-at-once",
    title: "two stores on the same data see each other's writes and deletions at once",
    needs: "reopening",
    run: async (context) => {
      const one = await context.createStore();
      await one.put(ns, "first", { content: "tea" });
      const two = await reopen(context);
      for (let n = 0; n < 20; n += 1) {
        const [writer, reader] = n % 2 === 0 ? [one, two] : [two, one];
        await writer.put(ns, `k${n}`, { content: `tea unique${n}x` });
        assert.notEqual(await reader.get(ns, `k${n}`), null);
        if (reader.capabilities.keyword)
          assert.deepEqual(await keysFound(reader, ns, { query: `unique${n}x` }), [`k${n}`]);
        await reader.delete(ns, `k${n}`);
        assert.equal(await writer.get(ns, `k${n}`), null);
        assert.equal(await writer.count(ns), 1);
      }
      await Promise.all(
        Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : two).put(ns, `p${n}`, { content: "tea" })),
      );
      assert.equal(await one.count(ns), 41);
    },
  },
];

async function reopen(
  { openAgain }: StoreContractContext,
  config?: Parameters<StoreContractContext["createStore"]>[0],
): Promise<Store> {
  assert.ok(openAgain !== undefined, "a harness that is capable of reopening gives `openAgain`");
  return openAgain(config);
}
