import { describe, it } from "vitest";
import { checkHandOver, checkLoop, checkSummaries } from "./loop-properties.ts";

describe("conversations that grow", () => {
  it("hand over each pruned message once per hook: 900 histories", { timeout: 120_000 }, async () => {
    await checkHandOver({ numRuns: 900, seed: 20_260_731 });
  });

  it("end with each message in the window or delivered: 400 conversations", {
    timeout: 120_000,
  }, async () => {
    await checkLoop({ numRuns: 400, seed: 20_260_732 });
  });

  it("summarise each pruned message once, in one block: 300 conversations", {
    timeout: 120_000,
  }, async () => {
    await checkSummaries({ numRuns: 300, seed: 20_260_733 });
  });
});
