import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findJsonFault, placeOf } from "../src/conversation/json-fault.ts";

const faultOf = (text: string): string => {
  const fault = findJsonFault(text);
  return fault === undefined ? "none" : `${fault.offset}: ${fault.problem}`;
};

describe("findJsonFault", () => {
  test.each([
    ["", "0: the text is empty"],
    ["[1,2", '4: the text ends too early, a "[" is never closed'],
    ['{"a":1', '6: the text ends too early, a "{" is never closed'],
    ["[1,]", '3: expected a value, got "]"'],
    ['{"a":1,}', '7: expected a name in double quotes, got "}"'],
    ["{a:1}", '1: expected a name in double quotes, got "a"'],
    ['{"a" 1}', '5: expected a colon, got "1"'],
    ["[1 2]", '3: expected a comma or ], got "2"'],
    ["[undefined]", '1: expected a value, got "undefined"'],
    ["[01]", '1: expected a value, got "01"'],
    ["[NaN]", '1: expected a value, got "NaN"'],
    ["[1] [2]", "4: there is more text after the end of the JSON value"],
    ['["a\nb"]', "3: a control character (a line break?) within a string"],
    ['["\\x"]', "2: an unknown escape sequence within a string"],
    ['["abc', "1: a string that never ends"],
    ["[😀]", '1: expected a value, got "😀"'],
  ])("%j", (text, expected) => {
    expect(faultOf(text)).toBe(expected);
  });

  test("finds none in what JSON.parse accepts, and one in what it refuses", () => {
    const mutated = fc
      .tuple(
        fc.json({ depthSize: "small" }),
        fc.nat(),
        fc.constantFrom("", ",", "]", "}", '"', "\\", "x", "1", " "),
      )
      .map(([text, seed, character]) => {
        const place = seed % (text.length + 1);
        return text.slice(0, place) + character + text.slice(place + (seed % 2));
      });
    fc.assert(
      fc.property(mutated, (text) => {
        expect(findJsonFault(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("needs no recursion for a deep text", () => {
    expect(faultOf("[".repeat(300_000))).toBe('300000: the text ends too early, a "[" is never closed');
  });
});

test("placeOf counts lines and columns from 1, whatever ends the lines", () => {
  expect(placeOf("ab\ncd", 4)).toEqual({ line: 2, column: 2 });
  expect(placeOf("ab\r\ncd", 4)).toEqual({ line: 2, column: 1 });
  expect(placeOf("", 0)).toEqual({ line: 1, column: 1 });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
