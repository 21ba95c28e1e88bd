import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite/vector";
import pg from "pg";
import { afterAll } from "vitest";
import type { PostgresPool } from "../../src/stores/postgres/index.ts";

/** The server to test with; `npm run test:postgres` brings one. */
export const databaseUrl: string | undefined = process.env.DATABASE_URL || undefined;
/** The same server through a pooler in transaction mode. */
export const poolerUrl: string | undefined = process.env.DATABASE_POOLER_URL || undefined;
/** For the names of tests that need a server. */
export const withoutServer: string =
  databaseUrl === undefined ? " (skipped: DATABASE_URL is not set; npm run test:postgres sets it)" : "";
/** For the names of tests that need a pooler. */
export const withoutPooler: string =
  poolerUrl === undefined ? " (skipped: DATABASE_POOLER_URL is not set; npm run test:postgres sets it)" : "";

/** A pool over one PGlite, whose single connection is lent to one at a time. */
function poolOver(database: PGlite): PostgresPool {
  let last: Promise<void> = Promise.resolve();
  return {
    connect: async () => {
      const before = last;
      let free = (): void => undefined;
      last = new Promise((resolve) => {
        free = resolve;
      });
      await before;
      return { query: (text, values) => database.query(text, values), release: () => free() };
    },
  };
}

/** A database to run tests in, closed when the tests of the file have ended. */
export interface TestDatabase {
  readonly name: string;
  readonly pool: PostgresPool;
  /** `undefined` where nobody else can connect. */
  readonly url: string | undefined;
  /** Runs one statement beside the store. */
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** Postgres in this process: with pgvector, or without. */
export async function embedded({ pgvector }: { pgvector: boolean }): Promise<TestDatabase> {
  const database = await PGlite.create(pgvector ? { extensions: { vector } } : {});
  afterAll(() => database.close());
  const pool = poolOver(database);
  return { name: pgvector ? "PGlite with pgvector" : "PGlite", pool, url: undefined, query: queryOver(pool) };
}

/** A real server. */
export function server(url: string, name = "a server"): TestDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on("error", () => undefined);
  afterAll(() => pool.end());
  return { name, pool, url, query: queryOver(pool) };
}

function queryOver(pool: PostgresPool): TestDatabase["query"] {
  return async (sql, values) => {
    const client = await pool.connect();
    try {
      return (await client.query(sql, values)).rows as Record<string, unknown>[];
    } finally {
      client.release();
    }
  };
}

let schemas = 0;
/** A name that no other test uses. */
export function freshSchema(): string {
  schemas += 1;
  return `test_${process.pid}_${schemas}_${Math.random().toString(36).slice(2, 8)}`;
}

/** Empties the tables of a store; false where there are none. */
export async function emptySchema(query: TestDatabase["query"], schema: string): Promise<boolean> {
  const found = await query("SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'keepsake_meta'", [
    schema,
  ]);
  if (found.length === 0) return false;
  const tables = ["namespaces", "items", "documents", "vectors"].map(
    (name) => `"${schema}".keepsake_${name}`,
  );
  await query(`TRUNCATE ${tables.join(", ")}`);
  await query(`DELETE FROM "${schema}".keepsake_meta WHERE name = 'index'`);
  const indexes = await query(
    "SELECT indexname FROM pg_indexes WHERE schemaname = $1 AND indexdef LIKE '%hnsw%'",
    [schema],
  );
  for (const { indexname } of indexes) await query(`DROP INDEX "${schema}"."${String(indexname)}"`);
  return true;
}

/** The same database, used as a role that is no superuser. */
export async function asOrdinaryRole({ name, pool, url, query }: TestDatabase): Promise<TestDatabase> {
  const role = `app_${freshSchema()}`;
  await query(`CREATE ROLE "${role}"`);
  const [row] = await query("SELECT quote_ident(current_database()) AS name");
  await query(`GRANT CREATE ON DATABASE ${String(row?.name)} TO "${role}"`);
  const ordinary: PostgresPool = {
    connect: async () => {
      const client = await pool.connect();
      await client.query(`SET ROLE "${role}"`);
      const { release } = client;
      return Object.assign(Object.create(client), {
        query: (text: string, values?: unknown[]) => client.query(text, values),
        release: (destroy?: Error | boolean) => {
          if (destroy) release.call(client, destroy);
          else client.query("RESET ROLE").then(() => release.call(client), release.bind(client));
        },
      });
    },
  };
  return { name: `${name}, an ordinary role`, pool: ordinary, url, query: queryOver(ordinary) };
}
