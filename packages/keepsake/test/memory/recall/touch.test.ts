import { describe, expect, it } from "vitest";
import { recall } from "../../../src/memory/recall/recall.ts";
import type { InMemoryStore } from "../../../src/store/index.ts";
import { keywordStore, namespace, now, settings, vectorStore } from "./harness.ts";

const touching = { ...settings, touchOnRecall: true };
const accessed = new Date(now).toISOString();

async function filled(store: InMemoryStore): Promise<InMemoryStore> {
  for (const key of ["a", "b", "c"]) await store.put(namespace, key, { content: `seat ${key}` });
  return store;
}

describe("last_accessed", () => {
  it("is written for what was recalled and for nothing else, and changes nothing else", async () => {
    const store = await filled(vectorStore());
    const before = await store.search(namespace, { query: "seat" });
    const matches = await recall(store, touching, "seat", namespace, { limit: 2 });
    const keys = matches.map(({ record }) => record.key);
    for (const old of before) {
      const item = await store.get(namespace, old.key);
      const value = keys.includes(old.key) ? { ...old.value, last_accessed: accessed } : old.value;
      const { score: _score, signals: _signals, ...rest } = old;
      expect(item).toEqual({ ...rest, value });
    }
    expect((await store.search(namespace, { query: "seat" })).map(({ signals }) => signals)).toEqual(
      before.map(({ signals }) => signals),
    );
  });

  it.each([
    ["the engine's config", settings, {}],
    ["an option", touching, { touch: false }],
  ])("is not written where %s says so", async (_, chosen, options) => {
    const store = await filled(keywordStore());
    await recall(store, chosen, "seat", namespace, options);
    const items = await store.search(namespace);
    expect(items.map(({ value }) => value.last_accessed)).toEqual([undefined, undefined, undefined]);
  });

  it("is written where an option says so", async () => {
    const store = await filled(keywordStore());
    await recall(store, settings, "seat", namespace, { touch: true });
    expect((await store.get(namespace, "a"))?.value.last_accessed).toBe(accessed);
  });

  it("never undoes a change that was made meanwhile, nor brings back what is gone", async () => {
    const store = await filled(keywordStore());
    const search = store.search.bind(store);
    store.search = async (...asked) => {
      const found = await search(...asked);
      await store.put(namespace, "a", { content: "seat changed" });
      await store.delete(namespace, "b");
      return found;
    };
    expect(await recall(store, touching, "seat", namespace)).toHaveLength(3);
    expect((await store.get(namespace, "a"))?.value).toEqual({ content: "seat changed" });
    expect(await store.get(namespace, "b")).toBeNull();
    expect((await store.get(namespace, "c"))?.value.last_accessed).toBe(accessed);
  });

  it("is not worth an error: what cannot be written is logged once", async () => {
    const store = await filled(keywordStore());
    store.batch = async () => Promise.reject(new Error("read-only"));
    store.compareAndSet = async () => Promise.reject(new Error("read-only"));
    const warnings: unknown[][] = [];
    const logger = { debug: () => undefined, warn: (...words: unknown[]) => void warnings.push(words) };
    expect(await recall(store, { ...touching, logger }, "seat", namespace)).toHaveLength(3);
    expect(warnings).toEqual([[expect.stringContaining("last_accessed"), new Error("read-only")]]);
  });
});
