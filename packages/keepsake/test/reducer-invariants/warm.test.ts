import { describe, it } from "vitest";
import { checkConcurrent, checkWarm } from "./warm-properties.ts";

describe("a reducer that has seen other lists", () => {
  it("decides as a new one does: 1 500 series of lists", { timeout: 120_000 }, async () => {
    await checkWarm({ numRuns: 1500, seed: 20_260_741 });
  });

  it("decides as it does alone while other reduces run: 500 histories", { timeout: 120_000 }, async () => {
    await checkConcurrent({ numRuns: 500, seed: 20_260_742 });
  });
});
