import { KeepsakeError } from "../../errors/index.ts";
import { isRecord } from "../../util/index.ts";
import { type DatabaseClass, driverOver, type SqliteDriver, type SqliteDriverName } from "./sqlite-driver.ts";

/** The drivers by name, in the order in which they are tried, with the export that holds the database class. */
const known: ReadonlyMap<SqliteDriverName, string> = new Map([
  ["node:sqlite", "DatabaseSync"],
  ["better-sqlite3", "default"],
  ["libsql", "default"],
]);
const advice =
  'Use Node 22.13 or later (which has node:sqlite), run "npm install better-sqlite3" or "npm install libsql", or pass an object as `driver`.';

/**
 * Opens a database file with the driver asked for, or with the first that is there.
 *
 * @throws {KeepsakeError} `missing_dependency`, `database_failed`
 */
export async function openDriver(path: string, driver: SqliteDriverName | undefined): Promise<SqliteDriver> {
  await checkPath(path);
  const DatabaseOf = driver === undefined ? await loadAny() : await loadOne(driver);
  return driverOver(DatabaseOf, path);
}

/**
 * The same without awaiting, for what is to be committed before a synchronous call returns. What is wrong with the path, SQLite says.
 *
 * @throws {KeepsakeError} `missing_dependency`
 */
export function openDriverNow(path: string, driver: SqliteDriverName | undefined): SqliteDriver {
  const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
  const loadNow = (name: SqliteDriverName): DatabaseClass => checkedClass(name, require(name));
  return driverOver(driver === undefined ? anyNow(loadNow) : oneNow(driver, loadNow), path);
}

function anyNow(loadNow: (name: SqliteDriverName) => DatabaseClass): DatabaseClass {
  for (const name of known.keys()) {
    try {
      return loadNow(name);
    } catch {
      // The next one may be there.
    }
  }
  throw noDriver();
}

function oneNow(name: SqliteDriverName, loadNow: (name: SqliteDriverName) => DatabaseClass): DatabaseClass {
  try {
    return loadNow(name);
  } catch (cause) {
    throw unloadable(name, cause);
  }
}

/**
 * Checks the `driver` option.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function checkDriver(driver: unknown): SqliteDriver | SqliteDriverName | undefined {
  if (driver === undefined || isDriverName(driver) || isDriver(driver)) return driver;
  throw new KeepsakeError(
    "invalid_config",
    `\`driver\` is one of ${[...known.keys()].join(", ")}, or an object with exec, run, all and close; not ${typeof driver === "string" ? `"${driver}"` : typeof driver}.`,
    { data: { driver } },
  );
}

function isDriverName(driver: unknown): driver is SqliteDriverName {
  return typeof driver === "string" && [...known.keys()].some((name) => name === driver);
}

function isDriver(driver: unknown): driver is SqliteDriver {
  return (
    isRecord(driver) && ["exec", "run", "all", "close"].every((name) => typeof driver[name] === "function")
  );
}

async function loadAny(): Promise<DatabaseClass> {
  for (const name of known.keys()) {
    const found = await load(name).catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw noDriver();
}

function noDriver(): KeepsakeError {
  return new KeepsakeError("missing_dependency", `No SQLite driver was found. ${advice}`);
}

async function loadOne(name: SqliteDriverName): Promise<DatabaseClass> {
  try {
    return await load(name);
  } catch (cause) {
    throw unloadable(name, cause);
  }
}

function unloadable(name: SqliteDriverName, cause: unknown): KeepsakeError {
  return new KeepsakeError(
    "missing_dependency",
    `The option \`driver: "${name}"\` needs ${name}, which could not be loaded: ${firstLine(cause)} ${advice}`,
    { cause, data: { driver: name } },
  );
}

function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line.endsWith(".") ? line : `${line}.`;
}

async function load(name: SqliteDriverName): Promise<DatabaseClass> {
  return checkedClass(name, await import(name));
}

/** CommonJS modules are their default export. */
function checkedClass(name: SqliteDriverName, module: Readonly<Record<string, unknown>>): DatabaseClass {
  const found = module[known.get(name) ?? "default"] ?? module;
  if (typeof found !== "function") throw new Error(`${name} does not export a database class`);
  const DatabaseOf = found as DatabaseClass;
  // Native code is loaded with the first database: only now shows whether it was built for this Node.
  new DatabaseOf(":memory:").close();
  return DatabaseOf;
}

/** SQLite says only "unable to open database file"; what is wrong with the path can be told. */
async function checkPath(path: string): Promise<void> {
  if (path === ":memory:") return;
  const { stat } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  const kindOf = async (place: string): Promise<"directory" | "other" | "missing"> => {
    try {
      return (await stat(place)).isDirectory() ? "directory" : "other";
    } catch {
      return "missing";
    }
  };
  if ((await kindOf(path)) === "directory") {
    throw new KeepsakeError(
      "database_failed",
      `"${path}" is a folder; a SQLite store needs the path of a file.`,
      { data: { path } },
    );
  }
  const folder = dirname(path);
  if ((await kindOf(folder)) !== "directory") {
    throw new KeepsakeError(
      "database_failed",
      `The folder "${folder}" of the database "${path}" does not exist; create it first.`,
      {
        data: { path },
      },
    );
  }
}
