import { KeepsakeError } from "../../errors/index.ts";
import { BackedStore, type StoreConfig } from "../../store/index.ts";
import { checkOptions, isBoolean, isLogger, isRecord, type OptionKind } from "../../util/index.ts";
import { createPostgresBackend, type Source } from "./postgres-backend.ts";
import { targetOf } from "./postgres-client.ts";
import type { PostgresPool } from "./postgres-driver.ts";

/** What a {@link PostgresStore} takes: `connectionString` or `pool`, and more. */
export interface PostgresStoreConfig extends StoreConfig {
  /** `postgres://user:password@host:5432/database`. Needs the package `pg`. The store makes a pool of at most ten connections, and closes it. */
  readonly connectionString?: string | undefined;
  /** A pool of the app, of `pg` or compatible with it. The store never closes it. */
  readonly pool?: PostgresPool;
  /** Where the tables are; made if it is not there. Default `"keepsake"`. */
  readonly schema?: string;
  /**
   * Row-level security as a second wall between namespaces. Once on, it stays on for every store of the schema; needs a role that is
   * bound by it. Default false.
   */
  readonly rls?: boolean;
}

const anything: OptionKind = ["anything", () => true];
const kinds: Readonly<Record<string, OptionKind>> = {
  connectionString: anything,
  pool: anything,
  schema: [
    'a name of 1 to 63 bytes that is no address and does not begin with "pg_"',
    (value) =>
      typeof value === "string" &&
      /^(?!pg_|\w+:\/\/)[^\0\p{Surrogate}]+$/u.test(value) &&
      new TextEncoder().encode(value).length <= 63,
  ],
  rls: isBoolean,
  // Checked by every store.
  index: anything,
  now: anything,
  logger: isLogger,
};

/**
 * A {@link Store} in a Postgres database (13 or later). Many processes may use it at the same time, also through a pooler in transaction
 * mode. The tables are made on first use, in a schema of their own.
 *
 * @example
 * ```ts
 * const store = new PostgresStore({ connectionString: process.env.DATABASE_URL, index: { fields: ["content"] } });
 * await store.put(["memories", "asha"], "1", { content: "Prefers a window seat" });
 * await store.search(["memories", "asha"], { query: "which seat?" });
 * await store.close();
 * ```
 */
export class PostgresStore extends BackedStore {
  /** @throws {KeepsakeError} `invalid_config`, `unsupported` */
  constructor(config: PostgresStoreConfig) {
    checkPlaces(config);
    checkOptions("A PostgresStore", config, kinds);
    const { schema = "keepsake", rls = false } = config;
    super(createPostgresBackend(sourceOf(config), schema, rls, config.now ?? Date.now), config);
  }

  /**
   * Makes the tables now instead of on first use: for a role that may, where the app's own may not. May be called again, and by several
   * processes at once.
   *
   * @throws {KeepsakeError} `database_failed`, `unsupported_format`, `invalid_config`, `missing_dependency`
   */
  async setup(): Promise<void> {
    await this.batch([]);
  }
}

/** The messages show no value: a connection string may have been given in the wrong place. */
function checkPlaces(config: unknown): void {
  if (config === undefined) return;
  if (!isRecord(config)) throw refused("the options must be an object, such as { connectionString }.");
  const { connectionString, pool } = config;
  if (connectionString !== undefined && (typeof connectionString !== "string" || connectionString === "")) {
    throw refused("connectionString must be a text, such as postgres://user:password@host:5432/database.");
  }
  if (pool === undefined || (isRecord(pool) && typeof pool.connect === "function")) return;
  throw refused(
    "`pool` must be a pool with the function connect, such as new Pool() of pg; a connection string belongs into `connectionString`.",
  );
}

function refused(problem: string): KeepsakeError {
  return new KeepsakeError("invalid_config", `A PostgresStore: ${problem}`);
}

function sourceOf({ connectionString, pool }: PostgresStoreConfig): Source {
  if (connectionString !== undefined && pool !== undefined) {
    throw refused("`connectionString` and `pool` are both given; leave one of them out.");
  }
  if (connectionString === undefined && pool === undefined) {
    throw new KeepsakeError(
      "invalid_config",
      "A PostgresStore needs either `connectionString` or `pool`. Is the environment variable set that it comes from?",
    );
  }
  if (pool !== undefined) {
    return { kind: "pool", pool, target: { name: "of the option `pool`", secrets: [] } };
  }
  return { kind: "string", connectionString: String(connectionString), target: targetOf(connectionString) };
}
