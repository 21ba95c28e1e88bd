import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestCosine, unitVector } from "../../src/search/index.ts";
import { CosineBounds, joined, recordsOf, withoutItems } from "../../src/stores/sqlite/sqlite-packs.ts";

const number = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(0, 1, -1, 1e-6, -1e-6));
const vectors = (dims: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(number, { minLength: dims, maxLength: dims })
    .map((numbers) => unitVector(numbers) ?? unitVector([1, ...numbers.slice(1)]) ?? new Float32Array(dims));
const cases = fc
  .integer({ min: 1, max: 23 })
  .chain((dims) =>
    fc.tuple(
      vectors(dims),
      fc.array(fc.array(vectors(dims), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
    ),
  );

test("a cosine always lies between its bounds, which are close", () => {
  fc.assert(
    fc.property(cases, ([query, items]) => {
      const bounds = new CosineBounds(query, items.flat().length);
      const records = joined(items.map((own, index) => recordsOf(index + 2 ** 40, own)));
      // Shifted by a byte, as drivers hand out bytes.
      const pack = new Uint8Array(records.length + 1);
      pack.set(records, 1);
      bounds.read(pack.subarray(1));
      expect(bounds.length).toBe(items.length);
      items.forEach((own, index) => {
        const exact = nearestCosine(own, query);
        expect(bounds.items[index]).toBe(index + 2 ** 40);
        expect(bounds.lower[index]).toBeLessThanOrEqual(exact);
        expect(bounds.upper[index]).toBeGreaterThanOrEqual(exact);
        expect((bounds.upper[index] ?? 0) - (bounds.lower[index] ?? 0)).toBeLessThan(0.06);
      });
    }),
    { numRuns: 300 },
  );
});

test("the items that can be among the nearest are always among those between", () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 12 }), ([query, items], wanted) => {
      const bounds = new CosineBounds(query, items.flat().length);
      bounds.read(joined(items.map((own, index) => recordsOf(index, own))));
      const from = bounds.reachedBy(wanted);
      const candidates = bounds.between(from, Number.POSITIVE_INFINITY);
      const nearest = items
        .map((own, index) => ({ index, score: nearestCosine(own, query) }))
        .sort((left, right) => right.score - left.score)
        .slice(0, wanted);
      for (const { index } of nearest) expect(candidates).toContain(index);
      expect(bounds.between(Number.NEGATIVE_INFINITY, from).every((id) => !candidates.includes(id))).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});

test("sums of large codes do not overflow, with vectors of many dims", () => {
  for (const dims of [1, 3, 384, 1536, 4096, 20_000]) {
    const flat = unitVector(Array.from({ length: dims }, () => 1)) ?? new Float32Array(dims);
    const bounds = new CosineBounds(flat, 1);
    bounds.read(recordsOf(1, [flat]));
    expect(bounds.upper[0]).toBeGreaterThanOrEqual(0.999);
    expect(bounds.lower[0]).toBeGreaterThan(0.99);
  }
});

test("the records of some items are taken out of a row, the others stay as they are", () => {
  const vector = unitVector([1, 2, 3]) ?? new Float32Array(3);
  const [one, two, three] = [recordsOf(1, [vector, vector]), recordsOf(2, [vector]), recordsOf(3, [vector])];
  const pack = joined([one, two, three]);
  expect(withoutItems(pack, 4, new Set([1, 9]))).toEqual(joined([two, three]));
  expect(withoutItems(pack, 4, new Set([2]))).toEqual(joined([one, three]));
  expect(withoutItems(pack, 4, new Set([1, 2, 3]))).toHaveLength(0);
});
