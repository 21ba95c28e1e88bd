import { describe, it } from "vitest";
import { mixed, WIRE_FORMATS } from "./wire/formats.ts";
import { checkFormat } from "./wire/properties.ts";

describe.each([...WIRE_FORMATS, mixed].map((format) => [format.name, format] as const))("%s", (_, format) => {
  it("valid conversations leave a window that its provider takes: 250", { timeout: 120_000 }, async () => {
    await checkFormat(format, false, { numRuns: 250, seed: 20_261_103 });
  });

  it("damaged conversations do, too: 450", { timeout: 120_000 }, async () => {
    await checkFormat(format, true, { numRuns: 450, seed: 20_261_104 });
  });
});
