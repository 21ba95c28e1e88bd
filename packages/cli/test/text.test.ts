import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oneLine, padEnd, printable, textWidth, truncate, wrap } from "../src/output/text.ts";

const anyText = fc.string({
  unit: fc.constantFrom("a", " ", "日", "👩‍👩‍👧", "é", "e\u0301", "\u001b", "\n", "한", "ﷺ", "\u200d"),
});
const wellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

describe("printable", () => {
  test("shows control characters instead of sending them", () => {
    expect(printable("\u001b[31mred\u001b[0m\u0007")).toBe("␛[31mred␛[0m␇");
    expect(printable("a\u009b31mb\u007f")).toBe("a�31mb␡");
    expect(printable("over\rwritten")).toBe("over␍written");
  });

  test("keeps lines and makes every kind of line break one", () => {
    expect(printable("a\r\nb\u2028c\td")).toBe("a\nb\nc d");
  });

  test("leaves out what reverses the direction of writing, and half surrogate pairs", () => {
    expect(printable("user\u202egnp.exe\u2066!")).toBe("usergnp.exe!");
    expect(printable("a\ud83db")).toBe("a�b");
    expect(printable("a😀b")).toBe("a😀b");
  });
});

describe("textWidth", () => {
  test.each([
    ["abc", 3],
    ["田中美咲", 8],
    ["e\u0301", 1],
    ["👩‍👩‍👧", 2],
    ["한국어", 6],
    ["ﾊﾝｶｸ", 4],
    ["Ａ", 2],
    ["…", 1],
    ["", 0],
  ])("%j takes %i columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe("truncate", () => {
  test.each([
    ["short", 5, "short"],
    ["longer", 5, "long…"],
    ["田中美咲", 8, "田中美咲"],
    ["田中美咲", 7, "田中美…"],
    ["田中美咲", 6, "田中…"],
    ["a😀😀", 4, "a😀…"],
  ])("%j in %i columns is %j", (text, width, expected) => {
    expect(truncate(text, width)).toBe(expected);
  });

  test("never takes more columns than allowed and never splits a character", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, width) => {
        const cut = truncate(text, width);
        expect(textWidth(cut)).toBeLessThanOrEqual(width);
        expect(wellFormed(cut)).toBe(true);
        if (textWidth(text) <= width) expect(cut).toBe(text);
      }),
    );
  });

  test("looks only at the beginning of a huge text", () => {
    expect(truncate("日".repeat(5_000_000), 10)).toBe("日日日日…");
  });
});

describe("wrap", () => {
  test("breaks at spaces, and anywhere in a text without spaces", () => {
    expect(wrap("one two three", 8, 9)).toEqual(["one two", "three"]);
    expect(wrap("春風荘は京都にあります", 10, 9)).toEqual(["春風荘は京", "都にありま", "す"]);
    expect(wrap("abcdefghij", 4, 9)).toEqual(["abcd", "efgh", "ij"]);
  });

  test("cuts the last of the allowed lines", () => {
    expect(wrap("one two three four five", 9, 2)).toEqual(["one two", "three fo…"]);
  });

  test("every line fits, and together they hold the whole text", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 20 }), (text, width) => {
        const lines = wrap(text, width, 1000);
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(oneLine(text).replaceAll(" ", ""));
      }),
    );
  });
});

test("padEnd fills columns, not code units", () => {
  expect(padEnd("美咲", 6)).toBe("美咲  ");
  expect(padEnd("longer", 3)).toBe("longer");
});
