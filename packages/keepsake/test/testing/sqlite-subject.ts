import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../src/store/index.ts";
import type { SqliteDriverName } from "../../src/stores/sqlite/index.ts";
import type { ContractSubject, StoreContractContext } from "../../src/testing/index.ts";
import { startProcess } from "./processes.ts";
import { openTarget, type StoreTarget } from "./store-target.ts";

/** A context whose stores can be closed and whose files can be removed. */
export interface SqliteContext extends StoreContractContext {
  readonly stores: Store[];
  readonly folder: string;
}

/** How the contract is run against SQLite with one of its drivers: a folder of its own for each row. */
export function sqliteSubject(driver: SqliteDriverName): ContractSubject<SqliteContext> {
  return {
    capabilities: {
      keyword: true,
      vector: true,
      ttl: true,
      atomicBatch: true,
      reopening: true,
      processes: true,
    },
    setUp: () => {
      const folder = mkdtempSync(join(tmpdir(), "keepsake-contract-"));
      const stores: Store[] = [];
      let files = 0;
      const target = (): StoreTarget => ({
        kind: "sqlite",
        path: join(folder, `${files}.db`),
        driver,
        synchronous: "off",
      });
      const open: StoreContractContext["createStore"] = async (config) => {
        const store = await openTarget(target(), config);
        stores.push(store);
        return store;
      };
      return {
        stores,
        folder,
        createStore: (config) => {
          files += 1;
          return open(config);
        },
        openAgain: open,
        startProcess: (job) => startProcess(target(), job),
      };
    },
    tearDown: async ({ stores, folder }) => {
      await Promise.all(stores.map((store) => store.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
