import { describe, it } from "vitest";
import { anyHistories, validHistories } from "./histories.ts";
import { checkOriginal } from "./properties.ts";

describe('`boundary: "message", repair: false`', () => {
  it("prunes what the original prunes: 2 500 histories", { timeout: 120_000 }, async () => {
    await checkOriginal(validHistories, { numRuns: 2500, seed: 20_260_721 });
  });

  it("prunes nothing else where exchanges are damaged: 1 000 histories", { timeout: 120_000 }, async () => {
    await checkOriginal(anyHistories, { numRuns: 1000, seed: 20_260_722 });
  });
});
