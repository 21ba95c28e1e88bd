import { nearestCosine, type Ranked } from "../../search/index.ts";
import type { Embedding } from "../../store/index.ts";
import type { VectorKind } from "./postgres-migrations.ts";
import { inScope, type Scope } from "./postgres-scope.ts";
import { integer, type Transaction, text } from "./postgres-transaction.ts";

/** How vectors are written to the database and read from it, as texts. */
export interface Vectors {
  readonly kind: VectorKind["kind"];
  /** The schema of pgvector, quoted, with a dot; empty without. */
  readonly schema: string;
  /** SQL for a stored vector from a text. */
  fromText(expression: string): string;
  /** SQL for a text from a stored vector. */
  toText(expression: string): string;
  encode(vector: Float32Array): string;
  decode(encoded: string): Float32Array;
}

/** How vectors of a kind are handled. */
export function vectorsOf(kind: VectorKind): Vectors {
  if (kind.kind === "packed") {
    return {
      kind: "packed",
      schema: "",
      fromText: (expression) => `decode(${expression}, 'base64')`,
      toText: (expression) => `encode(${expression}, 'base64')`,
      encode: pack,
      decode: unpack,
    };
  }
  const schema = `${kind.schema}.`;
  return {
    kind: "pgvector",
    schema,
    fromText: (expression) => `${expression}::${schema}vector`,
    toText: (expression) => `${expression}::text`,
    encode: vectorText,
    decode: (encoded) => Float32Array.from(encoded.slice(1, -1).split(","), Number),
  };
}

