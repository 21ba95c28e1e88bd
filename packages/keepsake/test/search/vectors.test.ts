import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cosine,
  keywordDepth,
  mergeDepth,
  mergeRankings,
  nearestCosine,
  type Ranked,
  unitVector,
} from "../../src/search/index.ts";

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

const list = (...ids: string[]): Ranked<string>[] => ids.map((id, index) => ({ id, score: 10 - index }));
const order = (ranked: readonly Ranked<string>[]): string[] => ranked.map(({ id }) => id);

describe("merged rankings", () => {
  const ranking = { keyword: 1, vector: 0.5, k: 10 };

  test("add weight / (k + place) of both", () => {
    const merged = mergeRankings(list("a", "b"), list("b", "c"), ranking);
    expect(order(merged)).toEqual(["b", "a", "c"]);
    expect(merged[0]?.score).toBeCloseTo(1 / 12 + 0.5 / 11, 12);
    expect(merged[2]?.score).toBeCloseTo(0.5 / 12, 12);
  });

  test("a heavier ranking has more say", () => {
    const [words, vectors] = [list("a", "b"), list("b", "a")];
    expect(order(mergeRankings(words, vectors, ranking))[0]).toBe("a");
    expect(order(mergeRankings(words, vectors, { ...ranking, vector: 2 }))[0]).toBe("b");
  });

  test("equal scores share a place", () => {
    const equal = ["a", "b", "c"].map((id) => ({ id, score: 1 }));
    const scores = mergeRankings([...equal, { id: "d", score: 0.5 }], [], ranking).map(({ score }) => score);
    expect(new Set(scores.slice(0, 3)).size).toBe(1);
    expect(scores[3]).toBeCloseTo(1 / 14, 12);
  });

  test("keyword matches behind the merged places follow in their order, below all of these", () => {
    const words = Array.from({ length: mergeDepth + 50 }, (_, n) => ({ id: `w${n}`, score: 1000 - n }));
    const vectors = Array.from({ length: mergeDepth + 50 }, (_, n) => ({ id: `v${n}`, score: 1 - n / 1000 }));
    const merged = mergeRankings(words, vectors, ranking);
    expect(merged).toHaveLength(2 * mergeDepth + 50);
    expect(order(merged).slice(-50)).toEqual(order(words).slice(-50));
    expect([...merged].sort((left, right) => right.score - left.score)).toEqual(merged);
  });

  test("so many places as keywordDepth says give the first results of the whole rankings", () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 300 });
    const ranked = (numbers: number[]): Ranked<number>[] =>
      numbers.map((id, index) => ({ id, score: -Math.floor(index / 2) }));
    const cut = (whole: Ranked<number>[], places: number): Ranked<number>[] =>
      whole.filter(({ score }) => score >= (whole[places - 1]?.score ?? Number.NEGATIVE_INFINITY));
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 1, max: 250 }), (words, vectors, wanted) => {
        const [first, second] = [ranked(words), ranked(vectors)];
        const scores = (merged: Ranked<number>[]): number[] =>
          merged.slice(0, wanted).map(({ score }) => score);
        expect(
          scores(mergeRankings(cut(first, keywordDepth(wanted)), cut(second, mergeDepth), ranking)),
        ).toEqual(scores(mergeRankings(first, second, ranking)));
      }),
      { numRuns: 150 },
    );
  });
});
