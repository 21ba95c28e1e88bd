import { join } from "node:path";
import { SqliteStore } from "keepsake/sqlite";
import { expect, test } from "vitest";
import { type CliDriver, openDriver } from "../src/driver.ts";
import { folder } from "./support/cli.ts";

interface Opened {
  readonly driver: CliDriver;
  readonly store: SqliteStore;
}

async function opened(path: string): Promise<Opened> {
  const driver = await openDriver(path);
  const store = new SqliteStore(path, { driver });
  await store.count([]);
  return { driver, store };
}

test("what the store writes within a transaction is kept together", async () => {
  const path = join(await folder(), "a.db");
  const { driver, store } = await opened(path);
  const other = await opened(path);
  await driver.transaction(async () => {
    await store.put(["a"], "1", { content: "one" });
    await store.put(["a"], "2", { content: "two" });
    expect(await store.count(["a"])).toBe(2);
    expect(await other.store.count(["a"])).toBe(0);
  });
  expect(await other.store.count(["a"])).toBe(2);
  driver.close();
  other.driver.close();
});

test("or not at all, its index included; the store works on", async () => {
  const { driver, store } = await opened(join(await folder(), "a.db"));
  await store.put(["a"], "1", { content: "before" });
  const failing = driver.transaction(async () => {
    await store.put(["a"], "1", { content: "changed" });
    await store.put(["b"], "2", { content: "new" });
    throw new Error("halfway");
  });
  await expect(failing).rejects.toThrow("halfway");
  expect(await store.search(["a"], { query: "changed" })).toEqual([]);
  expect(await store.listNamespaces()).toEqual([["a"]]);
  await store.put(["b"], "2", { content: "later" });
  expect(await store.search(["b"], { query: "later" })).toHaveLength(1);
  driver.close();
});

test("a write of the store that fails within takes only itself back", async () => {
  const { driver, store } = await opened(join(await folder(), "a.db"));
  await driver.transaction(async () => {
    await store.put(["a"], "1", { content: "one" });
    const failing = store.batch([
      { namespace: ["a"], key: "2", value: { content: "two" } },
      { namespace: [], key: "3", value: {} },
    ]);
    await expect(failing).rejects.toThrow();
    await store.put(["a"], "4", { content: "four" });
  });
  expect(await store.count(["a"])).toBe(3);
  driver.close();
});
