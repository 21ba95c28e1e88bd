import { describe, test } from "vitest";
import type { Store } from "../../src/store/index.ts";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import { runContract, type StoreContractContext, storeContract } from "../../src/testing/index.ts";
import {
  databaseUrl,
  embedded,
  freshSchema,
  poolerUrl,
  server,
  type TestDatabase,
  withoutPooler,
  withoutServer,
} from "./postgres-pools.ts";

interface Context extends StoreContractContext {
  readonly stores: Store[];
  readonly schemas: string[];
}

function contractOn({ name, pool, query }: TestDatabase): void {
  describe(`PostgresStore on ${name}`, () => {
    runContract<Context>(
      storeContract,
      {
        capabilities: { keyword: true, vector: true, ttl: true, atomicBatch: true },
        setUp: () => {
          const stores: Store[] = [];
          const schemas: string[] = [];
          return {
            stores,
            schemas,
            createStore: (config = {}) => {
              const schema = freshSchema();
              schemas.push(schema);
              const store = new PostgresStore({ pool, schema, ...config });
              stores.push(store);
              return store;
            },
          };
        },
        tearDown: async ({ stores, schemas }) => {
          for (const store of stores) await store.close();
          for (const schema of schemas) await query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
        },
      },
      { test, skip: (title) => test.skip(title, () => undefined) },
    );
  });
}

contractOn(await embedded({ pgvector: true }));
if (databaseUrl !== undefined) contractOn(server(databaseUrl));
else test.skip(`the contract on a server${withoutServer}`, () => undefined);
if (poolerUrl !== undefined) contractOn(server(poolerUrl, "a server behind a pooler in transaction mode"));
else test.skip(`the contract behind a pooler${withoutPooler}`, () => undefined);
