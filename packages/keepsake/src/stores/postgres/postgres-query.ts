import { type FilterPredicate, mergeRankings, nearestCosine, type Ranked } from "../../search/index.ts";
import {
  compareFound,
  decodeNamespace,
  type FoundItem,
  type Namespace,
  namespaceRange,
  type PlannedQuery,
  type SearchPlan,
  type StoredItem,
  valueFromJson,
} from "../../store/index.ts";
import { type Collection, collect, type KeywordRanking, rankByKeywords } from "./postgres-candidates.ts";
import { isLive, itemColumns, itemOf } from "./postgres-items.ts";
import { inScope, type Scope, scopeOf } from "./postgres-scope.ts";
import { idsIn, integer, type Transaction, text } from "./postgres-transaction.ts";
import { nearestItems, readVectors, type Vectors } from "./postgres-vectors.ts";

/** Values read at a time, to be filtered. */
const chunkSize = 500;

/** What a search works with. */
interface Search {
  readonly tx: Transaction;
  readonly vectors: Vectors;
  readonly plan: SearchPlan;
  readonly scope: Scope;
  readonly now: number;
  /** The first items of a list that satisfy the filter: at least so many, and all that are equal to the last of them. */
  firstPassing(ranked: readonly Ranked<number>[], depth: number): Promise<Ranked<number>[]>;
}

/** One page of a search. */
export async function searchItems(
  tx: Transaction,
  vectors: Vectors,
  plan: SearchPlan,
  now: number,
): Promise<FoundItem[]> {
  const scope = scopeOf(plan.prefix);
  await tx.enter(namespaceRange(plan.prefix));
  const passes = filterOver(tx, plan);
  const search: Search = {
    tx,
    vectors,
    plan,
    scope,
    now,
    firstPassing: (ranked, depth) => firstPassing(ranked, depth, passes),
  };
  return plan.query === undefined ? searchNewest(search) : searchRanked(search, plan.query);
}

async function searchNewest({ tx, plan, scope, now }: Search): Promise<FoundItem[]> {
  const { limit, offset, matches } = plan;
  if (matches === undefined) {
    const ids = await newestIds(tx, scope, now, limit, offset);
    return (await readItems(tx, ids)).map(withoutHit);
  }
  const ids = await newestIds(tx, scope, now, null, 0);
  const chosen: StoredItem[] = [];
  for (let start = 0; start < ids.length && chosen.length < limit + offset; start += chunkSize) {
    plan.signal?.throwIfAborted();
    const items = await readItems(tx, ids.slice(start, start + chunkSize));
    chosen.push(...items.filter(({ json }) => matches(valueFromJson(json))));
  }
  return chosen.slice(offset, offset + limit).map(withoutHit);
}

function withoutHit(item: StoredItem): FoundItem {
  return { item, hit: undefined };
}

/** Ids of the newest items in order; `limit` null: all. In a single namespace an index has them in this order. */
async function newestIds(
  { all, first, tables }: Transaction,
  scope: Scope,
  now: number,
  limit: number | null,
  offset: number,
): Promise<number[]> {
  const [only, second] = await all(
    `SELECT n.id FROM ${tables.namespaces} n WHERE ${inScope(1)} LIMIT 2`,
    ...scope,
  );
  if (only === undefined) return [];
  const row =
    second === undefined
      ? await first(
          `SELECT array_to_string(ARRAY(
             SELECT i.id FROM ${tables.items} i WHERE i.namespace = $1 AND ${isLive("$2")}
             ORDER BY i.updated_at DESC, i.key LIMIT $3 OFFSET $4
           ), ',') AS ids`,
          integer(only, "id"),
          now,
          limit,
          offset,
        )
      : await first(
          `SELECT array_to_string(ARRAY(
             SELECT i.id FROM ${tables.namespaces} n JOIN ${tables.items} i ON i.namespace = n.id
             WHERE ${inScope(1)} AND ${isLive("$5")} ORDER BY i.updated_at DESC, i.key, n.name LIMIT $6 OFFSET $7
           ), ',') AS ids`,
          ...scope,
          now,
          limit,
          offset,
        );
  return idsIn(row?.ids);
}

