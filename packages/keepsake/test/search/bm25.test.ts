import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentTerms, keywordScorer, queryTerms } from "../../src/search/index.ts";

const text = (content: string, weight = 1) => documentTerms([{ text: content, weight }]);

describe("documentTerms", () => {
  test("frequencies are weighted, in hundredths of an occurrence", () => {
    const { frequencies, length } = documentTerms([
      { text: "tea tea", weight: 1 },
      { text: "tea milk", weight: 0.3 },
      { text: "sugar", weight: 2.5 },
    ]);
    expect(Object.fromEntries(frequencies)).toEqual({ tea: 230, milk: 30, sugar: 250 });
    expect(length).toBe(510);
  });
});

describe("queryTerms", () => {
  test("each term once, weighted by how often it occurs", () => {
    expect(queryTerms("green tea, Green!")).toEqual([
      { term: "green", weight: 2 },
      { term: "tea", weight: 1 },
    ]);
  });
});

test("a query of very many words keeps those that it repeats, and the first", () => {
  const many = Array.from({ length: 1000 }, (_, n) => `w${n}`);
  const terms = queryTerms(`${many.join(" ")} w777 w888`).map(({ term }) => term);
  expect(terms).toHaveLength(256);
  expect(terms.slice(0, 4)).toEqual(["w777", "w888", "w0", "w1"]);
});

describe("keywordScorer", () => {
  const query = queryTerms("green tea");
  const statistics = { documents: 10, totalLength: 5000, documentFrequencies: [2, 5] };
  const scorer = keywordScorer(query, statistics);

  test("is Okapi BM25 with k1 = 1.2 and b = 0.4", () => {
    const idf = (frequency: number): number => Math.log(1 + (10 - frequency + 0.5) / (frequency + 0.5));
    const part = (frequency: number, occurrences: number, length: number): number =>
      (idf(frequency) * occurrences * 2.2) / (occurrences + 1.2 * (0.6 + (0.4 * length) / 5));
    const { score } = scorer.score([100, 300], 700);
    expect(score).toBeCloseTo(part(2, 1, 7) + part(5, 3, 7), 12);
  });

  test("a document that is the query has the share 1; one with a part of it, less; one with nothing, 0", () => {
    const { frequencies, length } = text("green tea");
    expect(scorer.score([frequencies.get("green") ?? 0, frequencies.get("tea") ?? 0], length).share).toBe(1);
    expect(scorer.score([100, 0], 200).share).toBeGreaterThan(0);
    expect(scorer.score([100, 0], 200).share).toBeLessThan(1);
    expect(scorer.score([0, 0], 200)).toEqual({ score: 0, share: 0 });
  });

  test("an empty collection and an empty query are no division by zero", () => {
    const empty = keywordScorer(query, { documents: 0, totalLength: 0, documentFrequencies: [0, 0] });
    expect(empty.score([100, 100], 200).score).toBeGreaterThan(0);
    expect(keywordScorer([], statistics).score([], 100)).toEqual({ score: 0, share: 0 });
  });

  test("no document scores more than the bounds of its terms, and a share is between 0 and 1", () => {
    const frequency = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(frequency, frequency, fc.nat(100_000), fc.nat(400), (green, tea, extra, room) => {
        const { score, share } = scorer.score([green, tea], green + tea + extra);
        const bound = scorer.bound(0, green + room) + scorer.bound(1, tea + room);
        expect(score).toBeLessThanOrEqual(bound * (1 + 1e-9));
        expect(bound).toBeLessThanOrEqual(
          (scorer.bound(0, Number.POSITIVE_INFINITY) + scorer.bound(1, Number.POSITIVE_INFINITY)) *
            (1 + 1e-9),
        );
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }),
    );
  });
});
