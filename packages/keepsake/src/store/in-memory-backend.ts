import type { DocumentTerms } from "../search/index.ts";
import type {
  BackendSession,
  Embedding,
  FoundItem,
  IndexedPage,
  IndexRecord,
  Place,
  SearchPlan,
  StoreBackend,
  Write,
} from "./backend.ts";
import { type Bucket, type Entry, link, newBucket, unlink } from "./in-memory-bucket.ts";
import { ranked } from "./in-memory-ranking.ts";
import { encodeNamespace, hidesReserved, reservedRoot } from "./namespace.ts";
import { compareItems } from "./order.ts";
import type { Namespace } from "./types.ts";
import { valueFromJson } from "./value.ts";

interface Contents {
  /** By encoded namespace. */
  readonly buckets: Map<string, Bucket>;
  /** The entries that expire some day. */
  readonly expiring: Set<Entry>;
  record: IndexRecord;
  /** How many items were ever created. */
  created: number;
}

/** A backend that keeps everything in this process's memory. */
export function createInMemoryBackend(): StoreBackend {
  const contents: Contents = {
    buckets: new Map(),
    expiring: new Set(),
    record: { fields: undefined, model: undefined },
    created: 0,
  };
  return {
    capabilities: { keyword: true, vector: true, ttl: true, atomicBatch: true },
    open: () => undefined,
    session: async (_mode, now, work) => {
      removeExpired(contents, now);
      return work(sessionOf(contents, now));
    },
    close: () => {
      contents.buckets.clear();
      contents.expiring.clear();
    },
  };
}

function sessionOf(contents: Contents, now: number): BackendSession {
  const { buckets } = contents;
  return {
    now,
    get: ({ namespace, key }) => buckets.get(encodeNamespace(namespace))?.entries.get(key),
    put: (write) => put(contents, write, now),
    delete: (place) => remove(contents, place),
    search: (plan) => search(bucketsUnder(buckets, plan.prefix), plan),
    namespaces: (prefix) =>
      [...buckets.values()]
        .filter(({ namespace }) => isUnder(namespace, prefix))
        .map(({ namespace }) => [...namespace]),
    deleteAll: (prefix, matches) => {
      const doomed = entriesUnder(buckets, prefix).filter(({ value }) => matches?.(value) ?? true);
      for (const entry of doomed) remove(contents, entry);
      return doomed.length;
    },
    count: (prefix, matches) =>
      entriesUnder(buckets, prefix).filter(({ value }) => matches?.(value) ?? true).length,
    embeddings: (places) =>
      places.map(
        ({ namespace, key }) => buckets.get(encodeNamespace(namespace))?.entries.get(key)?.embedding,
      ),
    indexRecord: () => contents.record,
    recordIndex: (record) => recordIndex(contents, record),
    size: () => [...buckets.values()].reduce((size, { entries }) => size + entries.size, 0),
    page: (after = 0, limit) => page(buckets, after, limit),
    reindex: (item, terms, embedding) => reindex(contents, item, terms, embedding),
  };
}

function put(contents: Contents, write: Write, now: number): number | null {
  const name = encodeNamespace(write.namespace);
  const old = contents.buckets.get(name)?.entries.get(write.key);
  if (write.expectedVersion !== undefined && write.expectedVersion !== (old?.version ?? null)) return null;
  if (write.touch && old === undefined) return null;
  const bucket = contents.buckets.get(name) ?? newBucket(write.namespace);
  contents.buckets.set(name, bucket);
  const entry =
    write.touch && old !== undefined ? touched(old, write) : written(contents, bucket, old, write, now);
  if (old !== undefined) takeOut(contents, bucket, old);
  putIn(contents, bucket, entry);
  return entry.version;
}

function touched(old: Entry, { json, expiresAt }: Write): Entry {
  return { ...old, json, value: valueFromJson(json), expiresAt: expiresAt ?? old.expiresAt };
}

