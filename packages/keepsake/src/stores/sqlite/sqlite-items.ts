import type { DocumentTerms } from "../../search/index.ts";
import {
  decodeNamespace,
  encodeNamespace,
  type Place,
  type StoredItem,
  type Write,
} from "../../store/index.ts";
import { removeEmbeddings, writeEmbedding } from "./sqlite-embeddings.ts";
import { all, first, integer, type Program, type Row, run, text } from "./sqlite-program.ts";
import { frequencyClass, frequencyClasses } from "./sqlite-tokens.ts";

/** Columns of an item `i` with its namespace `n`. */
const itemColumns = "i.id, n.name, i.key, i.value, i.created_at, i.updated_at, i.version";

/** An item out of a row of {@link itemColumns}. */
function itemOf(row: Row): StoredItem {
  return {
    namespace: decodeNamespace(text(row, "name")),
    key: text(row, "key"),
    json: text(row, "value"),
    createdAt: integer(row, "created_at"),
    updatedAt: integer(row, "updated_at"),
    version: integer(row, "version"),
  };
}

/** One item. */
export function* getItem({ namespace, key }: Place): Program<StoredItem | undefined> {
  const row = yield* first(
    `SELECT ${itemColumns} FROM keepsake_namespaces n JOIN keepsake_items i ON i.namespace = n.id WHERE n.name = ? AND i.key = ?`,
    encodeNamespace(namespace),
    key,
  );
  return row === undefined ? undefined : itemOf(row);
}

/** Items by id, in the order of the ids. */
export function* itemsById(ids: readonly number[]): Program<Map<number, StoredItem>> {
  const rows = yield* all(
    `SELECT ${itemColumns} FROM json_each(?) wanted CROSS JOIN keepsake_items i ON i.id = wanted.value
     JOIN keepsake_namespaces n ON n.id = i.namespace ORDER BY wanted.key`,
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [integer(row, "id"), itemOf(row)]));
}

/** Writes an item and its index; what it adds to the counts of its namespace is left in `counts`. */
export function* putItem(write: Write, now: number, counts: Counts): Program<number | null> {
  const old = yield* findOld(write);
  const version = old.item?.version ?? null;
  if (write.expectedVersion !== undefined && write.expectedVersion !== version) return null;
  if (write.touch) return yield* touchItem(old.item, write);
  const namespace = old.namespace ?? (yield* addNamespace(write.namespace));
  const id =
    old.item === undefined
      ? yield* insertItem(write, namespace, now)
      : yield* updateItem(old.item, write, now);
  const added = yield* replaceTerms({ id, namespace }, write.terms, old.item !== undefined);
  const before = counts.get(namespace) ?? nothing;
  counts.set(namespace, {
    documents: before.documents + added.documents,
    length: before.length + added.length,
  });
  if (old.item !== undefined || write.embedding !== undefined)
    yield* writeEmbedding({ id, namespace }, write.embedding);
  return (version ?? 0) + 1;
}

interface OldItem {
  readonly id: number;
  readonly version: number;
}

/** `namespace` is undefined where there is none yet. */
function* findOld({ namespace, key }: Place): Program<{
  readonly namespace: number | undefined;
  readonly item: OldItem | undefined;
}> {
  const row = yield* first(
    `SELECT n.id AS namespace, i.id, i.version FROM keepsake_namespaces n
     LEFT JOIN keepsake_items i ON i.namespace = n.id AND i.key = ? WHERE n.name = ?`,
    key,
    encodeNamespace(namespace),
  );
  if (row === undefined) return { namespace: undefined, item: undefined };
  const item = row.id === null ? undefined : { id: integer(row, "id"), version: integer(row, "version") };
  return { namespace: integer(row, "namespace"), item };
}

/**
 * Neither `ON CONFLICT` nor `RETURNING`: SQLite opens a savepoint for statements with these, and at each savepoint FTS5 writes what it has gathered,
 * which takes longer than all the rest of a put.
 */
function* insertItem(write: Write, namespace: number, now: number): Program<number> {
  yield* run(
    `INSERT INTO keepsake_items (namespace, key, created_at, updated_at, expires_at, version, index_fields, value)
     VALUES (?, ?, ?, ?, ?, 1, ?, ?)`,
    namespace,
    write.key,
    now,
    now,
    write.expiresAt ?? null,
    write.index === undefined ? null : JSON.stringify(write.index),
    write.json,
  );
  return yield* lastId();
}

function* updateItem({ id, version }: OldItem, write: Write, now: number): Program<number> {
  yield* run(
    "UPDATE keepsake_items SET updated_at = ?, expires_at = ?, version = ?, index_fields = ?, value = ? WHERE id = ?",
    now,
    write.expiresAt ?? null,
    version + 1,
    write.index === undefined ? null : JSON.stringify(write.index),
    write.json,
    id,
  );
  return id;
}

function* lastId(): Program<number> {
  return integer(yield* first("SELECT last_insert_rowid() AS id"), "id");
}

function* touchItem(old: OldItem | undefined, { json, expiresAt }: Write): Program<number | null> {
  if (old === undefined) return null;
  yield* run(
    "UPDATE keepsake_items SET value = ?, expires_at = coalesce(?, expires_at) WHERE id = ?",
    json,
    expiresAt ?? null,
    old.id,
  );
  return old.version;
}

