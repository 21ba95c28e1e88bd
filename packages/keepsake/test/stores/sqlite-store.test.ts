import { expect, test } from "vitest";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";

test.each(["better-sqlite3", "libsql"] as const)(
  "%s: a question finds the item that holds its words",
  async (driver) => {
    const store = new SqliteStore(":memory:", { driver, index: { fields: { content: 1, note: 0.5 } } });
    await store.put(["u", "1"], "a", { content: "Prefers a window seat", note: "plane" });
    await store.put(["u", "1"], "b", { content: "Allergic to peanuts", note: "window" });
    await store.put(["u", "10"], "c", { content: "window" });
    const found = await store.search(["u", "1"], { query: "Which seats at the windows?" });
    expect(found.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? Number.POSITIVE_INFINITY);
    expect(await store.listNamespaces()).toEqual([
      ["u", "1"],
      ["u", "10"],
    ]);
    await store.delete(["u", "1"], "a");
    expect((await store.search(["u"], { query: "window" })).map(({ key }) => key)).toEqual(["c", "b"]);
    await store.close();
  },
);