/** Items by id, in the order of the ids; where values are not wanted, they are empty. */
async function readItems(
  { all, tables }: Transaction,
  ids: readonly number[],
  values = true,
): Promise<(StoredItem & { readonly id: number })[]> {
  if (ids.length === 0) return [];
  const columns = values ? itemColumns : itemColumns.replace("i.value", "'{}' AS value");
  const rows = await all(
    `SELECT ${columns} FROM unnest($1::bigint[]) WITH ORDINALITY wanted(id, place)
     JOIN ${tables.items} i ON i.id = wanted.id JOIN ${tables.namespaces} n ON n.id = i.namespace ORDER BY wanted.place`,
    ids,
  );
  return rows.map((row) => ({ ...itemOf(row), id: integer(row, "id") }));
}

type Filter = (ids: readonly number[]) => Promise<readonly number[]>;

/** The ids of those items that satisfy the plan's filter. Each value is read once. */
function filterOver({ all, tables }: Transaction, { matches, signal }: SearchPlan): Filter | undefined {
  if (matches === undefined) return undefined;
  const verdicts = new Map<number, boolean>();
  return async (ids) => {
    signal?.throwIfAborted();
    const unread = ids.filter((id) => !verdicts.has(id));
    const rows =
      unread.length === 0
        ? []
        : await all(`SELECT id, value FROM ${tables.items} WHERE id = ANY ($1::bigint[])`, unread);
    for (const row of rows) verdicts.set(integer(row, "id"), matches(valueFromJson(text(row, "value"))));
    return ids.filter((id) => verdicts.get(id) === true);
  };
}

async function firstPassing(
  ranked: readonly Ranked<number>[],
  depth: number,
  passes: Filter | undefined,
): Promise<Ranked<number>[]> {
  if (passes === undefined) return withTies(ranked, depth);
  const chosen: Ranked<number>[] = [];
  for (let start = 0; start < ranked.length; start += chunkSize) {
    const chunk = ranked.slice(start, start + chunkSize);
    const last = chosen[depth - 1];
    if (last !== undefined && (chunk[0]?.score ?? 0) < last.score) break;
    const passing = new Set(await passes(chunk.map(({ id }) => id)));
    chosen.push(...chunk.filter(({ id }) => passing.has(id)));
  }
  return withTies(chosen, depth);
}

/** The first of a sorted list, and all that are equal to the last of them. */
function withTies(ranked: readonly Ranked<number>[], depth: number): Ranked<number>[] {
  const last = ranked[depth - 1];
  if (last === undefined) return [...ranked];
  const end = ranked.findIndex(({ score }, index) => index >= depth && score < last.score);
  return ranked.slice(0, end < 0 ? ranked.length : end);
}

async function searchRanked(search: Search, query: PlannedQuery): Promise<FoundItem[]> {
  const { tx, plan, scope, now, vectors } = search;
  const collection = await collect(tx, scope, now);
  const keywords = await rankByKeywords(tx, query.terms, scope, collection, now);
  plan.signal?.throwIfAborted();
  const wanted = plan.limit + plan.offset;
  const ranked = await rank(search, query, collection, keywords, wanted);
  const page = await inOrder(tx, withTies(ranked, wanted), plan);
  const ids = page.map(({ id }) => id);
  const own = query.vector === undefined ? undefined : await readVectors(tx, vectors, ids);
  return page.map(({ id, score, item }) => ({
    item,
    hit: {
      score,
      keyword: query.terms.length === 0 ? undefined : keywords.scoreOf(id).share,
      vector: cosineOf(own?.get(id), query.vector),
    },
  }));
}

async function rank(
  search: Search,
  { terms, vector, ranking }: PlannedQuery,
  collection: Collection,
  keywords: KeywordRanking,
  wanted: number,
): Promise<readonly Ranked<number>[]> {
  if (vector === undefined) return search.firstPassing(keywords.ranked, wanted);
  if (terms.length === 0) return nearestPassing(search, collection, vector, wanted);
  return mergeRankings(
    await search.firstPassing(keywords.ranked, wanted),
    await nearestPassing(search, collection, vector, ranking.k),
    (id) => keywords.scoreOf(id).score,
    ranking,
  );
}

