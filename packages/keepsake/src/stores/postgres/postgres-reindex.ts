import type { DocumentTerms } from "../../search/index.ts";
import {
  decodeNamespace,
  type Embedding,
  encodeNamespace,
  type IndexedPage,
  type IndexRecord,
  type Place,
} from "../../store/index.ts";
import { isRecord } from "../../util/index.ts";
import { isForbidden, staleRecord } from "./postgres-errors.ts";
import { indexItem, isLive, lockNamespace } from "./postgres-items.ts";
import { parseRecord } from "./postgres-meta.ts";
import { everything, exactly } from "./postgres-scope.ts";
import { integer, type Row, type Transaction, text } from "./postgres-transaction.ts";
import {
  createVectorIndex,
  dropVectorIndex,
  readVectors,
  type Vectors,
  writeVectors,
} from "./postgres-vectors.ts";

/** How many items there are. */
export async function sizeOf(tx: Transaction, now: number): Promise<number> {
  await tx.enter(everything);
  const row = await tx.first(`SELECT count(*) AS items FROM ${tx.tables.items} i WHERE ${isLive("$1")}`, now);
  return integer(row, "items");
}

/** Items by id, with what their index is made of. */
export async function itemPage(
  tx: Transaction,
  after: number | undefined,
  limit: number,
  now: number,
): Promise<IndexedPage> {
  await tx.enter(everything);
  const rows = await tx.all(
    `SELECT i.id, n.name, i.key, i.value, i.index_fields, i.embedding_hash
     FROM ${tx.tables.items} i JOIN ${tx.tables.namespaces} n ON n.id = i.namespace
     WHERE i.id > $1 AND ${isLive("$3")} ORDER BY i.id LIMIT $2`,
    after ?? 0,
    limit,
    now,
  );
  const items = rows.map((row) => ({
    namespace: decodeNamespace(text(row, "name")),
    key: text(row, "key"),
    json: text(row, "value"),
    index: indexOf(row),
    embeddingHash: typeof row.embedding_hash === "string" ? row.embedding_hash : undefined,
  }));
  return { items, next: rows.length < limit ? undefined : integer(rows.at(-1), "id") };
}

function indexOf(row: Row): false | string[] | undefined {
  return row.index_fields === null ? undefined : JSON.parse(text(row, "index_fields"));
}

/** Replaces the index of an item, unless its value has changed. */
export async function reindexItem(
  tx: Transaction,
  vectors: Vectors,
  { namespace, key, json }: Place & { readonly json: string },
  terms: DocumentTerms | undefined,
  embedding: Embedding | "keep" | undefined,
  now: number,
): Promise<void> {
  const locked = await lockNamespace(tx, namespace, now);
  if (locked === undefined) return;
  const row = await tx.first(
    `SELECT id, embedding_hash FROM ${tx.tables.items} WHERE namespace = $1 AND key = $2 AND value = $3`,
    locked,
    key,
    json,
  );
  if (row === undefined) return;
  const id = integer(row, "id");
  await indexItem(tx, id, locked, terms);
  if (embedding === "keep" || (embedding === undefined && row.embedding_hash === null)) return;
  await writeVectors(tx, vectors, { id, namespace: locked }, embedding);
  await tx.all(
    `UPDATE ${tx.tables.items} SET embedding_hash = $2 WHERE id = $1`,
    id,
    embedding?.hash ?? null,
  );
}

/** The stored embedding of each place. */
export async function embeddingsAt(
  tx: Transaction,
  vectors: Vectors,
  places: readonly Place[],
  now: number,
): Promise<(Embedding | undefined)[]> {
  const found: (Embedding | undefined)[] = places.map(() => undefined);
  const groups = new Map<string, number[]>();
  for (const [index, { namespace }] of places.entries()) {
    const name = encodeNamespace(namespace);
    groups.set(name, [...(groups.get(name) ?? []), index]);
  }
  for (const [name, indexes] of groups) {
    const [first = 0] = indexes;
    await tx.enter(exactly(places[first]?.namespace ?? []));
    const rows = await tx.all(
      `SELECT wanted.place, i.id, i.embedding_hash
       FROM unnest($2::text[]) WITH ORDINALITY wanted(key, place)
       JOIN ${tx.tables.namespaces} n ON n.name = $1
       JOIN ${tx.tables.items} i ON i.namespace = n.id AND i.key = wanted.key
       WHERE i.embedding_hash IS NOT NULL AND ${isLive("$3")}`,
      name,
      indexes.map((index) => places[index]?.key ?? ""),
      now,
    );
    const own = await readVectors(
      tx,
      vectors,
      rows.map((row) => integer(row, "id")),
    );
    for (const row of rows) {
      const index = indexes[integer(row, "place") - 1] ?? 0;
      found[index] = { hash: text(row, "embedding_hash"), vectors: own.get(integer(row, "id")) ?? [] };
    }
  }
  return found;
}

