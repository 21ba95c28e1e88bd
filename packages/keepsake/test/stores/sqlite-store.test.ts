import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { drivers } from "./drivers.ts";
import { slowDriver } from "./own-drivers.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const ns = ["n"];
const usable = drivers.filter(({ missing }) => missing === undefined).map(({ name }) => name);

test("what was written is there after closing, with every driver that reads the file", async () => {
  const path = join(folder, "reopened.db");
  for (const [index, driver] of usable.entries()) {
    const store = new SqliteStore(path, { driver });
    await store.put(ns, driver, { content: `written by ${driver} tea` });
    expect(await store.search(ns, { query: "tea" })).toHaveLength(index + 1);
    await store.close();
  }
});

test("without `driver` the first that can be loaded is used", async () => {
  const store = new SqliteStore(":memory:");
  await store.put(ns, "k", { content: "tea" });
  expect(await store.search(ns, { query: "tea" })).toHaveLength(1);
  await store.close();
});

test("nothing is opened before the first use", async () => {
  const store = new SqliteStore(join(folder, "no such folder", "a.db"));
  await store.close();
});

test("an asynchronous driver: transactions do not mix, and the driver stays the app's", async () => {
  const driver = slowDriver(":memory:");
  const store = new SqliteStore(":memory:", { driver });
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      if (n % 5 === 4) {
        await expect(
          store.batch([{ namespace: ns, key: `bad${n}`, value: { n } }, { namespace: [] }]),
        ).rejects.toMatchObject({
          code: "batch_failed",
        });
      } else {
        await store.put(ns, `k${n}`, { content: `tea ${n}` });
        expect((await store.search(ns, { query: `${n}` })).map(({ key }) => key)).toEqual([`k${n}`]);
      }
    }),
  );
  expect(await store.count(ns)).toBe(20);
  await store.close();
  expect(driver.closed).toBe(0);
});

test("two stores on one file in one process wait for each other", async () => {
  const path = join(folder, "twice.db");
  const stores = [
    new SqliteStore(path, { driver: "libsql" }),
    new SqliteStore(path, { driver: "libsql" }),
    new SqliteStore(path, { driver: slowDriver(path) }),
  ];
  await Promise.all(
    stores.flatMap((store, which) =>
      Array.from({ length: 30 }, (_, n) => store.put(ns, `${which}-${n}`, { content: "tea" })),
    ),
  );
  for (const store of stores) expect(await store.count(ns)).toBe(90);
  for (const store of stores) await store.close();
});

test("a lock that is never released is reported after ten seconds", async () => {
  const path = join(folder, "locked.db");
  const store = new SqliteStore(path, { driver: "libsql" });
  await store.put(ns, "k", { a: 1 });
  const holder = slowDriver(path);
  await holder.exec("BEGIN IMMEDIATE");
  const now = Date.now();
  const clock = vi.spyOn(Date, "now");
  clock
    .mockReturnValueOnce(now)
    .mockReturnValueOnce(now + 9_000)
    .mockReturnValue(now + 11_000);
  await expect(store.put(ns, "k", { a: 2 })).rejects.toMatchObject({
    code: "database_failed",
    message: expect.stringContaining("stays locked by another connection"),
  });
  clock.mockRestore();
  await holder.exec("ROLLBACK");
  await store.put(ns, "k", { a: 3 });
  expect((await store.get(ns, "k"))?.value).toEqual({ a: 3 });
  await holder.close();
  await store.close();
});

test("the error of a driver that fails in the middle of a transaction arrives, and nothing is written", async () => {
  const driver = slowDriver(":memory:");
  const { run } = driver;
  const store = new SqliteStore(":memory:", { driver });
  await store.put(ns, "before", { content: "tea" });
  driver.run = async (sql, parameters) => {
    if (sql.includes("INSERT INTO keepsake_terms (rowid")) throw new Error("cable pulled");
    return run(sql, parameters);
  };
  await expect(store.put(ns, "k", { content: "tea" })).rejects.toMatchObject({
    code: "database_failed",
    message: expect.stringContaining("cable pulled"),
  });
  driver.run = run;
  expect(await store.get(ns, "k")).toBeNull();
  expect(await store.search(ns, { query: "tea" })).toHaveLength(1);
});

test("a search reads only the items that can still reach the page", async () => {
  const driver = slowDriver(":memory:");
  const { all } = driver;
  let read = 0;
  driver.all = async (sql, parameters) => {
    const rows = await all(sql, parameters);
    if (sql.includes("keepsake_documents d")) read += rows.length;
    return rows;
  };
  const store = new SqliteStore(":memory:", { driver });
  const content = (n: number): string =>
    `tea ${n % 100 === 0 ? "saffron" : "milk"} ${"filler ".repeat(n % 7)}`;
  await store.batch(
    Array.from({ length: 2000 }, (_, n) => ({ namespace: ns, key: `k${n}`, value: { content: content(n) } })),
  );
  const found = await store.search(ns, { query: "saffron tea", limit: 5 });
  expect(found.every(({ value }) => String(value.content).includes("saffron"))).toBe(true);
  expect(read).toBeLessThan(300);
  expect(await store.search(ns, { query: "saffron tea", limit: 3000 })).toHaveLength(2000);
});
