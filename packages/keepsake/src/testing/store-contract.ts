import { batchRows } from "./store/batches.ts";
import type { StoreContractRow } from "./store/context.ts";
import { filterRows } from "./store/filters.ts";
import { itemRows } from "./store/items.ts";
import { namespaceRows } from "./store/namespaces.ts";
import { searchRows } from "./store/search.ts";
import { valueRows } from "./store/values.ts";

/**
 * What every store must do, to be run with {@link runContract} against anyone's store.
 *
 * @example
 * ```ts
 * import { describe, test } from "vitest";
 * describe("MyStore", () => {
 *   runContract(storeContract, { capabilities: { keyword: true }, setUp: () => ({ createStore: (config) => new MyStore(config) }) }, { test, skip: test.skip });
 * });
 * ```
 */
export const storeContract: readonly StoreContractRow[] = [
  ...itemRows,
  ...valueRows,
  ...namespaceRows,
  ...filterRows,
  ...searchRows,
  ...batchRows,
];
