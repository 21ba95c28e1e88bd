import { abortRows } from "./store/abort.ts";
import { batchRows } from "./store/batches.ts";
import { characterRows } from "./store/characters.ts";
import type { StoreContractRow } from "./store/context.ts";
import { copyRows } from "./store/copies.ts";
import { expiryRows } from "./store/expiry.ts";
import { filterCombinationRows } from "./store/filter-combinations.ts";
import { filterRows } from "./store/filters.ts";
import { itemRows } from "./store/items.ts";
import { manyRows } from "./store/many.ts";
import { namespaceRows } from "./store/namespaces.ts";
import { processRows } from "./store/processes.ts";
import { reopeningRows } from "./store/reopening.ts";
import { searchRows } from "./store/search.ts";
import { valueRows } from "./store/values.ts";
import { vectorRows } from "./store/vectors.ts";
import { writeOrderRows } from "./store/write-order.ts";

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
  ...copyRows,
  ...namespaceRows,
  ...characterRows,
  ...filterRows,
  ...filterCombinationRows,
  ...searchRows,
  ...vectorRows,
  ...writeOrderRows,
  ...batchRows,
  ...expiryRows,
  ...abortRows,
  ...manyRows,
  ...reopeningRows,
  ...processRows,
];
