import type { DocumentTerms } from "../../search/index.ts";
import {
  decodeNamespace,
  encodeNamespace,
  type Namespace,
  type Place,
  type StoredItem,
  type Write,
} from "../../store/index.ts";
import { exactly } from "./postgres-scope.ts";
import { integer, type Row, type Transaction, text } from "./postgres-transaction.ts";
import { replaceVectors, type Vectors } from "./postgres-vectors.ts";

/** Columns of an item `i` with its namespace `n`. */
export const itemColumns = "i.id, n.name, i.key, i.value, i.created_at, i.updated_at, i.version";

/** Condition on an item `i`: it has not expired at the time that is the given parameter. */
export function isLive(parameter: string): string {
  return `(i.expires_at IS NULL OR i.expires_at > ${parameter})`;
}

/** An item out of a row of {@link itemColumns}. */
export function itemOf(row: Row): StoredItem {
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
export async function getItem(
  tx: Transaction,
  { namespace, key }: Place,
  now: number,
): Promise<StoredItem | undefined> {
  const { namespaces, items } = tx.tables;
  await tx.enter(exactly(namespace));
  const row = await tx.first(
    `SELECT ${itemColumns} FROM ${namespaces} n JOIN ${items} i ON i.namespace = n.id
     WHERE n.name = $1 AND i.key = $2 AND ${isLive("$3")}`,
    encodeNamespace(namespace),
    key,
    now,
  );
  return row === undefined ? undefined : itemOf(row);
}

/**
 * The id of a namespace, locked until the transaction ends: so writers of one namespace wait for each other, and what they have read of it
 * stays true. What has expired in it is removed on this occasion.
 */
export async function lockNamespace(
  tx: Transaction,
  namespace: Namespace,
  now: number,
): Promise<number | undefined> {
  const { namespaces, items } = tx.tables;
  const name = encodeNamespace(namespace);
  await tx.enter(exactly(namespace));
  const known = tx.locked.get(name);
  if (known !== undefined) return known;
  const row = await tx.first(
    `SELECT n.id, EXISTS (SELECT 1 FROM ${items} i WHERE i.namespace = n.id AND i.expires_at <= $2) AS stale
     FROM ${namespaces} n WHERE n.name = $1 FOR NO KEY UPDATE OF n`,
    name,
    now,
  );
  if (row === undefined) return undefined;
  const id = integer(row, "id");
  tx.locked.set(name, id);
  if (row.stale === true) await removeExpired(tx, id, now);
  return tx.locked.get(name);
}

/** The same; a namespace that is not there is made. */
async function lockOrCreate(tx: Transaction, namespace: Namespace, now: number): Promise<number> {
  const name = encodeNamespace(namespace);
  for (;;) {
    const found = await lockNamespace(tx, namespace, now);
    if (found !== undefined) return found;
    const row = await tx.first(
      `INSERT INTO ${tx.tables.namespaces} (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id`,
      name,
    );
    // Without a row another writer has made it, and may remove it again before it can be locked.
    if (row === undefined) continue;
    tx.locked.set(name, integer(row, "id"));
    return integer(row, "id");
  }
}

/** Writes an item and its index. */
export async function putItem(
  tx: Transaction,
  vectors: Vectors,
  write: Write,
  now: number,
): Promise<number | null> {
  const mustExist = write.touch || typeof write.expectedVersion === "number";
  const namespace = mustExist
    ? await lockNamespace(tx, write.namespace, now)
    : await lockOrCreate(tx, write.namespace, now);
  if (namespace === undefined) return null;
  if (write.touch) return touchItem(tx, namespace, write, now);
  const row = await tx.first(
    `WITH ${writeItem(tx)}, ${writeDocument(tx)}
     SELECT item.id, item.version, (SELECT embedding_hash FROM old) AS old_hash FROM item`,
    namespace,
    ...documentParameters(namespace, write.terms),
    write.key,
    now,
    write.expiresAt ?? null,
    write.index === undefined ? null : JSON.stringify(write.index),
    write.embedding?.hash ?? null,
    write.json,
    write.expectedVersion === undefined ? null : (write.expectedVersion ?? 0),
  );
  if (row === undefined) return null;
  await replaceVectors(tx, vectors, { id: integer(row, "id"), namespace }, row.old_hash, write.embedding);
  return integer(row, "version");
}

/** Writes the row of an item, where it has the expected version (0: where there is none). Parameters: see {@link putItem}. */
function writeItem({ tables }: Transaction): string {
  return `old AS (
    SELECT i.id, i.embedding_hash, i.version FROM ${tables.items} i WHERE i.namespace = $1 AND i.key = $5
  ), item AS (
    INSERT INTO ${tables.items} AS i
      (namespace, key, created_at, updated_at, expires_at, version, index_fields, embedding_hash, value)
    SELECT $1::bigint, $5::text, $6::bigint, $6::bigint, $7::bigint, 1, $8::text, $9::text, $10::text
    WHERE $11::bigint IS NULL OR $11::bigint = coalesce((SELECT version FROM old), 0)
    ON CONFLICT (namespace, key) DO UPDATE SET
      updated_at = excluded.updated_at, expires_at = excluded.expires_at, version = i.version + 1,
      index_fields = excluded.index_fields, embedding_hash = excluded.embedding_hash, value = excluded.value
    RETURNING id, version
  )`;
}

/** Replaces the document of the rows `item`. Parameter 1 is its namespace, 2 to 4 are {@link documentParameters}. */
function writeDocument({ tables }: Transaction): string {
  return `before AS (
    SELECT d.item, d.length FROM ${tables.documents} d JOIN item ON item.id = d.item
  ), emptied AS (
    DELETE FROM ${tables.documents} d USING item WHERE d.item = item.id AND $2::bigint IS NULL
  ), filled AS (
    INSERT INTO ${tables.documents} AS d (item, namespace, length, tokens, frequencies)
    SELECT item.id, $1::bigint, $2::bigint, $3::text[], $4::bigint[] FROM item WHERE $2::bigint IS NOT NULL
    ON CONFLICT (item) DO UPDATE SET
      length = excluded.length, tokens = excluded.tokens, frequencies = excluded.frequencies
    WHERE (d.length, d.tokens, d.frequencies) IS DISTINCT FROM (excluded.length, excluded.tokens, excluded.frequencies)
  ), counted AS (
    UPDATE ${tables.namespaces} n SET
      documents = n.documents + change.documents, total_length = n.total_length + change.length
    FROM (
      SELECT ($2::bigint IS NOT NULL)::integer - (SELECT count(*) FROM before) AS documents,
        coalesce($2::bigint, 0) - coalesce((SELECT length FROM before), 0) AS length
      FROM item
    ) change
    WHERE n.id = $1::bigint AND (change.documents <> 0 OR change.length <> 0)
  )`;
}

function documentParameters(
  namespace: number,
  document: DocumentTerms | undefined,
): [length: number | null, tokens: string[], frequencies: number[]] {
  if (document === undefined) return [null, [], []];
  const { frequencies, length } = document;
  return [
    length,
    Array.from(frequencies.keys(), (term) => token(namespace, term)),
    [...frequencies.values()],
  ];
}

/** A term in a namespace, as the text index has it. */
function token(namespace: number, term: string): string {
  return `${namespace}|${term}`;
}

async function touchItem(
  { first, tables }: Transaction,
  namespace: number,
  { key, json, expiresAt, expectedVersion }: Write,
  now: number,
): Promise<number | null> {
  const row = await first(
    `UPDATE ${tables.items} i SET value = $3, expires_at = coalesce($4, i.expires_at)
     WHERE i.namespace = $1 AND i.key = $2 AND ${isLive("$5")} AND ($6::bigint IS NULL OR i.version = $6) RETURNING i.version`,
    namespace,
    key,
    json,
    expiresAt ?? null,
    now,
    expectedVersion === undefined ? null : (expectedVersion ?? 0),
  );
  return row === undefined ? null : integer(row, "version");
}

/** Removes one item, if it is there. */
export async function deleteItem(tx: Transaction, { namespace, key }: Place, now: number): Promise<void> {
  const id = await lockNamespace(tx, namespace, now);
  if (id === undefined) return;
  const row = await tx.first(`SELECT id FROM ${tx.tables.items} WHERE namespace = $1 AND key = $2`, id, key);
  if (row !== undefined) await removeItems(tx, [integer(row, "id")], [id]);
}

async function removeExpired(tx: Transaction, namespace: number, now: number): Promise<void> {
  const rows = await tx.all(
    `SELECT id FROM ${tx.tables.items} WHERE namespace = $1 AND expires_at <= $2`,
    namespace,
    now,
  );
  await removeItems(
    tx,
    rows.map((row) => integer(row, "id")),
    [namespace],
  );
}

/** Items removed by one statement. */
const removedAtOnce = 1000;

/** Removes items with their index, and their namespaces, which are locked, with their last items. */
export async function removeItems(
  tx: Transaction,
  ids: readonly number[],
  fromNamespaces: readonly number[],
): Promise<void> {
  const { namespaces, items, documents, vectors } = tx.tables;
  for (let start = 0; start < ids.length; start += removedAtOnce) {
    await tx.all(
      `WITH gone AS (
         DELETE FROM ${items} WHERE id = ANY ($1::bigint[]) RETURNING id, namespace
       ), gone_documents AS (
         DELETE FROM ${documents} WHERE item = ANY ($1::bigint[]) RETURNING item, length
       ), gone_vectors AS (
         DELETE FROM ${vectors} WHERE item = ANY ($1::bigint[]) RETURNING item
       ), per_item AS (
         SELECT g.namespace, d.length, (SELECT count(*) FROM gone_vectors v WHERE v.item = g.id) AS vectors
         FROM gone g LEFT JOIN gone_documents d ON d.item = g.id
       )
       UPDATE ${namespaces} n SET
         documents = n.documents - s.documents, total_length = n.total_length - s.length, vectors = n.vectors - s.vectors
       FROM (
         SELECT namespace, count(length) AS documents, coalesce(sum(length), 0) AS length, sum(vectors) AS vectors
         FROM per_item GROUP BY namespace
       ) s
       WHERE n.id = s.namespace`,
      ids.slice(start, start + removedAtOnce),
    );
  }
  const emptied = await tx.all(
    `DELETE FROM ${namespaces} n WHERE n.id = ANY ($1::bigint[])
       AND NOT EXISTS (SELECT 1 FROM ${items} i WHERE i.namespace = n.id) RETURNING n.name`,
    fromNamespaces,
  );
  for (const row of emptied) tx.locked.delete(text(row, "name"));
}

/** Replaces the document of one item, whose namespace is locked. */
export async function indexItem(
  tx: Transaction,
  item: number,
  namespace: number,
  document: DocumentTerms | undefined,
): Promise<void> {
  await tx.all(
    `WITH item AS (SELECT $5::bigint AS id), ${writeDocument(tx)} SELECT 1`,
    namespace,
    ...documentParameters(namespace, document),
    item,
  );
}
