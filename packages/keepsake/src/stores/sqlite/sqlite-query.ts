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
  hidesReserved,
  type Namespace,
  namespaceRange,
  reservedRoot,
  type SearchPlan,
  type StoredItem,
  valueFromJson,
} from "../../store/index.ts";
import { anyTokenOf, frequencyIn, type ItemId, itemColumns, itemOf, tokenOf } from "./sqlite-items.ts";
import { all, integer, type Program, text } from "./sqlite-program.ts";

/** Namespaces searched by one look-up each; with more of them, each term is looked up in all namespaces at once. */
const maxNamespaceLookups = 64;
/** Items read at a time. */
const chunkSize = 500;

const inScope = "n.name >= ? AND n.name < ? AND NOT (n.name >= ? AND n.name < ?)";
type Scope = readonly [from: string, to: string, hiddenFrom: string, hiddenTo: string];

function scopeOf(prefix: Namespace): Scope {
  const { from, to } = namespaceRange(prefix);
  const hidden = hidesReserved(prefix) ? namespaceRange([reservedRoot]) : { from: "", to: "" };
  return [from, to, hidden.from, hidden.to];
}

/** One page of a search. */
export function* searchItems(plan: SearchPlan): Program<FoundItem[]> {
  const scope = scopeOf(plan.prefix);
  const found =
    plan.query === undefined
      ? yield* searchNewest(plan, scope)
      : yield* searchRanked(plan, plan.query, scope);
  return found.slice(plan.offset, plan.offset + plan.limit);
}

function* searchNewest({ matches, limit, offset }: SearchPlan, scope: Scope): Program<FoundItem[]> {
  const wanted = limit + offset;
  const ids = yield* newestIds(scope, matches === undefined ? wanted : -1);
  const items = yield* firstMatching(ids, matches, wanted);
  return items.map((item) => ({ item, keyword: undefined }));
}

/** Ids of the newest items in order; all of them where `limit` is -1. */
function* newestIds(scope: Scope, limit: number): Program<number[]> {
  const rows = yield* all(
    `SELECT i.id FROM keepsake_namespaces n JOIN keepsake_items i ON i.namespace = n.id WHERE ${inScope}
     ORDER BY i.updated_at DESC, i.key, n.name LIMIT ?`,
    ...scope,
    limit,
  );
  return rows.map((row) => integer(row, "id"));
}

