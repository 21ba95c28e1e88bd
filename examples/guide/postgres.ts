// A store in Postgres, over a connection string and over the app's own pool. Without DATABASE_URL there is nothing to connect to.
import assert from "node:assert/strict";
import { PostgresStore } from "keepsake/postgres";
import pg from "pg";

async function withConnectionString(schema: string): Promise<void> {
  // #region open
  const store = new PostgresStore({
    connectionString: process.env.DATABASE_URL,
    schema,
    index: { fields: ["content"] },
  });
  await store.put(["memories", "asha"], "seat", { content: "Asha prefers a window seat" });
  const [found] = await store.search(["memories", "asha"], { query: "windows" });
  await store.close();
  // #endregion
  assert.equal(found?.key, "seat");
}

async function withPool(schema: string): Promise<void> {
  // #region pool
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
  pool.on("error", (error) => console.error(error.message));
  const store = new PostgresStore({ pool, schema });
  await store.put(["memories", "ben"], "seat", { content: "Ben prefers the aisle" });
  await store.close(); // the pool stays open
  // #endregion
  assert.deepEqual((await pool.query("SELECT 1 AS one")).rows, [{ one: 1 }]);
  await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
  await pool.end();
}

if (process.env.DATABASE_URL === undefined) {
  assert.throws(
    () => new PostgresStore({ connectionString: process.env.DATABASE_URL }),
    /environment variable/,
  );
  console.log("skipped: DATABASE_URL is not set");
} else {
  const schema = `example_${process.pid}`;
  await withConnectionString(schema);
  await withPool(schema);
}
