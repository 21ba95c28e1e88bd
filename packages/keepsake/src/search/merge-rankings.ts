/** How a keyword and a vector ranking become one. */
export interface Ranking {
  /** How much a place in the keyword ranking counts. */
  readonly keyword: number;
  /** How much a place in the vector ranking counts. */
  readonly vector: number;
  /** How little the first places count above those behind them: from place 1 to place k + 2 the value halves. */
  readonly k: number;
}

/** What a search says of an item that it found. */
export interface Hit {
  /** Comparable within one result list: BM25, cosine, or the sum of both rankings. */
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

/** So many places of each ranking are merged; the other items that have a word of the query follow in their order. */
export const mergeDepth = 100;

/** How many places of the keyword ranking {@link mergeRankings} needs, for the first `wanted` of the result to be exact. */
export function keywordDepth(wanted: number): number {
  return Math.max(wanted, mergeDepth);
}

/**
 * Weighted reciprocal rank fusion (after Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009): each of the first
 * {@link mergeDepth} places of a ranking gives weight / (k + place). Items of equal score share a place. The result depends on the rankings
 * alone, not on how much of it is asked for, so that pages fit together.
 *
 * Both rankings are sorted, best first: of the keyword ranking at least {@link keywordDepth} places, of the vector ranking at least
 * {@link mergeDepth}, each with all that are equal to its last.
 */
export function mergeRankings<Id>(
  keyword: readonly Ranked<Id>[],
  vector: readonly Ranked<Id>[],
  ranking: Ranking,
): Ranked<Id>[] {
  const scores = new Map<Id, number>();
  const add = (list: readonly Ranked<Id>[], weight: number): void => {
    for (const { id, place } of withPlaces(list)) {
      if (place > mergeDepth) break;
      scores.set(id, (scores.get(id) ?? 0) + weight / (ranking.k + place));
    }
  };
  add(keyword, ranking.keyword);
  add(vector, ranking.vector);
  // Less than any place among the first gives, in either ranking.
  const least = Math.min(ranking.keyword, ranking.vector);
  for (const { id, place } of withPlaces(keyword)) {
    if (place > mergeDepth && !scores.has(id)) scores.set(id, least / (ranking.k + place));
  }
  return Array.from(scores, ([id, score]) => ({ id, score })).sort((left, right) => right.score - left.score);
}

function withPlaces<Id>(list: readonly Ranked<Id>[]): { id: Id; place: number }[] {
  let place = 1;
  return list.map(({ id, score }, index) => {
    if (score !== list[index - 1]?.score) place = index + 1;
    return { id, place };
  });
}
