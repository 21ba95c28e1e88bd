import { KeepsakeError } from "../../errors/index.ts";
import { isRecord } from "../../util/index.ts";

/** SQLite's primary result codes, and what to say of them. */
const explanations: ReadonlyMap<string, string> = new Map([
  ["BUSY", "stays locked by another connection; is there a long transaction in another program?"],
  ["LOCKED", "stays locked by another connection; is there a long transaction in another program?"],
  [
    "READONLY",
    "cannot be written; check the permissions of the file and of its folder, where SQLite keeps its -wal and -shm files",
  ],
  ["CANTOPEN", "cannot be opened; check the path and the permissions of the file and of its folder"],
  ["FULL", "is full; the disk, or the size allowed for the file, has no room left"],
  ["IOERR", "could not be read or written; check the disk and its file system"],
  ["CORRUPT", "is damaged; restore it from a copy"],
  ["NOTADB", "is not a SQLite database; choose another path, or remove the file"],
  ["PERM", "may not be accessed; check its permissions"],
  ["AUTH", "may not be accessed; check its permissions"],
]);
const numbers: ReadonlyMap<number, string> = new Map([
  [3, "PERM"],
  [5, "BUSY"],
  [6, "LOCKED"],
  [8, "READONLY"],
  [10, "IOERR"],
  [11, "CORRUPT"],
  [13, "FULL"],
  [14, "CANTOPEN"],
  [23, "AUTH"],
  [26, "NOTADB"],
]);

/** SQLite's primary result code, such as `BUSY`, out of a driver's error. */
function resultCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = "code" in error ? error.code : undefined;
  // node:sqlite has `errcode`; libsql has `rawCode`, and no name for extended codes.
  const errcode: unknown =
    "errcode" in error ? error.errcode : "rawCode" in error ? error.rawCode : undefined;
  if (typeof errcode === "number") return numbers.get(errcode & 0xff);
  // Where it cannot open a file, libsql says the code in its message only.
  const [, unopened] = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(error.message) ?? [];
  if (unopened !== undefined) return numbers.get(Number(unopened) & 0xff);
  const [, name] = typeof code === "string" ? (/^SQLITE_([A-Z]+)/.exec(code) ?? []) : [];
  return name;
}

/** True where trying again may help. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === "BUSY" || code === "LOCKED";
}

/** The error to show for what a driver threw. */
export function databaseError(error: unknown, path: string): KeepsakeError {
  if (KeepsakeError.isInstance(error)) return error;
  const code = resultCode(error);
  const reason = error instanceof Error ? error.message : String(error);
  const explanation = explanations.get(code ?? "") ?? "failed";
  return new KeepsakeError(
    "database_failed",
    `The database "${path}" ${explanation}. SQLite says: ${reason}`,
    {
      cause: error,
      data: { path, ...(isRecord(error) && code !== undefined ? { code } : {}) },
    },
  );
}

/** What a driver threw where expired items had to be removed; where it may not write, with the reason why a read wanted to. */
export function expiryError(error: unknown, path: string): unknown {
  if (resultCode(error) !== "READONLY") return error;
  const { message, data } = databaseError(error, path);
  return new KeepsakeError(
    "database_failed",
    `${message}. An item has expired, and such items are removed before anything is read: call maintain() or read once with a store that may write.`,
    { cause: error, data },
  );
}
