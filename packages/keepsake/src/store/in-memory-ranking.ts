import {
  type KeywordScore,
  type KeywordScorer,
  keywordScorer,
  mergeRankings,
  nearestCosine,
  type QueryTerm,
  type Ranked,
} from "../search/index.ts";
import type { FoundItem, PlannedQuery, SearchPlan } from "./backend.ts";
import type { Bucket, Entry, Posting } from "./in-memory-bucket.ts";
import { compareFound } from "./order.ts";

/** What a query finds in some namespaces, the best first: at least as far as the end of the page that is asked for. */
export function ranked(
  buckets: readonly Bucket[],
  { terms, vector, ranking }: PlannedQuery,
  { matches, offset, limit }: Pick<SearchPlan, "matches" | "offset" | "limit">,
): FoundItem[] {
  const isMatch = ({ value }: Entry): boolean => matches?.(value) ?? true;
  const words = keywordsIn(buckets, terms);
  const byKeyword = bestByKeyword(words, isMatch, offset + limit);
  const byVector = sorted(
    vector === undefined ? [] : buckets.flatMap(({ entries }) => [...entries.values()]).filter(isMatch),
    ({ embedding }) => vector && embedding && nearestCosine(embedding.vectors, vector),
  );
  const nearest = firstPlaces(byVector, ranking.k);
  const merged =
    vector === undefined
      ? byKeyword
      : terms.length === 0
        ? byVector
        : mergeRankings(byKeyword, nearest, (entry) => words.scoreOf(entry).score, ranking);
  return firstPlaces(merged, offset + limit)
    .map(({ id: item, score }) => ({
      item,
      hit: {
        score,
        keyword: terms.length === 0 ? undefined : words.scoreOf(item).share,
        vector: vector && item.embedding && nearestCosine(item.embedding.vectors, vector),
      },
    }))
    .sort(compareFound);
}

/** The words of a query, as they occur in some namespaces. */
interface Keywords {
  /** For each term the entries that have it, and the most that it adds to the score of one. */
  readonly terms: readonly { readonly postings: readonly Posting[]; readonly bound: number }[];
  /** Made once for each entry. */
  scoreOf(entry: Entry): KeywordScore;
}

function keywordsIn(buckets: readonly Bucket[], terms: readonly QueryTerm[]): Keywords {
  const postings = terms.map(({ term }) => buckets.flatMap((bucket) => bucket.postings.get(term) ?? []));
  const scorer = keywordScorer(terms, {
    documents: sum(buckets.map(({ documents }) => documents)),
    totalLength: sum(buckets.map(({ totalLength }) => totalLength)),
    documentFrequencies: postings.map((found) => sum(found.map(({ entries }) => entries.size))),
  });
  return {
    terms: postings.map((found, index) => {
      const maxFrequency = found.reduce((most, posting) => Math.max(most, posting.maxFrequency), 0);
      return { postings: found, bound: scorer.bound(index, maxFrequency) };
    }),
    scoreOf: keywordScores(terms, scorer),
  };
}

/** Sums of floating-point numbers depend on their order. */
const roundedUp = 1 + 1e-9;

/**
 * The best matches by words: so many places, with all that are equal to the last, and others below. The words that can add most are looked
 * up first. Once those that remain could not lift an entry without the others to the last place, their entries are left out: MaxScore (Turtle and
 * Flood, "Query evaluation: strategies and optimizations", 1995).
 */
function bestByKeyword(
  { terms, scoreOf }: Keywords,
  isMatch: (entry: Entry) => boolean,
  places: number,
): Ranked<Entry>[] {
  const seen = new Set<Entry>();
  const found: Ranked<Entry>[] = [];
  const best = [...terms].sort((left, right) => right.bound - left.bound);
  for (const [index, { postings }] of best.entries()) {
    const most = sum(best.slice(index).map(({ bound }) => bound));
    if (countAbove(found, most * roundedUp) >= places) break;
    for (const { entries } of postings) {
      for (const entry of entries) {
        if (seen.size === seen.add(entry).size || !isMatch(entry)) continue;
        found.push({ id: entry, score: scoreOf(entry).score });
      }
    }
  }
  return found.sort(byScore);
}

function countAbove(found: readonly Ranked<Entry>[], least: number): number {
  let count = 0;
  for (const { score } of found) if (score > least) count += 1;
  return count;
}

function sorted(entries: readonly Entry[], scoreOf: (entry: Entry) => number | undefined): Ranked<Entry>[] {
  return entries
    .flatMap((id) => {
      const score = scoreOf(id);
      return score === undefined ? [] : [{ id, score }];
    })
    .sort(byScore);
}

function byScore(left: Ranked<Entry>, right: Ranked<Entry>): number {
  return right.score - left.score;
}

/** So many places of a ranking, with all that are equal to the last. */
function firstPlaces(ranking: readonly Ranked<Entry>[], places: number): Ranked<Entry>[] {
  const least = ranking[places - 1]?.score ?? Number.NEGATIVE_INFINITY;
  return ranking.filter(({ score }) => score >= least);
}

function keywordScores(terms: readonly QueryTerm[], scorer: KeywordScorer): Keywords["scoreOf"] {
  const scores = new Map<Entry, KeywordScore>();
  return (entry) => {
    const known = scores.get(entry);
    if (known !== undefined) return known;
    const frequencies = terms.map(({ term }) => entry.terms?.frequencies.get(term) ?? 0);
    const score = scorer.score(frequencies, entry.terms?.length ?? 0);
    scores.set(entry, score);
    return score;
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
