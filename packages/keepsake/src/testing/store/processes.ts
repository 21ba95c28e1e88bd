import assert from "node:assert/strict";
import type { Store } from "../../store/index.ts";
import { keysFound, type StoreContractContext, type StoreContractRow } from "./context.ts";
import { type ContractJob, type ContractProcess, increment } from "./jobs.ts";

const ns = ["processes"];
const write = (name: string, count: number, batch = 1): ContractJob => ({
  kind: "write",
  namespace: [...ns, name],
  count,
  batch,
});

/** Several processes on one store, some of them killed. */
export const processRows: readonly StoreContractRow[] = [
  {
    id: "processes/writers",
    title: "two processes that create the store and write at the same time, and this one: nothing is lost",
    needs: "processes",
    run: async (context) => {
      const store = await context.createStore();
      const writers = [await start(context, write("one", 150)), await start(context, write("two", 150))];
      for (const writer of writers) writer.go();
      for (let n = 0; n < 50; n += 1) await store.put([...ns, "here"], `k${n}`, { content: `tea word${n}` });
      for (const writer of writers) await writer.done();
      assert.equal(await store.count([...ns, "one"]), 150);
      assert.equal(await store.count(ns), 350);
      await consistent(store, 350);
    },
  },
  {
    id: "processes/compare-and-set",
    title: "two processes and this one count together by compare-and-set: no increment is lost",
    needs: "processes",
    run: async (context) => {
      const store = await context.createStore();
      const job: ContractJob = { kind: "increment", namespace: ns, key: "counter", count: 40 };
      const others = [await start(context, job), await start(context, job)];
      for (const other of others) other.go();
      for (let n = 0; n < 40; n += 1) await increment(store, ns, "counter");
      for (const other of others) await other.done();
      const item = await store.get(ns, "counter");
      assert.deepEqual([item?.value, item?.version], [{ n: 120 }, 120]);
    },
  },
  {
    id: "processes/seen-at-once",
    title: "what another process has acknowledged is seen here at once, by key, listing and query",
    needs: "processes",
    run: async (context) => {
      const store = await context.createStore();
      assert.equal(await store.count([]), 0);
      const other = await start(context, write("other", 30));
      other.go();
      for (let seen = await other.steps(1); seen < 30; seen = await other.steps(seen + 1)) {
        const last = `k${seen - 1}`;
        assert.notEqual(await store.get([...ns, "other"], last), null, last);
        if (store.capabilities.keyword)
          assert.deepEqual(await keysFound(store, ns, { query: `word${seen - 1}` }), [last]);
      }
      await other.done();
      assert.deepEqual(await store.listNamespaces(), [[...ns, "other"]]);
    },
  },
  {
    id: "processes/killed",
    title: "a process killed while it writes loses nothing that it acknowledged, and nothing needs repair",
    needs: "processes",
    run: async (context) => {
      const store = await context.createStore();
      const writer = await start(context, write("killed", 1_000_000));
      writer.go();
      await writer.steps(30);
      const acknowledged = await writer.kill();
      const count = await store.count(ns);
      assert.ok(count >= acknowledged, `${acknowledged} writes were acknowledged, ${count} are there`);
      await consistent(store, count);
      await store.put(ns, "after", { content: "saffron" });
      if (store.capabilities.keyword)
        assert.deepEqual(await keysFound(store, ns, { query: "saffron" }), ["after"]);
    },
  },
  {
    id: "processes/killed-batch",
    title: "a batch of a process that is killed is there as a whole, or not at all",
    needs: "processes",
    run: async (context) => {
      const store = await context.createStore();
      if (!store.capabilities.atomicBatch) return;
      const writer = await start(context, write("batches", 1_000_000, 40));
      writer.go();
      await writer.steps(5);
      const acknowledged = await writer.kill();
      const count = await store.count(ns);
      assert.equal(count % 40, 0);
      assert.ok(count >= acknowledged * 40, "does not hold: count >= acknowledged * 40");
      await consistent(store, count);
    },
  },
];

async function start({ startProcess }: StoreContractContext, job: ContractJob): Promise<ContractProcess> {
  assert.ok(startProcess !== undefined, "a harness that is capable of processes gives `startProcess`");
  return startProcess(job);
}

/** What searches find is exactly what is there. */
async function consistent(store: Store, count: number): Promise<void> {
  const all = await store.search(ns, { limit: count + 1 });
  assert.equal(all.length, count);
  if (!store.capabilities.keyword) return;
  assert.equal((await store.search(ns, { query: "tea", limit: count + 1 })).length, count);
  for (const { namespace, key, value } of all.slice(0, 40)) {
    const [, word = ""] = String(value.content).split(" ");
    assert.deepEqual(await keysFound(store, namespace, { query: word }), [key]);
  }
}
