import type { Store } from "../../src/store/index.ts";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import type { ContractSubject, StoreContractContext } from "../../src/testing/index.ts";
import { emptySchema, freshSchema, type TestDatabase } from "../stores/postgres-pools.ts";
import { startProcess } from "./processes.ts";

/** A context whose stores can be closed and whose schemas can be removed. */
export interface PostgresContext extends StoreContractContext {
  readonly stores: Store[];
  readonly schemas: string[];
}

/**
 * How the contract is run against Postgres: a schema of its own for each store, emptied and used again, which is faster than making tables.
 * Other processes need a server to connect to.
 */
export function postgresSubject({ pool, query, url }: TestDatabase): ContractSubject<PostgresContext> {
  const used: string[] = [];
  return {
    capabilities: {
      keyword: true,
      vector: true,
      ttl: true,
      atomicBatch: true,
      reopening: true,
      processes: url !== undefined,
    },
    setUp: () => {
      const stores: Store[] = [];
      const schemas: string[] = [];
      const open: StoreContractContext["createStore"] = (config = {}) => {
        const store = new PostgresStore({ pool, schema: schemas.at(-1) ?? "", ...config });
        stores.push(store);
        return store;
      };
      return {
        stores,
        schemas,
        createStore: (config) => {
          schemas.push(used.pop() ?? freshSchema());
          return open(config);
        },
        openAgain: open,
        startProcess: (job) =>
          startProcess({ kind: "postgres", connectionString: url ?? "", schema: schemas.at(-1) ?? "" }, job),
      };
    },
    tearDown: async ({ stores, schemas }) => {
      for (const store of stores) await store.close();
      for (const schema of schemas) if (await emptySchema(query, schema)) used.push(schema);
    },
  };
}
