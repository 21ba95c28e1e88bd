import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { turnIndex } from "keepsake/memory";
import { SqliteStore } from "keepsake/sqlite";
import type { Store } from "keepsake/store";
import { CliError } from "./errors.ts";

/** Works with the database that is at `path`; a file that is not there is an error, and is not made. */
export async function withExistingStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  if ((await kindOfPath(path)) === "missing") {
    throw new CliError(
      "missing_database",
      `There is no database "${path}". Name one with --db, or make one with keepsake replay.`,
    );
  }
  return withStore(path, work);
}

/** Works with the database at `path`, made where it is missing. If the work fails, a file that was made for it goes again. */
export async function withNewStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const isNew = (await kindOfPath(path)) === "missing";
  if (isNew) await checkFolder(path);
  try {
    return await withStore(path, work);
  } catch (error) {
    if (isNew) await removeDatabase(path);
    throw error;
  }
}

async function withStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = new SqliteStore(path, { index: turnIndex });
  let result: T;
  try {
    result = await work(store);
  } catch (error) {
    // The error of the work is the one to show, not what closing may say after it.
    await store.close().catch(() => {});
    throw error;
  }
  await store.close();
  return result;
}

async function kindOfPath(path: string): Promise<"missing" | "file"> {
  const stats = await stat(path).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw new CliError("invalid_database", `"${path}" cannot be opened as a database (${codeOf(cause)}).`, {
      cause,
    });
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

async function checkFolder(path: string): Promise<void> {
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
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
