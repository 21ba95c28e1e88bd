import { describe, test } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";
import { runContract, storeContract } from "../../src/testing/index.ts";

describe("InMemoryStore", () => {
  runContract(
    storeContract,
    {
      capabilities: { ...new InMemoryStore().capabilities, vector: true },
      setUp: () => ({ createStore: (config) => new InMemoryStore(config) }),
    },
    { test, skip: (title) => test.skip(title, () => undefined) },
  );
});