function written(
  contents: Contents,
  bucket: Bucket,
  old: Entry | undefined,
  write: Write,
  now: number,
): Entry {
  if (old === undefined) contents.created += 1;
  return {
    position: old?.position ?? contents.created,
    namespace: bucket.namespace,
    key: write.key,
    json: write.json,
    value: valueFromJson(write.json),
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
    version: (old?.version ?? 0) + 1,
    terms: write.terms,
    embedding: write.embedding,
    index: write.index,
    expiresAt: write.expiresAt,
  };
}

function remove(contents: Contents, { namespace, key }: Place): void {
  const name = encodeNamespace(namespace);
  const bucket = contents.buckets.get(name);
  const entry = bucket?.entries.get(key);
  if (bucket === undefined || entry === undefined) return;
  takeOut(contents, bucket, entry);
  if (bucket.entries.size === 0) contents.buckets.delete(name);
}

function recordIndex(contents: Contents, record: IndexRecord): void {
  const { model } = contents.record;
  if (model?.name !== record.model?.name || model?.dims !== record.model?.dims) {
    for (const bucket of contents.buckets.values()) {
      for (const entry of [...bucket.entries.values()]) {
        takeOut(contents, bucket, entry);
        putIn(contents, bucket, { ...entry, embedding: undefined });
      }
    }
  }
  contents.record = record;
}

function page(buckets: ReadonlyMap<string, Bucket>, after: number, limit: number): IndexedPage {
  const rest = [...buckets.values()]
    .flatMap((bucket) => [...bucket.entries.values()])
    .filter(({ position }) => position > after)
    .sort((left, right) => left.position - right.position);
  const items = rest.slice(0, limit).map(({ namespace, key, json, index, embedding }) => ({
    namespace,
    key,
    json,
    index,
    embeddingHash: embedding?.hash,
  }));
  return { items, next: rest.length > limit ? rest[limit - 1]?.position : undefined };
}

function reindex(
  contents: Contents,
  { namespace, key, json }: Place & { readonly json: string },
  terms: DocumentTerms | undefined,
  embedding: Embedding | "keep" | undefined,
): void {
  const bucket = contents.buckets.get(encodeNamespace(namespace));
  const old = bucket?.entries.get(key);
  if (bucket === undefined || old === undefined || old.json !== json) return;
  takeOut(contents, bucket, old);
  putIn(contents, bucket, { ...old, terms, embedding: embedding === "keep" ? old.embedding : embedding });
}

function putIn({ expiring }: Contents, bucket: Bucket, entry: Entry): void {
  link(bucket, entry);
  if (entry.expiresAt !== undefined) expiring.add(entry);
}

function takeOut({ expiring }: Contents, bucket: Bucket, entry: Entry): void {
  unlink(bucket, entry);
  expiring.delete(entry);
}

function search(buckets: readonly Bucket[], plan: SearchPlan): FoundItem[] {
  const found = plan.query === undefined ? newest(buckets, plan) : ranked(buckets, plan.query, plan);
  return found.slice(plan.offset, plan.offset + plan.limit);
}

function newest(buckets: readonly Bucket[], { matches }: SearchPlan): FoundItem[] {
  return buckets
    .flatMap((bucket) => [...bucket.entries.values()])
    .filter(({ value }) => matches?.(value) ?? true)
    .sort(compareItems)
    .map((item) => ({ item, hit: undefined }));
}

function isUnder(namespace: Namespace, prefix: Namespace): boolean {
  return prefix.length <= namespace.length && prefix.every((label, index) => label === namespace[index]);
}

function bucketsUnder(buckets: ReadonlyMap<string, Bucket>, prefix: Namespace): Bucket[] {
  const hides = hidesReserved(prefix);
  return [...buckets.values()].filter(
    ({ namespace }) => isUnder(namespace, prefix) && !(hides && namespace[0] === reservedRoot),
  );
}

function entriesUnder(buckets: ReadonlyMap<string, Bucket>, prefix: Namespace): Entry[] {
  return bucketsUnder(buckets, prefix).flatMap((bucket) => [...bucket.entries.values()]);
}

function removeExpired(contents: Contents, now: number): void {
  for (const entry of [...contents.expiring]) {
    if (entry.expiresAt !== undefined && entry.expiresAt <= now) remove(contents, entry);
  }
}