function cosineOf(
  own: readonly Float32Array[] | undefined,
  vector: Float32Array | undefined,
): number | undefined {
  return own === undefined || vector === undefined ? undefined : nearestCosine(own, vector);
}

/** The items nearest to a vector that satisfy the filter: more are taken until enough of them do. */
async function nearestPassing(
  { tx, vectors, scope, now, firstPassing: passing }: Search,
  collection: Collection,
  vector: Float32Array,
  depth: number,
): Promise<Ranked<number>[]> {
  if (collection.vectors === 0) return [];
  const where = { ...collection, scope, now };
  for (let wanted = depth + 50; ; wanted *= 4) {
    const { ranked, bound } = await nearestItems(tx, vectors, where, vector, wanted);
    const chosen = await passing(ranked, depth);
    const last = chosen[depth - 1];
    if (bound === Number.NEGATIVE_INFINITY || (last !== undefined && last.score > bound)) return chosen;
  }
}

interface Placed extends Ranked<number> {
  readonly item: StoredItem;
}

/** The page of a ranking; items of equal score newest first. Values are read for the page alone. */
async function inOrder(
  tx: Transaction,
  ranked: readonly Ranked<number>[],
  { offset, limit }: SearchPlan,
): Promise<Placed[]> {
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  const items = await readItems(tx, [...scores.keys()], false);
  const page = items
    .map((item) => ({
      item,
      hit: { score: scores.get(item.id) ?? 0, keyword: undefined, vector: undefined },
    }))
    .sort(compareFound)
    .slice(offset, offset + limit);
  const whole = await readItems(
    tx,
    page.map(({ item }) => item.id),
  );
  return whole.map((item) => ({ id: item.id, score: scores.get(item.id) ?? 0, item }));
}

/** All namespaces under a prefix that hold an item. */
export async function listNamespaces(tx: Transaction, prefix: Namespace, now: number): Promise<string[][]> {
  const { namespaces, items } = tx.tables;
  const range = namespaceRange(prefix);
  await tx.enter(range);
  const rows = await tx.all(
    `SELECT n.name FROM ${namespaces} n WHERE n.name >= $1 AND n.name < $2
       AND EXISTS (SELECT 1 FROM ${items} i WHERE i.namespace = n.id AND ${isLive("$3")})`,
    range.from,
    range.to,
    now,
  );
  return rows.map((row) => decodeNamespace(text(row, "name")));
}

/** Ids of the items under a prefix that satisfy a filter. */
export async function matchingIds(
  tx: Transaction,
  prefix: Namespace,
  matches: FilterPredicate | undefined,
  now: number,
): Promise<number[]> {
  const { namespaces, items } = tx.tables;
  await tx.enter(namespaceRange(prefix));
  const row = await tx.first(
    `SELECT string_agg(i.id::text, ',') AS ids FROM ${namespaces} n JOIN ${items} i ON i.namespace = n.id
     WHERE ${inScope(1)} AND ${isLive("$5")}`,
    ...scopeOf(prefix),
    now,
  );
  const ids = idsIn(row?.ids);
  if (matches === undefined) return ids;
  const chosen: number[] = [];
  for (let start = 0; start < ids.length; start += chunkSize) {
    const chunk = await readItems(tx, ids.slice(start, start + chunkSize));
    chosen.push(...chunk.filter(({ json }) => matches(valueFromJson(json))).map(({ id }) => id));
  }
  return chosen;
}

/** How many items there are under a prefix. */
export async function countItems(
  tx: Transaction,
  prefix: Namespace,
  matches: FilterPredicate | undefined,
  now: number,
): Promise<number> {
  if (matches !== undefined) return (await matchingIds(tx, prefix, matches, now)).length;
  const { namespaces, items } = tx.tables;
  await tx.enter(namespaceRange(prefix));
  const row = await tx.first(
    `SELECT count(*) AS items FROM ${namespaces} n JOIN ${items} i ON i.namespace = n.id WHERE ${inScope(1)} AND ${isLive("$5")}`,
    ...scopeOf(prefix),
    now,
  );
  return integer(row, "items");
}
