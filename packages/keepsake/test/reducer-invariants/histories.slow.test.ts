import { describe, it } from "vitest";
import { anyHistories, damagedHistories, validHistories } from "./histories.ts";
import { checkHandOver, checkLoop, checkSummaries } from "./loop-properties.ts";
import { checkGenerosity, checkInvariants, checkOriginal } from "./properties.ts";
import { checkWarm } from "./warm-properties.ts";

const timeout = 1_800_000;

// No seeds: every run meets other histories, and a failure prints its seed.
describe("100 000 histories", () => {
  it("valid ones: 30 000", { timeout }, () => checkInvariants(validHistories, { numRuns: 30_000 }));
  it("damaged ones: 40 000", { timeout }, () => checkInvariants(damagedHistories, { numRuns: 40_000 }));
  it("what a cut keeps: 8 000", { timeout }, () => checkGenerosity(validHistories, { numRuns: 8000 }));
  it("the original's arithmetic: 8 000", { timeout }, () => checkOriginal(anyHistories, { numRuns: 8000 }));
  it("hand-over: 8 000", { timeout }, () => checkHandOver({ numRuns: 8000 }));
  it("growing conversations: 3 000", { timeout }, () => checkLoop({ numRuns: 3000 }));
  it("series of lists: 6 000", { timeout }, () => checkWarm({ numRuns: 6000 }));
  it("summaries: 3 000", { timeout }, () => checkSummaries({ numRuns: 3000 }));
});
