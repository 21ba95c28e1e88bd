import { describe, expect, test } from "vitest";
import { InMemoryOutbox } from "../../src/delivery/index.ts";
import { outboxContract, runContract } from "../../src/testing/index.ts";

describe("InMemoryOutbox", () => {
  runContract(
    outboxContract,
    {
      capabilities: { clock: true, sync: true },
      setUp: () => {
        let time = 1_000_000;
        return {
          createOutbox: (config) => new InMemoryOutbox({ ...config, now: () => time }),
          advance: (byMs) => {
            time += byMs;
          },
        };
      },
    },
    { test, skip: (title) => test.skip(title, () => undefined) },
  );
});

test("the ids of the outbox contract are unique", () => {
  const ids = outboxContract.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
