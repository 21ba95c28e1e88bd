import Database from "libsql";
import type { SqliteDriver } from "../../src/stores/sqlite/index.ts";

/** A driver as an app could bring it, over libsql, which loads on every Node. */
function driverOf(database: InstanceType<typeof Database>): SqliteDriver {
  return {
    exec: (sql) => {
      database.exec(sql);
    },
    run: (sql, parameters) => ({ changes: database.prepare(sql).run(...parameters).changes }),
    all: (sql, parameters) => database.prepare(sql).all(...parameters) as Record<string, unknown>[],
    close: () => {
      database.close();
    },
  };
}

/** A database in memory that holds only so many pages of 4 kB. */
export function limitedDriver(pages: number): SqliteDriver {
  const database = new Database(":memory:");
  database.pragma(`max_page_count = ${pages}`);
  return driverOf(database);
}

/** A driver that may only read. */
export function readOnlyDriver(path: string): SqliteDriver {
  const database = new Database(path);
  database.pragma("query_only = ON");
  return driverOf(database);
}

/** A driver whose every method takes a while, as one over a network does. Counts how often it was closed. */
export function slowDriver(path: string): SqliteDriver & { closed: number } {
  const inner = driverOf(new Database(path));
  const later = () => new Promise<void>((resolve) => setImmediate(resolve));
  const driver = {
    closed: 0,
    exec: async (sql: string) => {
      await later();
      await inner.exec(sql);
    },
    run: async (sql: string, parameters: readonly unknown[]) => {
      await later();
      return inner.run(sql, parameters);
    },
    all: async (sql: string, parameters: readonly unknown[]) => {
      await later();
      return inner.all(sql, parameters);
    },
    close: async () => {
      driver.closed += 1;
      await inner.close();
    },
  };
  return driver;
}
