// The contract of keepsake's stores, run against a store: here the one that is in memory.
// #region contract
import { InMemoryStore } from "keepsake/store";
import { runContract, storeContract } from "keepsake/testing";
import { describe, test } from "vitest";

describe("my store", () => {
  runContract(
    storeContract,
    {
      capabilities: { keyword: true, ttl: true },
      setUp: () => ({ createStore: (config) => new InMemoryStore(config) }),
    },
    { test, skip: (title) => test.skip(title, () => {}) },
  );
});
// #endregion