function* firstMatching(
  ids: readonly number[],
  matches: FilterPredicate | undefined,
  wanted: number,
): Program<StoredItem[]> {
  const chosen: StoredItem[] = [];
  for (let start = 0; start < ids.length && chosen.length < wanted; start += chunkSize) {
    const items = yield* itemsById(ids.slice(start, start + chunkSize));
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
 * The best items for a query, exactly as if every candidate had been scored. The terms' candidates are scored rarest term first, and no
 * further once the rest of the terms together cannot lift an item into the page (MaxScore: Turtle and Flood, 1995).
 */
function* searchRanked(plan: SearchPlan, query: readonly QueryTerm[], scope: Scope): Program<FoundItem[]> {
  const { statistics, candidates } = yield* lookUp(query, scope);
  const scorer = keywordScorer(query, {
    ...statistics,
    documentFrequencies: candidates.map((ids) => ids.length),
  });
  const order = query
    .map((_, index) => index)
    .sort((a, b) => (candidates[a]?.length ?? 0) - (candidates[b]?.length ?? 0));
  const wanted = plan.limit + plan.offset;
  const seen = new Set<number>();
  const scored: Scored[] = [];
  let found: FoundItem[] = [];
  for (const [position, index] of order.entries()) {
    const fresh = (candidates[index] ?? []).filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    scored.push(...(yield* score(fresh, query, scorer)));
    const rest = order.slice(position + 1).reduce((sum, next) => sum + (scorer.bounds[next] ?? 0), 0);
    found = yield* best(scored, plan.matches, wanted);
    const last = found[wanted - 1]?.keyword?.score;
    if (last !== undefined && rest * (1 + 1e-9) < last) break;
  }
  return found;
}

interface LookUp {
  readonly statistics: { readonly documents: number; readonly totalLength: number };
  /** For each query term, the ids of the items that have it. */
  readonly candidates: readonly (readonly number[])[];
}

function* lookUp(query: readonly QueryTerm[], scope: Scope): Program<LookUp> {
  const namespaces = yield* all(
    `SELECT n.id, n.documents, n.total_length FROM keepsake_namespaces n WHERE ${inScope} AND n.documents > 0`,
    ...scope,
  );
  const sum = (column: string): number => namespaces.reduce((total, row) => total + integer(row, column), 0);
  const ids = namespaces.map((row) => integer(row, "id"));
  const candidates =
    ids.length <= maxNamespaceLookups ? yield* lookUpEach(query, ids) : yield* lookUpWide(query, scope);
  return { statistics: { documents: sum("documents"), totalLength: sum("total_length") }, candidates };
}

function* lookUpEach(query: readonly QueryTerm[], namespaces: readonly number[]): Program<number[][]> {
  const tokens = query.flatMap(({ term }) => namespaces.map((namespace) => tokenOf(term, namespace)));
  const rows = yield* all(
    `SELECT (SELECT group_concat(f.rowid) FROM keepsake_terms f WHERE f.keepsake_terms MATCH token.value) AS ids
     FROM json_each(?) token ORDER BY token.key`,
    JSON.stringify(tokens),
  );
  return query.map((_, index) =>
    rows.slice(index * namespaces.length, (index + 1) * namespaces.length).flatMap((row) => idsIn(row.ids)),
  );
}

function* lookUpWide(query: readonly QueryTerm[], scope: Scope): Program<number[][]> {
  const rows = yield* all(
    `SELECT (
       SELECT group_concat(f.rowid) FROM keepsake_terms f
       CROSS JOIN keepsake_items i ON i.id = f.rowid CROSS JOIN keepsake_namespaces n ON n.id = i.namespace
       WHERE f.keepsake_terms MATCH token.value AND ${inScope}
     ) AS ids FROM json_each(?) token ORDER BY token.key`,
    ...scope,
    JSON.stringify(query.map(({ term }) => anyTokenOf(term))),
  );
  return rows.map((row) => idsIn(row.ids));
}

function idsIn(joined: unknown): number[] {
  return typeof joined === "string" ? joined.split(",").map(Number) : [];
}

function* score(
  ids: readonly number[],
  query: readonly QueryTerm[],
  scorer: KeywordScorer,
): Program<Scored[]> {
  const scored: Scored[] = [];
  for (let start = 0; start < ids.length; start += chunkSize) {
    const rows = yield* all(
      "SELECT d.item, d.length, d.terms FROM json_each(?) wanted CROSS JOIN keepsake_documents d ON d.item = wanted.value",
      JSON.stringify(ids.slice(start, start + chunkSize)),
    );
    for (const row of rows) {
      const lines = text(row, "terms");
      const frequencies = query.map(({ term }) => frequencyIn(lines, term));
      scored.push({ id: integer(row, "item"), keyword: scorer.score(frequencies, integer(row, "length")) });
    }
  }
  return scored;
}

/** The first items by score; those of equal score newest first. */
function* best(scored: Scored[], matches: FilterPredicate | undefined, wanted: number): Program<FoundItem[]> {
  scored.sort((left, right) => right.keyword.score - left.keyword.score);
  const found: FoundItem[] = [];
  for (let start = 0; start < scored.length && found.length < wanted; ) {
    const end = endOfTies(
      scored,
      start + Math.max(wanted - found.length, matches === undefined ? 1 : chunkSize),
    );
    const part = scored.slice(start, end);
    const keywords = new Map(part.map(({ id, keyword }) => [id, keyword]));
    const items = yield* itemsById(part.map(({ id }) => id));
    const matching: FoundItem[] = [];
    for (const [id, item] of items) {
      if (matches?.(valueFromJson(item.json)) ?? true) matching.push({ item, keyword: keywords.get(id) });
    }
    found.push(...matching.sort(compareFound));
    start = end;
  }
  return found.slice(0, wanted);
}

/** Where the run of equal scores that reaches over `end` comes to an end. */
function endOfTies(scored: readonly Scored[], end: number): number {
  let after = Math.min(end, scored.length);
  while (after < scored.length && scored[after]?.keyword.score === scored[after - 1]?.keyword.score)
    after += 1;
  return after;
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
