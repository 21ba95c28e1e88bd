import { type Embedding, encodeNamespace, type IndexRecord, type Place } from "../../store/index.ts";
import { joined, packSize, recordsOf, withoutItems } from "./sqlite-packs.ts";
import { all, bytes, exec, first, integer, type Program, type Row, run, text } from "./sqlite-program.ts";

/** An item and its namespace, by their numbers in the tables. */
interface ItemId {
  readonly id: number;
  readonly namespace: number;
}

/** Replaces the vectors of an item; `undefined`: it has none. */
export function* writeEmbedding(item: ItemId, embedding: Embedding | undefined): Program<void> {
  const old = yield* first("SELECT hash, pack FROM keepsake_embeddings WHERE item = ?", item.id);
  if (old !== undefined && text(old, "hash") === embedding?.hash) return;
  if (old !== undefined) yield* removeEmbeddings([item.id]);
  if (embedding === undefined) return;
  yield* run(
    "INSERT INTO keepsake_embeddings (item, pack, hash, vectors) VALUES (?, ?, ?, ?)",
    item.id,
    yield* addToPack(item, embedding.vectors),
    embedding.hash,
    bytesOf(embedding.vectors),
  );
}

/** Puts an item's vectors into a row of its namespace that has room, or into a new one. Returns the row. */
function* addToPack({ id, namespace }: ItemId, vectors: readonly Float32Array[]): Program<number> {
  const records = recordsOf(id, vectors);
  const pack = yield* first(
    "SELECT id, codes FROM keepsake_packs WHERE namespace = ? AND records <= ? LIMIT 1",
    namespace,
    Math.max(0, packSize - vectors.length),
  );
  if (pack === undefined) {
    const row = yield* first(
      "INSERT INTO keepsake_packs (namespace, records, codes) VALUES (?, ?, ?) RETURNING id",
      namespace,
      vectors.length,
      records,
    );
    return integer(row, "id");
  }
  yield* run(
    "UPDATE keepsake_packs SET codes = ?, records = records + ? WHERE id = ?",
    joined([bytes(pack, "codes"), records]),
    vectors.length,
    integer(pack, "id"),
  );
  return integer(pack, "id");
}

/** Removes the vectors of items; each row that holds some of them is written once. */
export function* removeEmbeddings(items: readonly number[]): Program<void> {
  const ids = JSON.stringify(items);
  const packs = yield* all(
    `SELECT p.id, p.records, p.codes FROM keepsake_packs p WHERE p.id IN
       (SELECT e.pack FROM json_each(?) wanted CROSS JOIN keepsake_embeddings e ON e.item = wanted.value)`,
    ids,
  );
  if (packs.length === 0) return;
  const doomed = new Set(items);
  for (const pack of packs) {
    const codes = bytes(pack, "codes");
    const records = integer(pack, "records");
    const rest = withoutItems(codes, records, doomed);
    if (rest.length === 0) yield* run("DELETE FROM keepsake_packs WHERE id = ?", integer(pack, "id"));
    else {
      yield* run(
        "UPDATE keepsake_packs SET codes = ?, records = ? WHERE id = ?",
        rest,
        (rest.length / codes.length) * records,
        integer(pack, "id"),
      );
    }
  }
  yield* run("DELETE FROM keepsake_embeddings WHERE item IN (SELECT value FROM json_each(?))", ids);
}

/** What is stored for each place. */
export function* readEmbeddings(places: readonly Place[]): Program<(Embedding | undefined)[]> {
  const { model } = yield* readIndexRecord();
  const found: (Embedding | undefined)[] = [];
  for (const { namespace, key } of places) {
    const row =
      model &&
      (yield* first(
        `SELECT e.hash, e.vectors FROM keepsake_namespaces n JOIN keepsake_items i ON i.namespace = n.id
         JOIN keepsake_embeddings e ON e.item = i.id WHERE n.name = ? AND i.key = ?`,
        encodeNamespace(namespace),
        key,
      ));
    found.push(row && model && { hash: text(row, "hash"), vectors: vectorsIn(row, model.dims) });
  }
  return found;
}

/** The vectors of items by id, those without any left out. */
export function* vectorsById(ids: readonly number[], dims: number): Program<Map<number, Float32Array[]>> {
  const rows = yield* all(
    "SELECT e.item, e.vectors FROM json_each(?) wanted CROSS JOIN keepsake_embeddings e ON e.item = wanted.value",
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [integer(row, "item"), vectorsIn(row, dims)]));
}

function bytesOf(vectors: readonly Float32Array[]): Uint8Array {
  return joined(
    vectors.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  );
}

function vectorsIn(row: Row, dims: number): Float32Array[] {
  // A copy: what a driver gives need not begin where a number may.
  const numbers = new Float32Array(new Uint8Array(bytes(row, "vectors")).buffer);
  return Array.from({ length: numbers.length / dims }, (_, index) =>
    numbers.subarray(index * dims, (index + 1) * dims),
  );
}

/** What the index was made by. */
export function* readIndexRecord(): Program<IndexRecord> {
  const row = yield* first("SELECT fields, model, dims FROM keepsake_index");
  const dims = row?.dims ?? null;
  return {
    fields: optionalText(row, "fields"),
    model: dims === null ? undefined : { name: optionalText(row, "model"), dims: Number(dims) },
  };
}

function optionalText(row: Row | undefined, column: string): string | undefined {
  const value = row?.[column] ?? null;
  return value === null ? undefined : String(value);
}

/** Records what the index is made by; vectors of another model are removed. */
export function* writeIndexRecord({ fields, model }: IndexRecord): Program<void> {
  const { model: old } = yield* readIndexRecord();
  if (old?.name !== model?.name || old?.dims !== model?.dims)
    yield* exec("DELETE FROM keepsake_embeddings; DELETE FROM keepsake_packs");
  yield* run(
    "UPDATE keepsake_index SET fields = ?, model = ?, dims = ?",
    fields ?? null,
    model?.name ?? null,
    model?.dims ?? null,
  );
}