function* addNamespace(namespace: readonly string[]): Program<number> {
  yield* run("INSERT INTO keepsake_namespaces (name) VALUES (?)", encodeNamespace(namespace));
  return yield* lastId();
}

/** Removes one item, if it is there. */
export function* deleteItem(place: Place): Program<void> {
  const { namespace, item } = yield* findOld(place);
  if (namespace !== undefined && item !== undefined) yield* removeItems([{ id: item.id, namespace }]);
}

/** The numbers of an item in the tables. */
export interface ItemId {
  readonly id: number;
  /** Its namespace's id. */
  readonly namespace: number;
}

/** So many items' vectors are in memory while they are removed. */
const removedAtOnce = 2_000;

/** Removes items with their index, and namespaces with their last item. */
export function* removeItems(items: readonly ItemId[]): Program<void> {
  for (let start = 0; start < items.length; start += removedAtOnce)
    yield* removeEmbeddings(items.slice(start, start + removedAtOnce).map(({ id }) => id));
  for (const item of items) {
    yield* indexItem(item, undefined);
    yield* run("DELETE FROM keepsake_items WHERE id = ?", item.id);
  }
  for (const namespace of new Set(items.map((item) => item.namespace))) {
    yield* run(
      "DELETE FROM keepsake_namespaces WHERE id = ? AND NOT EXISTS (SELECT 1 FROM keepsake_items WHERE namespace = ?)",
      namespace,
      namespace,
    );
  }
}

/** Documents, and their lengths together, that are to be added to a namespace. */
interface Added {
  readonly documents: number;
  readonly length: number;
}

const nothing: Added = { documents: 0, length: 0 };

/** What puts have added, by namespace id: written once for many of them. */
export type Counts = Map<number, Added>;

/** Writes the counts that were left, and empties them. */
export function* writeCounts(counts: Counts): Program<void> {
  for (const [namespace, added] of counts) yield* addToCounts(namespace, added);
  counts.clear();
}

function* addToCounts(namespace: number, { documents, length }: Added): Program<void> {
  if (documents === 0 && length === 0) return;
  yield* run(
    "UPDATE keepsake_namespaces SET documents = documents + ?, total_length = total_length + ? WHERE id = ?",
    documents,
    length,
    namespace,
  );
}

/** Replaces what the index knows of an item; `undefined`: it is not to be found by a query. */
export function* indexItem(item: ItemId, document: DocumentTerms | undefined): Program<void> {
  yield* addToCounts(item.namespace, yield* replaceTerms(item, document, true));
}

/** `isKnown` false: the index cannot know the item yet. */
function* replaceTerms(
  { id, namespace }: ItemId,
  document: DocumentTerms | undefined,
  isKnown: boolean,
): Program<Added> {
  const old = isKnown
    ? yield* first("SELECT length, terms FROM keepsake_documents WHERE item = ?", id)
    : undefined;
  const lines = document === undefined ? undefined : termLines(document);
  if (old !== undefined && lines === text(old, "terms")) return nothing;
  if (old !== undefined) {
    yield* run(
      "INSERT INTO keepsake_terms (keepsake_terms, rowid, terms) VALUES ('delete', ?, ?)",
      id,
      tokens(text(old, "terms"), namespace),
    );
  }
  if (document === undefined || lines === undefined) {
    if (old === undefined) return nothing;
    yield* run("DELETE FROM keepsake_documents WHERE item = ?", id);
  } else {
    yield* run(
      "INSERT OR REPLACE INTO keepsake_documents (item, length, terms) VALUES (?, ?, ?)",
      id,
      document.length,
      lines,
    );
    yield* run("INSERT INTO keepsake_terms (rowid, terms) VALUES (?, ?)", id, newTokens(document, namespace));
  }
  return {
    documents: (document === undefined ? 0 : 1) - (old === undefined ? 0 : 1),
    length: (document?.length ?? 0) - integer(old, "length"),
  };
}

/** `\nterm frequency\n…\n`: between its line break and its space, each term can be found without parsing. Terms hold neither. */
function termLines({ frequencies }: DocumentTerms): string {
  let lines = "\n";
  for (const [term, frequency] of frequencies) lines += `${term} ${frequency}\n`;
  return lines;
}

/** What {@link tokens} makes of the document's lines. */
function newTokens({ frequencies }: DocumentTerms, namespace: number): string {
  const ends = frequencyClasses.map(({ id }) => `|${id}|${namespace}\n`);
  let found = "\n";
  for (const [term, frequency] of frequencies) found += term + ends[frequencyClass(frequency)];
  return found;
}

/** How often a document has a term, in frequency units. */
export function frequencyIn(lines: string, term: string): number {
  const start = lines.indexOf(`\n${term} `);
  return start < 0 ? 0 : Number.parseInt(lines.slice(start + term.length + 2, start + term.length + 18), 10);
}

function tokens(lines: string, namespace: number): string {
  return lines.replaceAll(
    / (\d+)\n/g,
    (_, frequency) => `|${frequencyClass(Number(frequency))}|${namespace}\n`,
  );
}
/** Removes what has expired. */
export function* removeExpired(now: number): Program<void> {
  const rows = yield* all("SELECT id, namespace FROM keepsake_items WHERE expires_at <= ?", now);
  yield* removeItems(rows.map((row) => ({ id: integer(row, "id"), namespace: integer(row, "namespace") })));
}
