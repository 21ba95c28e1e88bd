import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { countText } from "../../src/tokens/count-text.ts";

const whole = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });
const counted = (text: string): number => countText({ countTokens }, text, Number.POSITIVE_INFINITY);

/** Half of a surrogate pair. */
const half = /\p{Surrogate}/u;

/** The slices that a text is counted in. */
function slicesOf(text: string): string[] {
  const slices: string[] = [];
  const countTokens = (slice: string): number => slices.push(slice);
  countText({ countTokens }, text, Number.POSITIVE_INFINITY);
  return slices;
}

describe("countText", () => {
  it.each([
    ["English", "Honestly, I can't believe it's November; we've 3 flights to book (again)!\n"],
    ["code", "  if (left !== right) return values['a'] + [1, 2.50];\n\n\t// it's done\r\n"],
    ["JSON", '{"name":"Asha Rao","at":"2026-11-30T09:12:00Z","tags":["a","b"],"n":129.50},'],
    ["Japanese", "去年の夏は、海から数キロ離れた森のそばに小さな家を借りました。"],
    ["Russian", "Прошлым летом мы сняли небольшой дом у леса, в нескольких километрах от моря. "],
    ["accents apart", "U\u0308ber A\u0308cker und Wiesen, "],
    ["emoji in words", "so good 👩🏽‍💻 and 𝐛𝐨𝐥𝐝, "],
  ])("is exact for %s, whatever the slices", (_, text) => {
    for (const times of [1, 20, 41, 97]) {
      const long = text.repeat(times);
      expect(counted(long)).toBe(whole(long));
    }
  });

  it("is exact for texts of any words and marks", () => {
    const word = fc.constantFrom(
      "the",
      "reducer's",
      "I'LL",
      "été",
      "42",
      "3.14",
      "->",
      "…",
      "\n",
      "  ",
      "日本",
      "(a)",
      "x_y",
      "👍🏽",
      "</p>",
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 900, maxLength: 1200 }), (words) => {
        const text = words.join(" ");
        expect(counted(text)).toBe(whole(text));
      }),
      { numRuns: 30 },
    );
  });

  it("counts at most one token more for each slice that ends where no space and no punctuation is", () => {
    const unbroken = Array.from({ length: 6000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7919) % 900)),
    ).join("");
    const slices = slicesOf(unbroken).length;
    expect(slices).toBe(6);
    expect(Math.abs(counted(unbroken) - whole(unbroken))).toBeLessThanOrEqual(slices);
  });

  it("loses nothing, splits no pair, and never gives the tokeniser a long run", () => {
    const unit = fc.constantFrom("a", "👩🏽‍💻", "𠮷", "。", " ", "\n", "'", "字");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 800, maxLength: 4000 }), (units) => {
        const text = units.join("");
        const slices = slicesOf(text);
        expect(slices.join("")).toBe(text);
        expect(Math.max(...slices.map((slice) => slice.length))).toBeLessThanOrEqual(1024);
        expect(slices.every((slice) => !half.test(slice))).toBe(true);
      }),
      { numRuns: 50 },
    );
    expect(slicesOf("🦄".repeat(3000)).every((slice) => !half.test(slice) && slice.length <= 1024)).toBe(
      true,
    );
    expect(
      slicesOf(`x${"🦄".repeat(3000)}`).every((slice) => !half.test(slice) && slice.length <= 1024),
    ).toBe(true);
  });

  it("takes halves of pairs that a text already has", () => {
    const text = "\udc00".repeat(3000);
    expect(slicesOf(text).join("")).toBe(text);
  });

  it("stops at the slice that passes the limit", () => {
    const given: string[] = [];
    const countTokens = (slice: string): number => given.push(slice) && slice.length;
    const text = "word ".repeat(2000);
    const tokens = countText({ countTokens }, text, 1500);
    expect(tokens).toBeGreaterThan(1500);
    expect(given).toHaveLength(2);
    expect(countText({ countTokens }, text, -1)).toBe(0);
  });
});
