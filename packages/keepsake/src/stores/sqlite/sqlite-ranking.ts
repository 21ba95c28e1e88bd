import {
  type FilterPredicate,
  type KeywordScore,
  type KeywordScorer,
  keywordScorer,
  mergeRankings,
  nearestCosine,
  type QueryTerm,
  type Ranked,
} from "../../search/index.ts";
import {
  compareFound,
  type FoundItem,
  type PlannedQuery,
  type SearchPlan,
  valueFromJson,
} from "../../store/index.ts";
import { byBound, findCandidates } from "./sqlite-candidates.ts";
import { vectorsById } from "./sqlite-embeddings.ts";
import { idsIn } from "./sqlite-ids.ts";
import { frequencyIn, itemsById } from "./sqlite-items.ts";
import { CosineBounds } from "./sqlite-packs.ts";
import { all, bytes, integer, type Program, text } from "./sqlite-program.ts";
import { inScope, type Scope } from "./sqlite-scope.ts";

/** Items read at a time. */
const chunkSize = 500;
/** Rows of vectors read at a time: some megabytes. */
const packChunk = 100;

/** The first items of a query, up to the end of the page asked for. */
export function* searchRanked(plan: SearchPlan, query: PlannedQuery, scope: Scope): Program<FoundItem[]> {
  const wanted = plan.limit + plan.offset;
  const { terms, vector, ranking } = query;
  const keyword = terms.length === 0 ? undefined : yield* rankByKeyword(terms, scope, plan.matches, wanted);
  if (vector === undefined) return yield* inOrder(keyword?.ranked ?? [], wanted, query, keyword?.scorer);
  const byVector = yield* rankByVector(vector, scope, plan, keyword === undefined ? wanted : ranking.k);
  if (keyword === undefined) return yield* inOrder(byVector, wanted, query, undefined);
  const scores = yield* keywordScores(
    byVector.map(({ id }) => id),
    terms,
    keyword.scorer,
  );
  const merged = mergeRankings(keyword.ranked, byVector, (id) => scores.get(id)?.score ?? 0, ranking);
  return yield* inOrder(keepBest(merged, wanted), wanted, query, keyword.scorer);
}

interface KeywordRanking {
  readonly ranked: readonly Ranked<number>[];
  readonly scorer: KeywordScorer;
}

/**
 * The best items for the terms, exactly as if every candidate had been scored: candidates are read in the order of the most that they can
 * score, until the most that the next can score is less than what the last wanted item has.
 */
function* rankByKeyword(
  terms: readonly QueryTerm[],
  scope: Scope,
  matches: FilterPredicate | undefined,
  wanted: number,
): Program<KeywordRanking> {
  const candidates = yield* findCandidates(terms, scope);
  const scorer = keywordScorer(terms, candidates);
  let top: Ranked<number>[] = [];
  for (const { bound, ids } of byBound(candidates, scorer, 2 * wanted + 50)) {
    const least = leastScore(top, wanted);
    // Sums of the same numbers in another order differ in their last digits.
    if (bound * (1 + 1e-9) < least) break;
    const scored = yield* keywordScores(ids, terms, scorer);
    const better: Ranked<number>[] = [];
    for (const [id, { score }] of scored) if (score >= least) better.push({ id, score });
    top = keepBest([...top, ...(yield* matching(better, matches))], wanted);
  }
  return { ranked: top, scorer };
}

/**
 * The items nearest to a vector, exactly as if the vectors of all had been read: only of those that can be near enough, by what their short
 * forms say, the vectors are.
 */
function* rankByVector(
  query: Float32Array,
  scope: Scope,
  { matches, signal }: SearchPlan,
  wanted: number,
): Program<Ranked<number>[]> {
  const bounds = yield* readBounds(query, scope, signal);
  let top: Ranked<number>[] = [];
  let below = Number.POSITIVE_INFINITY;
  for (let count = wanted; ; count *= 4) {
    const from = bounds.reachedBy(count);
    top = keepBest([...top, ...(yield* nearest(bounds.between(from, below), query, matches))], wanted);
    if (from === Number.NEGATIVE_INFINITY || leastScore(top, wanted) >= from) return top;
    below = from;
  }
}

