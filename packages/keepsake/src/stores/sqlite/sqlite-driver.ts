import type { Awaitable } from "../../util/index.ts";

/**
 * What a SQLite store needs of a driver: four methods, synchronous or not. Over a synchronous driver each transaction runs without a pause.
 * Parameters are strings, numbers, null and, for BLOBs, Uint8Arrays; rows are objects by column name, with a Uint8Array (a Buffer is one) for
 * each BLOB.
 */
export interface SqliteDriver {
  /** One or more statements without parameters and rows. */
  exec(sql: string): Awaitable<void>;
  /** One statement without rows. */
  run(sql: string, parameters: readonly unknown[]): Awaitable<{ changes: number }>;
  /** One statement with rows. */
  all(sql: string, parameters: readonly unknown[]): Awaitable<Record<string, unknown>[]>;
  close(): Awaitable<void>;
}

/** The drivers that keepsake knows by name. */
export type SqliteDriverName = "node:sqlite" | "better-sqlite3" | "libsql";

/** The slice of their `Database` classes that is called. */
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

interface Statement {
  run(...parameters: unknown[]): { changes: number | bigint };
  all(...parameters: unknown[]): unknown[];
}

/** A class such as better-sqlite3's `Database` or node:sqlite's `DatabaseSync`. */
export type DatabaseClass = new (path: string) => Database;

/** A driver over one of these classes. Statements are prepared once: there is a fixed number of them. */
export function driverOver(DatabaseOf: DatabaseClass, path: string): SqliteDriver {
  const database = new DatabaseOf(path);
  const prepared = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => {
      database.exec(sql);
    },
    run: (sql, parameters) => ({ changes: Number(prepare(sql).run(...parameters).changes) }),
    all: (sql, parameters) => prepare(sql).all(...parameters) as Record<string, unknown>[],
    close: () => {
      prepared.clear();
      database.close();
    },
  };
}
