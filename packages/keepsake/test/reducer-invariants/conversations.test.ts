import { describe, it } from "vitest";
import { checkHandOver, checkLoop, checkSummaries } from "./loop-properties.ts";

describe("conversations that grow", () => {
  it("hand over each pruned message once per hook: 2 000 histories", { timeout: 120_000 }, async () => {
    await checkHandOver({ numRuns: 2000, seed: 20_260_731 });
  });

  it("end with each message in the window or delivered: 800 conversations", {
    timeout: 120_000,
  }, async () => {
    await checkLoop({ numRuns: 800, seed: 20_260_732 });
  });

  it("summarise each pruned message once, in one block: 600 conversations", {
    timeout: 120_000,
  }, async () => {
    await checkSummaries({ numRuns: 600, seed: 20_260_733 });
  });
});
