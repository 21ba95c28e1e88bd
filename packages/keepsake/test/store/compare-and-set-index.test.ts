import { expect, it } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";

const namespace = ["m", "asha"];
const value = { content: "likes tea", note: "from the kitchen" };

async function finds(store: InMemoryStore, query: string): Promise<boolean> {
  return (await store.search(namespace, { query })).length > 0;
}

it("compareAndSet indexes only the paths that it is told to", async () => {
  const store = new InMemoryStore();
  await store.compareAndSet(namespace, "k", null, value, { index: ["content"] });
  expect([await finds(store, "tea"), await finds(store, "kitchen")]).toEqual([true, false]);
});

it("compareAndSet with `index: false` keeps an item from being found by a query", async () => {
  const store = new InMemoryStore();
  await store.compareAndSet(namespace, "k", null, value, { index: false, ttlMs: 60_000 });
  expect(await finds(store, "tea")).toBe(false);
  expect(await store.get(namespace, "k")).toMatchObject({ value });
});
