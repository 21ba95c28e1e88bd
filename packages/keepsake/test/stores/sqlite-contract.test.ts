import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import type { Store } from "../../src/store/index.ts";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { runContract, storeContract } from "../../src/testing/index.ts";
import { drivers } from "./drivers.ts";

for (const { name, missing } of drivers) {
  describe(`SqliteStore with ${name}`, () => {
    if (missing !== undefined) {
      test.skip(`the store contract (skipped: ${missing})`, () => undefined);
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), "keepsake-contract-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    let files = 0;
    runContract(
      storeContract,
      {
        capabilities: { keyword: true, ttl: true, atomicBatch: true },
        setUp: () => {
          const stores: Store[] = [];
          return {
            stores,
            createStore: (config = {}) => {
              files += 1;
              const store = new SqliteStore(join(folder, `${files}.db`), {
                driver: name,
                synchronous: "off",
                ...config,
              });
              stores.push(store);
              return store;
            },
          };
        },
        tearDown: async (context) => {
          if ("stores" in context)
            await Promise.all((context as { stores: Store[] }).stores.map((store) => store.close()));
        },
      },
      { test, skip: (title) => test.skip(title, () => undefined) },
    );
  });
}
