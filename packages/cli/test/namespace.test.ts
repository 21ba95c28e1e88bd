import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNamespace, parseNamespace } from "../src/namespace.ts";

test.each([
  ["/memories/asha", ["memories", "asha"]],
  ["/asha", ["asha"]],
  ["asha", ["asha"]],
  ["memories/asha", ["memories/asha"]],
  ["a.b:c", ["a.b:c"]],
  ['["memories","a/b"]', ["memories", "a/b"]],
])("%s", (text, namespace) => {
  expect(parseNamespace(text)).toEqual(namespace);
});

test.each(["", "/", "/a/", "//a", "/a//b", "[]", "[", '[""]', "[1]", '["a"', "[a]", '["a"] '.repeat(2)])(
  "%j is refused: it could mean everything",
  (text) => {
    expect(() => parseNamespace(text)).toThrow(/is no namespace/);
  },
);

test("what is printed can be typed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, unit: fc.constantFrom("a", "/", "[", '"', "美") }), {
        minLength: 1,
      }),
      (namespace) => {
        expect(parseNamespace(formatNamespace(namespace))).toEqual(namespace);
      },
    ),
  );
});