const nothing: IndexRecord = { fields: undefined, model: undefined };

/**
 * What the index was made by. In a write it stays true until the transaction ends: nobody may record something else meanwhile. Who may be
 * about to record something first is alone: of several who hold the lock together, none could go on to record.
 */
export async function readIndexRecord(tx: Transaction, mode: "read" | "write"): Promise<IndexRecord> {
  const record = await storedRecord(tx);
  if (mode === "read") return record;
  const isComplete = record.fields !== undefined && record.model !== undefined;
  await (isComplete ? holdRecord(tx, "_shared") : holdRecord(tx, ""));
  return await storedRecord(tx);
}

async function holdRecord({ all, tables }: Transaction, kind: "" | "_shared"): Promise<void> {
  await all(
    `SELECT pg_advisory_xact_lock${kind}(hashtextextended($1, 0))`,
    `keepsake index ${tables.schemaName}`,
  );
}

async function storedRecord({ first, tables }: Transaction): Promise<IndexRecord> {
  const row = await first(`SELECT value FROM ${tables.meta} WHERE name = 'index'`);
  if (row === undefined) return nothing;
  const { fields, model } = parseRecord(text(row, "value"), tables);
  return {
    fields: typeof fields === "string" ? fields : undefined,
    model: isRecord(model)
      ? { name: typeof model.name === "string" ? model.name : undefined, dims: Number(model.dims) }
      : undefined,
  };
}

/** Records what the index is made by; vectors of another model go. */
export async function writeIndexRecord(
  tx: Transaction,
  vectors: Vectors,
  record: IndexRecord,
  seen: IndexRecord | undefined,
): Promise<void> {
  const { all, tables } = tx;
  await holdRecord(tx, "");
  const current = await storedRecord(tx);
  if (seen !== undefined && JSON.stringify(seen) !== JSON.stringify(current)) throw staleRecord();
  await all(
    `INSERT INTO ${tables.meta} (name, value) VALUES ('index', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    JSON.stringify(record),
  );
  const { model } = record;
  if (current.model?.name === model?.name && current.model?.dims === model?.dims) return;
  if (current.model !== undefined) await removeVectors(tx);
  await replaceVectorIndex(tx, vectors, current.model?.dims, model?.dims);
}

async function removeVectors({ all, enter, tables }: Transaction): Promise<void> {
  await enter(everything);
  await all(`SELECT n.id FROM ${tables.namespaces} n WHERE n.vectors <> 0 ORDER BY n.id FOR NO KEY UPDATE`);
  await all(`DELETE FROM ${tables.vectors}`);
  await all(`UPDATE ${tables.items} SET embedding_hash = NULL WHERE embedding_hash IS NOT NULL`);
  await all(`UPDATE ${tables.namespaces} SET vectors = 0 WHERE vectors <> 0`);
}

/** Without the privilege there is no index: searches compare all vectors of the namespaces searched. */
export async function replaceVectorIndex(
  tx: Transaction,
  vectors: Vectors,
  oldDims: number | undefined,
  dims: number | undefined,
): Promise<void> {
  await tx.all("SAVEPOINT keepsake_index");
  try {
    if (oldDims !== undefined && oldDims !== dims) await dropVectorIndex(tx, oldDims);
    if (dims !== undefined) await createVectorIndex(tx, vectors, dims);
    await tx.all("RELEASE SAVEPOINT keepsake_index");
  } catch (error) {
    if (!isForbidden(error)) throw error;
    await tx.all("ROLLBACK TO SAVEPOINT keepsake_index");
  }
}
