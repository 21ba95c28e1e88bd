import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareCodePoints,
  decodeNamespace,
  encodeNamespace,
  namespaceRange,
} from "../../src/store/namespace.ts";

const label = fc.oneof(
  fc.string({ minLength: 1, maxLength: 4, unit: "grapheme" }),
  fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom(...'a1"\\,.:/[]%_*-\u0001\n') }),
);
const namespace = fc.array(label, { minLength: 1, maxLength: 4 });
const byBytes = (left: string, right: string): number =>
  Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)));

test("every namespace comes back from its encoding", () => {
  fc.assert(
    fc.property(namespace, (labels) => {
      expect(decodeNamespace(encodeNamespace(labels))).toEqual(labels);
    }),
  );
});

test("a namespace lies in the range of a prefix exactly if it begins with its labels", () => {
  const pair = fc.oneof(
    fc.tuple(namespace, namespace),
    fc
      .tuple(namespace, fc.nat(4))
      .map(([labels, depth]): [string[], string[]] => [labels, labels.slice(0, depth)]),
  );
  fc.assert(
    fc.property(pair, ([labels, prefix]) => {
      const { from, to } = namespaceRange(prefix);
      const encoded = encodeNamespace(labels);
      const inRange = byBytes(encoded, from) >= 0 && byBytes(encoded, to) < 0;
      expect(inRange).toBe(
        prefix.length <= labels.length && prefix.every((part, index) => part === labels[index]),
      );
    }),
    { numRuns: 1000 },
  );
});

test("code points are compared as databases compare bytes", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 5 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(Math.sign(compareCodePoints(left, right))).toBe(byBytes(left, right));
    }),
  );
  expect(compareCodePoints("\uff5e", "\u{1f600}")).toBeLessThan(0);
});
