import { describe, it } from "vitest";
import { damagedHistories } from "./histories.ts";
import { checkInvariants } from "./properties.ts";

describe("histories with damages", () => {
  it("leave a valid window and lose nothing: 5 000 histories", { timeout: 120_000 }, async () => {
    await checkInvariants(damagedHistories, { numRuns: 5000, seed: 20_260_711 }, { repair: true });
  });

  it("lose nothing where repair is off: 1 500 histories", { timeout: 120_000 }, async () => {
    await checkInvariants(damagedHistories, { numRuns: 1500, seed: 20_260_712 }, { repair: false });
  });
});
