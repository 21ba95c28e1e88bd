import type { SqliteDriver } from "keepsake/sqlite";

/** A driver with a transaction around those of the store. */
export interface CliDriver extends SqliteDriver {
  exec(sql: string): void;
  close(): void;
  /** Everything that the store writes meanwhile is kept together, or not at all. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/** The slice of the two database classes that is called. */
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

interface Statement {
  run(...parameters: unknown[]): { changes: number | bigint };
  all(...parameters: unknown[]): unknown[];
}

type DatabaseClass = new (path: string) => Database;

/** How long to wait for another program that writes. */
const patienceMs = 10_000;
const savepoint = "keepsake_cli";

/** What a transaction's statements become inside another. */
const nested: ReadonlyMap<string, string> = new Map([
  ["BEGIN", `SAVEPOINT ${savepoint}`],
  ["BEGIN IMMEDIATE", `SAVEPOINT ${savepoint}`],
  ["COMMIT", `RELEASE ${savepoint}`],
  ["ROLLBACK", `ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`],
]);

/**
 * Opens a database with `node:sqlite`, or with libsql where Node has none. The command imports libsql itself: under package managers that keep
 * packages apart, the library would not find it.
 */
export async function openDriver(path: string): Promise<CliDriver> {
  const DatabaseOf = await databaseClass();
  return driverOver(new DatabaseOf(path));
}

async function databaseClass(): Promise<DatabaseClass> {
  try {
    const { DatabaseSync } = await import("node:sqlite");
    return DatabaseSync as DatabaseClass;
  } catch {
    const { default: LibsqlDatabase } = await import("libsql");
    return LibsqlDatabase as DatabaseClass;
  }
}

function driverOver(database: Database): CliDriver {
  const prepared = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  let isInside = false;
  return {
    exec(sql) {
      database.exec((isInside ? nested.get(sql) : undefined) ?? sql);
    },
    run: (sql, parameters) => ({ changes: Number(prepare(sql).run(...parameters).changes) }),
    all: (sql, parameters) => prepare(sql).all(...parameters) as Record<string, unknown>[],
    close() {
      database.close();
    },
    async transaction(work) {
      database.exec(`PRAGMA busy_timeout = ${patienceMs}; BEGIN IMMEDIATE`);
      isInside = true;
      try {
        const result = await work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        rollBack(database);
        throw error;
      } finally {
        isInside = false;
      }
    },
  };
}

function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // After some failures, such as a full disk, SQLite has rolled back by itself.
  }
}
