import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { turnIndex } from "keepsake/memory";
import { SqliteStore } from "keepsake/sqlite";
import type { Store } from "keepsake/store";
import { openDriver } from "./driver.ts";
import { CliError } from "./errors.ts";

/** The file that is used where none is named. */
export const defaultDatabase = "./keepsake.db";

/** A database at work. */
export interface Database {
  readonly store: Store;
  /** Everything that is written meanwhile is kept together, or not at all. */
  atOnce<T>(work: () => Promise<T>): Promise<T>;
}

/** Works with the database that is at `path`; a file that is not there is an error, and is not made. */
export async function withExistingStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  if ((await kindOfPath(path)) === "missing") {
    throw new CliError(
      "missing_database",
      `There is no database "${path}". Name one with --db, or make one with keepsake replay.`,
    );
  }
  return withDatabase(path, ({ store }) => work(store));
}

/** Works with the database at `path`, made where it is missing. If the work fails, a file that was made for it goes again. */
export async function withNewDatabase<T>(path: string, work: (database: Database) => Promise<T>): Promise<T> {
  const isNew = (await kindOfPath(path)) === "missing";
  if (isNew) await checkFolder(path);
  try {
    return await withDatabase(path, work);
  } catch (error) {
    if (isNew) await removeDatabase(path);
    throw error;
  }
}

async function withDatabase<T>(path: string, work: (database: Database) => Promise<T>): Promise<T> {
  const driver = await openDriver(path).catch((cause: unknown) => {
    throw failed(path, cause);
  });
  const store = new SqliteStore(path, { index: turnIndex, driver });
  try {
    return await work({
      store,
      async atOnce(writing) {
        // The store sets the database up at its first call, which has a transaction of its own.
        await store.count([]);
        return driver.transaction(writing);
      },
    });
  } catch (error) {
    throw isFromDriver(error) ? failed(path, error) : error;
  } finally {
    await store.close();
    driver.close();
  }
}

/** Errors of the store are its own; what the transaction around it throws comes from SQLite as it is. */
function isFromDriver(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith("SQLITE_") || code === "ERR_SQLITE_ERROR";
}

/** The error for a database that does not open. */
export function failed(path: string, cause: unknown): CliError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CliError("invalid_database", `The database "${path}" cannot be used: ${reason}.`, { cause });
}

/** Whether a file is there; a directory is an error. */
export async function kindOfPath(path: string): Promise<"missing" | "file"> {
  const stats = await stat(path).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw failed(path, cause);
  });
  if (stats === undefined) return "missing";
  if (stats.isDirectory()) {
    throw new CliError(
      "invalid_database",
      `"${path}" is a directory; --db takes a file, such as ${path}/keepsake.db.`,
    );
  }
  return "file";
}

/** Checks that a file can be made. */
export async function checkFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory() === true) return;
  throw new CliError("invalid_database", `"${path}" cannot be made: there is no directory "${folder}".`);
}

async function removeDatabase(path: string): Promise<void> {
  await Promise.all(
    ["", "-wal", "-shm", "-journal"].map((suffix) => rm(`${path}${suffix}`, { force: true })),
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
