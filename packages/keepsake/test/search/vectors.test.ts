import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cosine, mergeRankings, nearestCosine, type Ranked, unitVector } from "../../src/search/index.ts";

describe("unit vectors", () => {
  test("have length one, whatever the size of the numbers", () => {
    for (const scale of [1e-200, 1e-30, 1, 1e30, 1e200]) {
      const unit = unitVector([3 * scale, -4 * scale, 0]);
      expect(Array.from(unit ?? [], (number) => Math.round(number * 1e6) / 1e6)).toEqual([0.6, -0.8, 0]);
    }
  });

  test.each([[[0, 0]], [[]], [[1, Number.NaN]], [[Number.POSITIVE_INFINITY, 1]]])(
    "are not made of %j, which has no direction",
    (vector) => {
      expect(unitVector(vector)).toBeUndefined();
    },
  );

  test("an item is as near as the nearest of its vectors", () => {
    const [east, north, northEast] = [
      [1, 0],
      [0, 1],
      [1, 1],
    ].map((vector) => unitVector(vector));
    if (east === undefined || north === undefined || northEast === undefined) throw new Error("no vectors");
    expect(cosine(east, north)).toBe(0);
    expect(nearestCosine([east, north], northEast)).toBeCloseTo(Math.SQRT1_2, 6);
    expect(nearestCosine([east, northEast], northEast)).toBeCloseTo(1, 6);
  });
});

const list = (...scores: [string, number][]): Ranked<string>[] =>
  scores.map(([id, score]) => ({ id, score }));
const none = (): number => 0;

describe("merged rankings", () => {
  const ranking = { keyword: 1, vector: 0.5, k: 3 };

  test("add the scores in proportion: words to the best, vectors to the nearest and the k-th nearest", () => {
    const byKeyword = list(["a", 8], ["b", 6], ["c", 2]);
    const byVector = list(["b", 0.9], ["d", 0.8], ["e", 0.7]);
    const scores: Readonly<Record<string, number>> = { b: 6, d: 1 };
    const merged = mergeRankings(byKeyword, byVector, (id) => scores[id] ?? 0, ranking);
    expect(merged.map(({ id }) => id)).toEqual(["b", "a", "d", "c", "e"]);
    expect(merged.map(({ score }) => Math.round(score * 1e6) / 1e6)).toEqual([1.25, 1, 0.375, 0.25, 0]);
  });

  test("a heavier ranking has more say", () => {
    const first = (vector: number): string | undefined =>
      mergeRankings(list(["a", 2], ["b", 1]), list(["b", 0.9], ["c", 0.1]), (id) => (id === "b" ? 1 : 0), {
        ...ranking,
        vector,
      })[0]?.id;
    expect(first(0.4)).toBe("a");
    expect(first(0.6)).toBe("b");
  });

  test("items that are equal in both get the same; one that is alone near gets all", () => {
    const merged = mergeRankings(list(["a", 1], ["b", 1]), list(["a", 0.3], ["b", 0.3]), () => 1, ranking);
    expect(merged.map(({ score }) => score)).toEqual([1.5, 1.5]);
    expect(mergeRankings([], list(["a", 0.2]), none, ranking)).toEqual([{ id: "a", score: 0.5 }]);
    expect(mergeRankings(list(["a", 3]), [], none, ranking)).toEqual([{ id: "a", score: 1 }]);
  });

  test("as many places as are wanted give the first results of the whole rankings", () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 100 }), { maxLength: 80 });
    const ranked = (numbers: number[]): Ranked<number>[] =>
      numbers.map((id, index) => ({ id, score: 100 - Math.floor(index / 2) }));
    const cut = (whole: Ranked<number>[], places: number): Ranked<number>[] =>
      whole.filter(({ score }) => score >= (whole[places - 1]?.score ?? Number.NEGATIVE_INFINITY));
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 1, max: 90 }), (words, vectors, wanted) => {
        const [byKeyword, byVector] = [ranked(words), cut(ranked(vectors), ranking.k)];
        const scoreOf = (id: number): number => byKeyword.find((item) => item.id === id)?.score ?? 0;
        const first = (places: Ranked<number>[]): number[] =>
          mergeRankings(places, byVector, scoreOf, ranking)
            .slice(0, wanted)
            .map(({ score }) => score);
        expect(first(cut(byKeyword, wanted))).toEqual(first(byKeyword));
      }),
      { numRuns: 200 },
    );
  });
});
