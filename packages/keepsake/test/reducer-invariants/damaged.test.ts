import { describe, it } from "vitest";
import { damagedHistories } from "./histories.ts";
import { checkInvariants } from "./properties.ts";

describe("histories with damages", () => {
  it("leave a valid window and lose nothing: 2 500 histories", { timeout: 120_000 }, async () => {
    await checkInvariants(damagedHistories, { numRuns: 2500, seed: 20_260_711 }, { repair: true });
  });

  it("lose nothing where repair is off: 700 histories", { timeout: 120_000 }, async () => {
    await checkInvariants(damagedHistories, { numRuns: 700, seed: 20_260_712 }, { repair: false });
  });
});
