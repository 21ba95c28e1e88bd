import {
  type FilterPredicate,
  type KeywordScore,
  type KeywordScorer,
  keywordScorer,
  type QueryTerm,
} from "../../search/index.ts";
import {
  compareFound,
  decodeNamespace,
  type FoundItem,
  type Namespace,
  namespaceRange,
  type SearchPlan,
  type StoredItem,
  valueFromJson,
} from "../../store/index.ts";
import { byBound, findCandidates } from "./sqlite-candidates.ts";
import { idsIn } from "./sqlite-ids.ts";
import { frequencyIn, type ItemId, itemColumns, itemOf } from "./sqlite-items.ts";
import { all, integer, type Program, text } from "./sqlite-program.ts";
import { inScope, type Scope, scopeOf } from "./sqlite-scope.ts";

/** Items read at a time. */
const chunkSize = 500;

/** One page of a search. */
export function* searchItems(plan: SearchPlan): Program<FoundItem[]> {
  const scope = scopeOf(plan.prefix);
  const found =
    plan.query === undefined
      ? yield* searchNewest(plan, scope)
      : yield* searchRanked(plan, plan.query.terms, scope);
  return found.slice(plan.offset, plan.offset + plan.limit);
}

function* searchNewest({ matches, limit, offset }: SearchPlan, scope: Scope): Program<FoundItem[]> {
  const wanted = limit + offset;
  const ids = yield* newestIds(scope, matches === undefined ? wanted : -1);
  const items = yield* firstMatching(ids, matches, wanted);
  return items.map((item) => ({ item, hit: undefined }));
}

/** Ids of the newest items in order; all of them where `limit` is -1. In a single namespace an index has them in this order. */
function* newestIds(scope: Scope, limit: number): Program<Float64Array> {
  const [only, second] = yield* all(
    `SELECT n.id FROM keepsake_namespaces n WHERE ${inScope} LIMIT 2`,
    ...scope,
  );
  const [row] =
    only !== undefined && second === undefined
      ? yield* all(
          `SELECT group_concat(id) AS ids FROM (
             SELECT id FROM keepsake_items WHERE namespace = ? ORDER BY updated_at DESC, key LIMIT ?
           )`,
          integer(only, "id"),
          limit,
        )
      : yield* all(
          `SELECT group_concat(id) AS ids FROM (
             SELECT i.id FROM keepsake_namespaces n JOIN keepsake_items i ON i.namespace = n.id WHERE ${inScope}
             ORDER BY i.updated_at DESC, i.key, n.name LIMIT ?
           )`,
          ...scope,
          limit,
        );
  return idsIn(row?.ids);
}

function* firstMatching(
  ids: Float64Array,
  matches: FilterPredicate | undefined,
  wanted: number,
): Program<StoredItem[]> {
  const chosen: StoredItem[] = [];
  for (let start = 0; start < ids.length && chosen.length < wanted; start += chunkSize) {
    const items = yield* itemsById([...ids.slice(start, start + chunkSize)]);
    for (const item of items.values()) if (matches?.(valueFromJson(item.json)) ?? true) chosen.push(item);
  }
  return chosen.slice(0, wanted);
}

/** Items by id, in the order of the ids. */
function* itemsById(ids: readonly number[]): Program<Map<number, StoredItem>> {
  const rows = yield* all(
    `SELECT ${itemColumns} FROM json_each(?) wanted CROSS JOIN keepsake_items i ON i.id = wanted.value
     JOIN keepsake_namespaces n ON n.id = i.namespace ORDER BY wanted.key`,
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [integer(row, "id"), itemOf(row)]));
}

interface Scored {
  readonly id: number;
  readonly keyword: KeywordScore;
}

/**
 * The best items for a query, exactly as if every candidate had been scored: candidates are read in the order of the most that they can
 * score, until the most that the next can score is less than what the page's last item has.
 */
function* searchRanked(plan: SearchPlan, query: readonly QueryTerm[], scope: Scope): Program<FoundItem[]> {
  const candidates = yield* findCandidates(query, scope);
  const scorer = keywordScorer(query, candidates);
  const wanted = plan.limit + plan.offset;
  let top: Scored[] = [];
  for (const { bound, ids } of byBound(candidates, scorer, 2 * wanted + 50)) {
    const least = leastScore(top, wanted);
    // Sums of the same numbers in another order differ in their last digits.
    if (bound * (1 + 1e-9) < least) break;
    const scored = yield* score(ids, query, scorer);
    const better = scored.filter(({ keyword }) => keyword.score >= least);
    top = keepBest([...top, ...(yield* matching(better, plan.matches))], wanted);
  }
  return yield* inOrder(top, wanted);
}

