import type { DocumentTerms } from "../../search/index.ts";
import { decodeNamespace, encodeNamespace, type IndexedPage, type Place } from "../../store/index.ts";
import { indexItem } from "./sqlite-items.ts";
import { all, first, integer, type Program, type Row, text } from "./sqlite-program.ts";

/** Items by id, with what their index is made of. */
export function* itemPage(after: number | undefined, limit: number): Program<IndexedPage> {
  const rows = yield* all(
    `SELECT i.id, n.name, i.key, i.value, i.index_fields
     FROM keepsake_items i JOIN keepsake_namespaces n ON n.id = i.namespace WHERE i.id > ? ORDER BY i.id LIMIT ?`,
    after ?? 0,
    limit,
  );
  const items = rows.map((row) => ({
    namespace: decodeNamespace(text(row, "name")),
    key: text(row, "key"),
    json: text(row, "value"),
    index: indexOf(row),
    embeddingHash: undefined,
  }));
  return { items, next: rows.length < limit ? undefined : integer(rows.at(-1), "id") };
}

function indexOf(row: Row): false | string[] | undefined {
  return row.index_fields === null ? undefined : JSON.parse(text(row, "index_fields"));
}

/** Replaces the index of an item, unless its value has changed. */
export function* reindexItem(
  { namespace, key, json }: Place & { readonly json: string },
  terms: DocumentTerms | undefined,
): Program<void> {
  const row = yield* first(
    `SELECT i.id, i.namespace FROM keepsake_namespaces n JOIN keepsake_items i ON i.namespace = n.id
     WHERE n.name = ? AND i.key = ? AND i.value = ?`,
    encodeNamespace(namespace),
    key,
    json,
  );
  if (row !== undefined)
    yield* indexItem({ id: integer(row, "id"), namespace: integer(row, "namespace") }, terms);
}

/** How many items there are. */
export function* sizeOf(): Program<number> {
  return integer(yield* first("SELECT count(*) AS items FROM keepsake_items"), "items");
}