function* readBounds(
  query: Float32Array,
  scope: Scope,
  signal: AbortSignal | undefined,
): Program<CosineBounds> {
  const [totals] = yield* all(
    `SELECT group_concat(p.id) AS ids, total(p.records) AS records
     FROM keepsake_namespaces n CROSS JOIN keepsake_packs p ON p.namespace = n.id WHERE ${inScope}`,
    ...scope,
  );
  const bounds = new CosineBounds(query, integer(totals, "records"));
  const ids = idsIn(totals?.ids).sort();
  for (let start = 0; start < ids.length; start += packChunk) {
    signal?.throwIfAborted();
    const rows = yield* all(
      "SELECT p.codes FROM json_each(?) wanted CROSS JOIN keepsake_packs p ON p.id = wanted.value",
      JSON.stringify([...ids.slice(start, start + packChunk)]),
    );
    for (const row of rows) bounds.read(bytes(row, "codes"));
  }
  return bounds;
}

function* nearest(
  ids: readonly number[],
  query: Float32Array,
  matches: FilterPredicate | undefined,
): Program<Ranked<number>[]> {
  const ranked: Ranked<number>[] = [];
  for (let start = 0; start < ids.length; start += chunkSize) {
    const vectors = yield* vectorsById(ids.slice(start, start + chunkSize), query.length);
    const chunk = Array.from(vectors, ([id, own]) => ({ id, score: nearestCosine(own, query) }));
    ranked.push(...(yield* matching(chunk, matches)));
  }
  return ranked;
}

/** What an item must score to be among the first; nothing is excluded while there are too few. */
function leastScore(top: readonly Ranked<number>[], wanted: number): number {
  return top[wanted - 1]?.score ?? Number.NEGATIVE_INFINITY;
}

/** The best, sorted, and all that are equal to the last of them. */
function keepBest(ranked: Ranked<number>[], wanted: number): Ranked<number>[] {
  ranked.sort((left, right) => right.score - left.score);
  const least = leastScore(ranked, wanted);
  return ranked.filter(({ score }) => score >= least);
}

function* matching(
  ranked: Ranked<number>[],
  matches: FilterPredicate | undefined,
): Program<Ranked<number>[]> {
  if (matches === undefined || ranked.length === 0) return ranked;
  const items = yield* itemsById(ranked.map(({ id }) => id));
  return ranked.filter(({ id }) => matches(valueFromJson(items.get(id)?.json ?? "{}")));
}

function* keywordScores(
  ids: readonly number[],
  terms: readonly QueryTerm[],
  scorer: KeywordScorer,
): Program<Map<number, KeywordScore>> {
  const rows = yield* all(
    "SELECT d.item, d.length, d.terms FROM json_each(?) wanted CROSS JOIN keepsake_documents d ON d.item = wanted.value",
    JSON.stringify(ids),
  );
  return new Map(
    rows.map((row) => {
      const lines = text(row, "terms");
      const frequencies = terms.map(({ term }) => frequencyIn(lines, term));
      return [integer(row, "item"), scorer.score(frequencies, integer(row, "length"))];
    }),
  );
}

/** The first items by score, with all that a search says of them; those of equal score newest first. */
function* inOrder(
  ranked: readonly Ranked<number>[],
  wanted: number,
  { terms, vector }: PlannedQuery,
  scorer: KeywordScorer | undefined,
): Program<FoundItem[]> {
  const found: FoundItem[] = [];
  for (let start = 0; start < ranked.length; start += chunkSize) {
    const chunk = ranked.slice(start, start + chunkSize);
    const ids = chunk.map(({ id }) => id);
    const items = yield* itemsById(ids);
    const keywords = scorer && (yield* keywordScores(ids, terms, scorer));
    const vectors = vector && (yield* vectorsById(ids, vector.length));
    for (const { id, score } of chunk) {
      const item = items.get(id);
      const own = vectors?.get(id);
      const keyword = keywords && (keywords.get(id)?.share ?? 0);
      if (item !== undefined)
        found.push({ item, hit: { score, keyword, vector: own && vector && nearestCosine(own, vector) } });
    }
  }
  return found.sort(compareFound).slice(0, wanted);
}
