import { describe, it } from "vitest";
import { anyHistories, validHistories } from "./histories.ts";
import { checkOriginal } from "./properties.ts";

describe('`boundary: "message", repair: false`', () => {
  it("prunes what the original prunes: 1 200 histories", { timeout: 120_000 }, async () => {
    await checkOriginal(validHistories, { numRuns: 1200, seed: 20_260_721 });
  });

  it("prunes nothing else where exchanges are damaged: 500 histories", { timeout: 120_000 }, async () => {
    await checkOriginal(anyHistories, { numRuns: 500, seed: 20_260_722 });
  });
});
