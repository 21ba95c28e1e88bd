import { describe, it } from "vitest";
import { anyHistories, damagedHistories, validHistories } from "./histories.ts";
import { checkHandOver, checkLoop, checkSummaries } from "./loop-properties.ts";
import { checkGenerosity, checkInvariants, checkOriginal } from "./properties.ts";
import { checkWarm } from "./warm-properties.ts";
import { checkCorrupt } from "./wire/corrupt.ts";
import { mixed, WIRE_FORMATS } from "./wire/formats.ts";
import { checkFormat } from "./wire/properties.ts";

const timeout = 1_800_000;

// Other histories with KEEPSAKE_SEED=random; a failure prints its seed.
describe("100 000 histories", () => {
  it("valid ones: 12 000", { timeout }, () => checkInvariants(validHistories, { numRuns: 12_000 }));
  it("damaged ones: 14 000", { timeout }, () => checkInvariants(damagedHistories, { numRuns: 14_000 }));
  it("what a cut keeps: 4 000", { timeout }, () => checkGenerosity(validHistories, { numRuns: 4000 }));
  it("the original's arithmetic: 4 000", { timeout }, () => checkOriginal(anyHistories, { numRuns: 4000 }));
  it("hand-over: 4 000", { timeout }, () => checkHandOver({ numRuns: 4000 }));
  it("growing conversations: 1 500", { timeout }, () => checkLoop({ numRuns: 1500 }));
  it("series of lists: 3 000", { timeout }, () => checkWarm({ numRuns: 3000 }));
  it("summaries: 1 500", { timeout }, () => checkSummaries({ numRuns: 1500 }));

  const formats = [...WIRE_FORMATS, mixed].map((format) => [format.name, format] as const);
  it.each(formats)("%s, valid: 1 500", { timeout }, (_, format) =>
    checkFormat(format, false, { numRuns: 1500 }),
  );
  it.each(formats)("%s, damaged: 2 700", { timeout }, (_, format) =>
    checkFormat(format, true, { numRuns: 2700 }),
  );
  it.each(formats)("%s, with any JSON value anywhere: 500", { timeout }, (_, format) =>
    checkCorrupt(format, { numRuns: 500 }),
  );
});
