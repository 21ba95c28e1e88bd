import { BackedStore, type StoreConfig } from "../../store/index.ts";
import { checkOptions, isBoolean, isLogger, type OptionKind } from "../../util/index.ts";
import { createPostgresBackend } from "./postgres-backend.ts";
import type { PostgresPool } from "./postgres-driver.ts";
import { checkPlaces, placeKinds, sourceOf } from "./postgres-source.ts";

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
  ...placeKinds,
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
    checkPlaces("A PostgresStore", config);
    checkOptions("A PostgresStore", config, kinds);
    const { schema = "keepsake", rls = false } = config;
    const { now: clock = Date.now, logger = console } = config;
    const warn = (message: string): void => logger.warn(message);
    const source = sourceOf("A PostgresStore", config);
    super(createPostgresBackend(source, schema, rls, { clock, warn }), config);
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
