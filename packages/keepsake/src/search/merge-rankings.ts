/** How a keyword and a vector ranking become one. */
export interface Ranking {
  /** What the best keyword match gets. */
  readonly keyword: number;
  /** What the nearest item gets. */
  readonly vector: number;
  /** So many of the nearest items get anything for being near, the last of them nothing. */
  readonly k: number;
}

/** What a search says of an item that it found. */
export interface Hit {
  /** Comparable within one result list: BM25, cosine, or the sum of what both rankings give. */
  readonly score: number;
  /** The share of the query's best possible keyword score, 0 to 1; `undefined` where the query has no terms. */
  readonly keyword: number | undefined;
  /** Cosine; `undefined` where the query or the item has no vector. */
  readonly vector: number | undefined;
}

/** An item's place in a ranking. */
export interface Ranked<Id> {
  readonly id: Id;
  readonly score: number;
}

/**
 * One ranking out of two, by their scores: an item gets `keyword` times its BM25 score in proportion to the best, and, as one of the `k`
 * nearest, `vector` times its cosine in proportion to the nearest and the last of them. The result depends on the rankings alone, not on how much
 * of it is asked for, so that pages fit together.
 *
 * Both rankings are sorted, best first, with all that are equal to their last: `byKeyword` as many places as of the result are wanted, `byVector`
 * `k` places. `keywordScoreOf` tells the BM25 score of any item of `byVector`; 0 where it has no term of the query.
 */
export function mergeRankings<Id>(
  byKeyword: readonly Ranked<Id>[],
  byVector: readonly Ranked<Id>[],
  keywordScoreOf: (id: Id) => number,
  { keyword, vector, k }: Ranking,
): Ranked<Id>[] {
  const best = byKeyword[0]?.score ?? 0;
  const nearest = byVector[0]?.score ?? 0;
  const last = byVector[Math.min(k, byVector.length) - 1]?.score ?? 0;
  const forWords = (score: number): number => (best > 0 ? (keyword * score) / best : 0);
  const forNearness = (cosine: number): number =>
    nearest > last ? (vector * (cosine - last)) / (nearest - last) : vector;
  const scores = new Map(byKeyword.map(({ id, score }) => [id, forWords(score)]));
  for (const { id, score } of byVector) scores.set(id, forWords(keywordScoreOf(id)) + forNearness(score));
  return Array.from(scores, ([id, score]) => ({ id, score })).sort((left, right) => right.score - left.score);
}