/** As pgvector reads it. Nine digits tell 32-bit numbers apart. */
function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (number) => Number(number.toPrecision(9))).join(",")}]`;
}

function pack(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(4 * vector.length));
  vector.forEach((number, index) => {
    view.setFloat32(4 * index, number, true);
  });
  return Buffer.from(view.buffer).toString("base64");
}

function unpack(encoded: string): Float32Array {
  const bytes = Buffer.from(encoded, "base64");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, index) => view.getFloat32(4 * index, true));
}

/** Replaces the vectors of an item, whose namespace is locked, unless they are of the same text. */
export async function replaceVectors(
  tx: Transaction,
  vectors: Vectors,
  item: { readonly id: number; readonly namespace: number },
  oldHash: unknown,
  embedding: Embedding | undefined,
): Promise<void> {
  if ((oldHash ?? undefined) !== embedding?.hash) await writeVectors(tx, vectors, item, embedding);
}

/** Replaces the vectors of an item, whose namespace is locked. */
export async function writeVectors(
  { all, tables }: Transaction,
  vectors: Vectors,
  { id, namespace }: { readonly id: number; readonly namespace: number },
  embedding: Embedding | undefined,
): Promise<void> {
  const texts = (embedding?.vectors ?? []).map((vector) => vectors.encode(vector));
  await all(
    `WITH before AS (
       SELECT count(*) AS parts FROM ${tables.vectors} WHERE item = $1
     ), gone AS (
       DELETE FROM ${tables.vectors} WHERE item = $1 AND part >= $3
     ), added AS (
       INSERT INTO ${tables.vectors} (item, part, namespace, embedding)
       SELECT $1::bigint, p.place - 1, $2::bigint, ${vectors.fromText("p.vector")}
       FROM unnest($4::text[]) WITH ORDINALITY p(vector, place)
       ON CONFLICT (item, part) DO UPDATE SET embedding = excluded.embedding
     )
     UPDATE ${tables.namespaces} n SET vectors = n.vectors + $3 - (SELECT parts FROM before) WHERE n.id = $2`,
    id,
    namespace,
    texts.length,
    texts,
  );
}

/** The stored vectors of items. */
export async function readVectors(
  { all, tables }: Transaction,
  vectors: Vectors,
  ids: readonly number[],
): Promise<Map<number, Float32Array[]>> {
  const rows = await all(
    `SELECT item, ${vectors.toText("embedding")} AS vector FROM ${tables.vectors} WHERE item = ANY ($1::bigint[]) ORDER BY item, part`,
    ids,
  );
  const found = new Map<number, Float32Array[]>();
  for (const row of rows) {
    const vector = vectors.decode(text(row, "vector"));
    const known = found.get(integer(row, "item"));
    if (known === undefined) found.set(integer(row, "item"), [vector]);
    else known.push(vector);
  }
  return found;
}

/** What is searched for vectors. */
export interface VectorScope {
  readonly scope: Scope;
  readonly namespaces: readonly number[];
  /** How many vectors are in scope. */
  readonly vectors: number;
  /** Whether something in scope has expired and is still there. */
  readonly hasExpired: boolean;
  readonly now: number;
}

/** The first items of a ranking by exact cosine. */
export interface Nearest {
  readonly ranked: readonly Ranked<number>[];
  /** No item that is not among them can have more than this. */
  readonly bound: number;
}

/** Items are looked for in the index of all vectors only where fewer are visited than there are in scope. */
const leastForIndex = 10_000;
/** The longest vector that pgvector can index. */
const mostIndexedDims = 2000;
/** pgvector computes with 32-bit numbers. */
const tolerance = 1e-5;
const scanPage = 2000;

/** The items in scope that are nearest to a vector: at least `wanted`, where there are so many. */
export async function nearestItems(
  tx: Transaction,
  vectors: Vectors,
  where: VectorScope,
  vector: Float32Array,
  wanted: number,
): Promise<Nearest> {
  if (vectors.kind === "packed") return scanPacked(tx, vectors, where, vector);
  const ids =
    (await nearestByIndex(tx, vectors, where, vector, wanted)) ??
    (await nearestByScan(tx, vectors, where, vector, wanted));
  const found = await readVectors(tx, vectors, ids);
  const ranked = rank(found, vector);
  const bound = ids.length < wanted ? Number.NEGATIVE_INFINITY : (ranked.at(-1)?.score ?? 0) + tolerance;
  return { ranked, bound };
}

function rank(found: ReadonlyMap<number, readonly Float32Array[]>, vector: Float32Array): Ranked<number>[] {
  return Array.from(found, ([id, own]) => ({ id, score: nearestCosine(own, vector) })).sort(
    (left, right) => right.score - left.score,
  );
}

/** Every vector in scope is compared: what there is without pgvector. */
async function scanPacked(
  { all, tables }: Transaction,
  vectors: Vectors,
  where: VectorScope,
  vector: Float32Array,
): Promise<Nearest> {
  const scores = new Map<number, number>();
  for (let after = [0, 0]; ; ) {
    const rows = await all(
      `SELECT v.item, v.part, ${vectors.toText("v.embedding")} AS vector
       FROM ${tables.namespaces} n JOIN ${tables.vectors} v ON v.namespace = n.id
       WHERE ${inScope(1)} AND (v.item, v.part) > ($5::bigint, $6::integer) ${notExpired(tables.items, where, "$7")}
       ORDER BY v.item, v.part LIMIT ${scanPage}`,
      ...where.scope,
      ...after,
      ...(where.hasExpired ? [where.now] : []),
    );
    for (const row of rows) {
      const score = nearestCosine([vectors.decode(text(row, "vector"))], vector);
      const id = integer(row, "item");
      scores.set(id, Math.max(score, scores.get(id) ?? Number.NEGATIVE_INFINITY));
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < scanPage) break;
    after = [integer(last, "item"), integer(last, "part")];
  }
  const ranked = Array.from(scores, ([id, score]) => ({ id, score })).sort(
    (left, right) => right.score - left.score,
  );
  return { ranked, bound: Number.NEGATIVE_INFINITY };
}

function notExpired(items: string, { hasExpired }: VectorScope, parameter: string): string {
  if (!hasExpired) return "";
  return `AND NOT EXISTS (SELECT 1 FROM ${items} i WHERE i.id = v.item AND i.expires_at <= ${parameter}::bigint)`;
}

async function nearestByScan(
  { all, tables }: Transaction,
  { schema }: Vectors,
  where: VectorScope,
  vector: Float32Array,
  wanted: number,
): Promise<number[]> {
  const rows = await all(
    `SELECT v.item FROM ${tables.namespaces} n JOIN ${tables.vectors} v ON v.namespace = n.id
     WHERE ${inScope(1)} ${notExpired(tables.items, where, "$7")}
     GROUP BY v.item ORDER BY min(v.embedding OPERATOR(${schema}<#>) $5::${schema}vector) LIMIT $6`,
    ...where.scope,
    vectorText(vector),
    wanted,
    ...(where.hasExpired ? [where.now] : []),
  );
  return rows.map((row) => integer(row, "item"));
}

