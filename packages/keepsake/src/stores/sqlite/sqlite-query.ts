import type { FilterPredicate } from "../../search/index.ts";
import {
  decodeNamespace,
  type FoundItem,
  type Namespace,
  namespaceRange,
  type SearchPlan,
  type StoredItem,
  valueFromJson,
} from "../../store/index.ts";
import { idsIn } from "./sqlite-ids.ts";
import { type ItemId, itemsById } from "./sqlite-items.ts";
import { all, integer, type Program, text } from "./sqlite-program.ts";
import { searchRanked } from "./sqlite-ranking.ts";
import { inScope, type Scope, scopeOf } from "./sqlite-scope.ts";

/** Items read at a time. */
const chunkSize = 500;

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
