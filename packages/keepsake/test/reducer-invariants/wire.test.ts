import { describe, it } from "vitest";
import { checkCorrupt } from "./wire/corrupt.ts";
import { mixed, WIRE_FORMATS } from "./wire/formats.ts";
import { checkFormat } from "./wire/properties.ts";
import { checkWarmFormat } from "./wire/warm.ts";

const timeout = 120_000;
const formats = [...WIRE_FORMATS, mixed].map((format) => [format.name, format] as const);
/** Copies of LangChain's instances are none of its class any more. */
const plain = formats.filter(([name]) => name !== "langchain-blocks" && name !== "mixed");

describe.each(formats)("%s", (_, format) => {
  it("valid conversations leave a window that its provider takes: 230", { timeout }, async () => {
    await checkFormat(format, false, { numRuns: 230, seed: 20_261_103 });
  });

  it("damaged conversations do, too: 370", { timeout }, async () => {
    await checkFormat(format, true, { numRuns: 370, seed: 20_261_104 });
  });

  it("any JSON value may stand anywhere: 80", { timeout }, async () => {
    await checkCorrupt(format, { numRuns: 80, seed: 20_261_106 });
  });
});

describe.each(plain)("%s, a list that is followed through changes", (_, format) => {
  it("is judged as a new one: 20 series", { timeout }, async () => {
    await checkWarmFormat(format, { numRuns: 20, seed: 20_261_105 });
  });
});
