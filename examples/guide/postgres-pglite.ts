// A store over another client than `pg`: PGlite, which is Postgres in this process. All it takes is a pool of connections.
import assert from "node:assert/strict";
import { PGlite } from "@electric-sql/pglite";
import { PostgresStore } from "keepsake/postgres";

// #region pglite
const database = await PGlite.create();
let last = Promise.resolve();
const pool = {
  // There is one connection, lent to one transaction at a time.
  connect: async () => {
    const before = last;
    let release = () => {};
    last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return {
      query: (sql: string, values?: unknown[]) => database.query(sql, values),
      release: () => release(),
    };
  },
};
const store = new PostgresStore({ pool });
// #endregion

const keys = ["seat", "food"];
await Promise.all(keys.map((key) => store.put(["memories", "asha"], key, { content: `about ${key}` })));
assert.deepEqual(
  (await store.search(["memories", "asha"], { query: "food" })).map(({ key }) => key),
  ["food"],
);
await store.close();
await database.close();
