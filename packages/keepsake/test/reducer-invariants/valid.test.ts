import { describe, it } from "vitest";
import { validHistories } from "./histories.ts";
import { checkGenerosity, checkInvariants } from "./properties.ts";

describe("histories that every provider accepts", () => {
  it("are partitioned, kept valid and within the limits: 5 000 histories", { timeout: 120_000 }, async () => {
    await checkInvariants(validHistories, { numRuns: 5000, seed: 20_260_701 });
  });

  it("lose no more than they must: 3 000 histories", { timeout: 120_000 }, async () => {
    await checkGenerosity(validHistories, { numRuns: 3000, seed: 20_260_702 });
  });
});
