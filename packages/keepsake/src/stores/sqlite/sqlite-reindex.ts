import type { DocumentTerms } from "../../search/index.ts";
import {
  decodeNamespace,
  type Embedding,
  encodeNamespace,
  type IndexedPage,
  type Place,
} from "../../store/index.ts";
import { writeEmbedding } from "./sqlite-embeddings.ts";
import { indexItem } from "./sqlite-items.ts";
import { all, first, integer, type Program, type Row, text } from "./sqlite-program.ts";

/** Items by id, with what their index is made of. */
export function* itemPage(after: number | undefined, limit: number): Program<IndexedPage> {
  const rows = yield* all(
    `SELECT i.id, n.name, i.key, i.value, i.index_fields, e.hash
     FROM keepsake_items i JOIN keepsake_namespaces n ON n.id = i.namespace
     LEFT JOIN keepsake_embeddings e ON e.item = i.id WHERE i.id > ? ORDER BY i.id LIMIT ?`,
    after ?? 0,
    limit,
  );
  const items = rows.map((row) => ({
    namespace: decodeNamespace(text(row, "name")),
    key: text(row, "key"),
    json: text(row, "value"),
    index: indexOf(row),
    embeddingHash: row.hash === null ? undefined : text(row, "hash"),
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
  embedding: Embedding | "keep" | undefined,
): Program<void> {
  const row = yield* first(
    `SELECT i.id, i.namespace FROM keepsake_namespaces n JOIN keepsake_items i ON i.namespace = n.id
     WHERE n.name = ? AND i.key = ? AND i.value = ?`,
    encodeNamespace(namespace),
    key,
    json,
  );
  if (row === undefined) return;
  const item = { id: integer(row, "id"), namespace: integer(row, "namespace") };
  yield* indexItem(item, terms);
  if (embedding !== "keep") yield* writeEmbedding(item, embedding);
}

/** How many items there are. */
export function* sizeOf(): Program<number> {
  return integer(yield* first("SELECT count(*) AS items FROM keepsake_items"), "items");
}