/** `undefined`: there is no index, it would visit more than is in scope, or has not found enough. */
async function nearestByIndex(
  tx: Transaction,
  { schema }: Vectors,
  where: VectorScope,
  vector: Float32Array,
  wanted: number,
): Promise<number[] | undefined> {
  const { all, first, tables } = tx;
  if (where.vectors < leastForIndex) return undefined;
  const row = await first(
    "SELECT c.reltuples AS vectors FROM pg_catalog.pg_class c WHERE c.oid = to_regclass($1) AND to_regclass($2) IS NOT NULL",
    tables.vectors,
    vectorIndex(tx, vector.length),
  );
  const visited = (2 * wanted * Math.max(integer(row, "vectors"), where.vectors)) / where.vectors;
  if (row === undefined || visited > where.vectors) return undefined;
  await all(
    `SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true),
       set_config('hnsw.max_scan_tuples', $2, true)`,
    String(Math.min(1000, Math.max(100, 2 * wanted))),
    String(Math.ceil(Math.max(20_000, 10 * visited))),
  );
  const indexed = `(v.embedding::${schema}vector(${vector.length}))`;
  const isIndexed = `${schema}vector_dims(v.embedding) = ${vector.length}`;
  const rows = await all(
    `SELECT v.item FROM ${tables.vectors} v WHERE v.namespace = ANY ($1::bigint[]) AND ${isIndexed} ${notExpired(tables.items, where, "$4")}
     ORDER BY ${indexed} OPERATOR(${schema}<#>) $2::${schema}vector(${vector.length}) LIMIT $3`,
    where.namespaces,
    vectorText(vector),
    wanted,
    ...(where.hasExpired ? [where.now] : []),
  );
  const ids = [...new Set(rows.map((found) => integer(found, "item")))];
  return ids.length < wanted ? undefined : ids;
}

/** The name of the index over vectors of so many dims. */
function vectorIndex({ tables }: Transaction, dims: number): string {
  return `${tables.schema}.keepsake_vectors_hnsw_${dims}`;
}

/**
 * Makes the index for vectors of so many dims, where pgvector has one. Only the owner of the table may. The condition keeps out the vectors of
 * another model that this transaction has just removed: they still are in the table.
 */
export async function createVectorIndex(
  tx: Transaction,
  { kind, schema }: Vectors,
  dims: number,
): Promise<void> {
  if (kind === "packed" || dims > mostIndexedDims) return;
  await tx.all(
    `CREATE INDEX IF NOT EXISTS keepsake_vectors_hnsw_${dims} ON ${tx.tables.vectors}
     USING hnsw ((embedding::${schema}vector(${dims})) ${schema}vector_ip_ops)
     WHERE ${schema}vector_dims(embedding) = ${dims}`,
  );
}

/** Removes the index for vectors of so many dims. */
export async function dropVectorIndex(tx: Transaction, dims: number): Promise<void> {
  await tx.all(`DROP INDEX IF EXISTS ${vectorIndex(tx, dims)}`);
}
