import { KeepsakeError } from "../../errors/index.ts";
import { BackedStore, type StoreConfig } from "../../store/index.ts";
import { didYouMean } from "../../util/index.ts";
import { createSqliteBackend, type Synchronous } from "./sqlite-backend.ts";
import { checkDriver } from "./sqlite-client.ts";
import type { SqliteDriver, SqliteDriverName } from "./sqlite-driver.ts";

/** What a {@link SqliteStore} takes. */
export interface SqliteStoreConfig extends StoreConfig {
  /**
   * Default: `node:sqlite` where Node has it, else `better-sqlite3` or `libsql`, whichever is installed. An object is used as it is, and is
   * not closed by the store.
   */
  readonly driver?: SqliteDriverName | SqliteDriver;
  /**
   * `"normal"` (default): killing the process loses nothing; a power failure may lose the last writes, never the database.
   * `"full"`: nor do power failures lose an acknowledged write; each write waits for the disk.
   * `"off"`: a power failure may damage the database.
   */
  readonly synchronous?: Synchronous;
}

const names = ["index", "now", "logger", "driver", "synchronous"];

/**
 * A {@link Store} in a SQLite file. Several processes may use one file. The file is created on first use; its folder must exist.
 *
 * @example
 * ```ts
 * const store = new SqliteStore("memory.db", { index: { fields: ["content"] } });
 * await store.put(["memories", "asha"], "1", { content: "Prefers a window seat" });
 * await store.search(["memories", "asha"], { query: "which seat?" });
 * await store.close();
 * ```
 */
export class SqliteStore extends BackedStore {
  /**
   * `path`: of the file, or `":memory:"`.
   *
   * @throws {KeepsakeError} `invalid_config`, `unsupported`
   */
  constructor(path: string, config: SqliteStoreConfig = {}) {
    super(
      createSqliteBackend(
        checkPath(path, "A SqliteStore"),
        checkDriver(config.driver),
        checkSynchronous(config),
      ),
      config,
    );
  }
}

/**
 * Checks the path of a database.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function checkPath(path: unknown, subject: string): string {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return path;
  throw new KeepsakeError("invalid_config", `${subject} needs the path of a file, or ":memory:".`, {
    data: { path },
  });
}

function checkSynchronous(config: SqliteStoreConfig): Synchronous {
  for (const name of Object.keys(config)) {
    if (names.includes(name)) continue;
    const meant = didYouMean(name, names);
    throw new KeepsakeError(
      "invalid_config",
      `A SqliteStore has no option "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
      { data: { name } },
    );
  }
  const { synchronous = "normal" } = config;
  if (["full", "normal", "off"].includes(synchronous)) return synchronous;
  throw new KeepsakeError(
    "invalid_config",
    `\`synchronous\` is "full", "normal" or "off", not ${String(synchronous)}.`,
    {
      data: { synchronous },
    },
  );
}
