import type { Store } from "../../src/store/index.ts";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import { type SqliteDriverName, SqliteStore } from "../../src/stores/sqlite/index.ts";
import type { StoreContractConfig } from "../../src/testing/index.ts";

/** Where the data of a store are, as JSON can carry it to another process. */
export type StoreTarget =
  | {
      readonly kind: "sqlite";
      readonly path: string;
      readonly driver: SqliteDriverName;
      readonly synchronous: "off" | "normal" | "full";
    }
  | { readonly kind: "postgres"; readonly connectionString: string; readonly schema: string };

/** A store over the data of a target. */
export async function openTarget(target: StoreTarget, config: StoreContractConfig = {}): Promise<Store> {
  if (target.kind === "postgres") {
    const { connectionString, schema } = target;
    return new PostgresStore({ connectionString, schema, ...config });
  }
  const { path, driver, synchronous } = target;
  return new SqliteStore(path, { driver, synchronous, ...config });
}
