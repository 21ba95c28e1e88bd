import { describe, it } from "vitest";
import { checkConcurrent, checkWarm } from "./warm-properties.ts";

describe("a reducer that has seen other lists", () => {
  it("decides as a new one does: 800 series of lists", { timeout: 120_000 }, async () => {
    await checkWarm({ numRuns: 800, seed: 20_260_741 });
  });

  it("decides as it does alone while other reduces run: 300 histories", { timeout: 120_000 }, async () => {
    await checkConcurrent({ numRuns: 300, seed: 20_260_742 });
  });
});