/** What an item must score to be among the first; nothing is excluded while there are too few. */
function leastScore(top: readonly Scored[], wanted: number): number {
  return top[wanted - 1]?.keyword.score ?? Number.NEGATIVE_INFINITY;
}

/** The best, sorted, and all that are equal to the last of them. */
function keepBest(scored: Scored[], wanted: number): Scored[] {
  scored.sort((left, right) => right.keyword.score - left.keyword.score);
  const least = leastScore(scored, wanted);
  return scored.filter(({ keyword }) => keyword.score >= least);
}

function* matching(scored: Scored[], matches: FilterPredicate | undefined): Program<Scored[]> {
  if (matches === undefined || scored.length === 0) return scored;
  const items = yield* itemsById(scored.map(({ id }) => id));
  return scored.filter(({ id }) => matches(valueFromJson(items.get(id)?.json ?? "{}")));
}

function* score(
  ids: readonly number[],
  query: readonly QueryTerm[],
  scorer: KeywordScorer,
): Program<Scored[]> {
  const rows = yield* all(
    "SELECT d.item, d.length, d.terms FROM json_each(?) wanted CROSS JOIN keepsake_documents d ON d.item = wanted.value",
    JSON.stringify(ids),
  );
  return rows.map((row) => {
    const lines = text(row, "terms");
    const frequencies = query.map(({ term }) => frequencyIn(lines, term));
    return { id: integer(row, "item"), keyword: scorer.score(frequencies, integer(row, "length")) };
  });
}

/** The first items by score; those of equal score newest first. */
function* inOrder(top: readonly Scored[], wanted: number): Program<FoundItem[]> {
  const found: FoundItem[] = [];
  for (let start = 0; start < top.length; start += chunkSize) {
    const chunk = top.slice(start, start + chunkSize);
    const items = yield* itemsById(chunk.map(({ id }) => id));
    for (const { id, keyword } of chunk) {
      const item = items.get(id);
      if (item !== undefined)
        found.push({ item, hit: { score: keyword.score, keyword: keyword.share, vector: undefined } });
    }
  }
  return found.sort(compareFound).slice(0, wanted);
}

/** All namespaces under a prefix. */
export function* listNamespaces(prefix: Namespace): Program<string[][]> {
  const { from, to } = namespaceRange(prefix);
  const rows = yield* all("SELECT name FROM keepsake_namespaces WHERE name >= ? AND name < ?", from, to);
  return rows.map((row) => decodeNamespace(text(row, "name")));
}

/** The items under a prefix that satisfy a filter. */
export function* matchingItems(prefix: Namespace, matches: FilterPredicate | undefined): Program<ItemId[]> {
  const rows = yield* all(
    `SELECT i.id, i.namespace FROM keepsake_namespaces n JOIN keepsake_items i ON i.namespace = n.id WHERE ${inScope}`,
    ...scopeOf(prefix),
  );
  const items = rows.map((row) => ({ id: integer(row, "id"), namespace: integer(row, "namespace") }));
  if (matches === undefined) return items;
  const chosen: ItemId[] = [];
  for (let start = 0; start < items.length; start += chunkSize) {
    const chunk = items.slice(start, start + chunkSize);
    const values = yield* itemsById(chunk.map(({ id }) => id));
    chosen.push(...chunk.filter(({ id }) => matches(valueFromJson(values.get(id)?.json ?? "{}"))));
  }
  return chosen;
}

/** How many items there are under a prefix. */
export function* countItems(prefix: Namespace, matches: FilterPredicate | undefined): Program<number> {
  if (matches !== undefined) return (yield* matchingItems(prefix, matches)).length;
  const [row] = yield* all(
    `SELECT count(*) AS items FROM keepsake_namespaces n JOIN keepsake_items i ON i.namespace = n.id WHERE ${inScope}`,
    ...scopeOf(prefix),
  );
  return integer(row, "items");
}
