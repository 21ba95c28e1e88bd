import { describe, expect, it } from "vitest";
import { deleteVersion } from "../../../src/memory/engine/delete-version.ts";
import { InMemoryStore, type Item, type Store } from "../../../src/store/index.ts";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";

const namespace = ["memories", "asha"];
const key = "a";
let time = 1_700_000_000_000;
const now = (): number => time;
const stores: [string, () => Store][] = [
  ["InMemoryStore", () => new InMemoryStore({ now })],
  ["SqliteStore", () => new SqliteStore(":memory:", { now })],
];

describe.each(stores)("deleteVersion on %s", (_, open) => {
  it("deletes the version that was read, also where the clock stands still", async () => {
    const store = open();
    expect(await deleteVersion(store, await written(store, "tea"))).toBe(true);
    expect(await store.get(namespace, key)).toBeNull();
  });

  it("leaves another version", async () => {
    const store = open();
    const read = await written(store, "tea");
    await written(store, "coffee");
    expect(await deleteVersion(store, read)).toBe(false);
    expect(await content(store)).toBe("coffee");
  });

  it("leaves what another writer makes of the version that is about to go", async () => {
    const store = open();
    const read = await written(store, "tea");
    const between = afterCompareAndSet(store, async (version) => {
      expect(await store.compareAndSet(namespace, key, version, { content: "coffee" })).not.toBeNull();
    });
    expect(await deleteVersion(between, read)).toBe(false);
    time += 5;
    expect(await content(store)).toBe("coffee");
  });

  it("leaves what another writer puts in its place", async () => {
    const store = open();
    const read = await written(store, "tea");
    const between = afterCompareAndSet(store, async () => {
      time += 5; // What was about to go has gone.
      expect(await store.compareAndSet(namespace, key, null, { content: "coffee" })).not.toBeNull();
    });
    expect(await deleteVersion(between, read)).toBe(true);
    expect(await content(store)).toBe("coffee");
  });
});

async function written(store: Store, text: string): Promise<Item> {
  await store.put(namespace, key, { content: text });
  const item = await store.get(namespace, key);
  if (item === null) throw new Error("it is not there");
  return item;
}

async function content(store: Store): Promise<unknown> {
  return (await store.get(namespace, key))?.value.content;
}

function afterCompareAndSet(store: Store, act: (version: number) => Promise<void>): Store {
  return new Proxy(store, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        const result: unknown = await Reflect.apply(value, target, args);
        if (member === "compareAndSet") await act(Number(result));
        return result;
      };
    },
  });
}
