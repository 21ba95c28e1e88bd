import { describe, it } from "vitest";
import { validHistories } from "./histories.ts";
import { checkGenerosity, checkInvariants } from "./properties.ts";

describe("histories that every provider accepts", () => {
  it("are partitioned, kept valid and within the limits: 2 500 histories", { timeout: 120_000 }, async () => {
    await checkInvariants(validHistories, { numRuns: 2500, seed: 20_260_701 });
  });

  it("lose no more than they must: 1 500 histories", { timeout: 120_000 }, async () => {
    await checkGenerosity(validHistories, { numRuns: 1500, seed: 20_260_702 });
  });
});
