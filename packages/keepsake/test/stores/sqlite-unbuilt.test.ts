import { expect, test, vi } from "vitest";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";

vi.mock("node:sqlite", () => {
  throw new Error("No such built-in module: node:sqlite");
});
vi.mock("better-sqlite3", () => ({
  default: class {
    constructor() {
      throw new Error("Could not locate the bindings file.");
    }
  },
}));

test("a better-sqlite3 that was installed but not built is passed over for libsql", async () => {
  const store = new SqliteStore(":memory:");
  await store.put(["n"], "k", { content: "tea" });
  expect(await store.search(["n"], { query: "tea" })).toHaveLength(1);
  await store.close();
});

test("asked for by name it is an error that says what to do", async () => {
  const store = new SqliteStore(":memory:", { driver: "better-sqlite3" });
  await expect(store.get(["n"], "k")).rejects.toMatchObject({
    code: "missing_dependency",
    message: expect.stringMatching(/`driver: "better-sqlite3"` needs better-sqlite3.*Could not locate/s),
  });
  await store.close();
});
