import { type DocumentTerms, keywordScorer, type QueryTerm } from "../search/index.ts";
import type {
  BackendSession,
  FoundItem,
  Place,
  SearchPlan,
  StoreBackend,
  StoredItem,
  Write,
} from "./backend.ts";
import { encodeNamespace, hidesReserved, reservedRoot } from "./namespace.ts";
import { compareFound, compareItems } from "./order.ts";
import type { Namespace } from "./types.ts";
import { valueFromJson } from "./value.ts";

interface Entry extends StoredItem {
  readonly value: Record<string, unknown>;
  readonly terms: DocumentTerms | undefined;
  readonly index: Write["index"];
  readonly expiresAt: number | undefined;
}

/** The items of one namespace, and for each term the entries that have it. */
interface Bucket {
  readonly namespace: Namespace;
  readonly entries: Map<string, Entry>;
  readonly postings: Map<string, Set<Entry>>;
  documents: number;
  totalLength: number;
}

/** A backend that keeps everything in this process's memory. */
export function createInMemoryBackend(): StoreBackend {
  const buckets = new Map<string, Bucket>();
  return {
    capabilities: { keyword: true, vector: false, ttl: true, atomicBatch: true },
    open: () => undefined,
    session: async (_mode, now, work) => {
      removeExpired(buckets, now);
      return work(sessionOf(buckets, now));
    },
    close: () => buckets.clear(),
  };
}

function sessionOf(buckets: Map<string, Bucket>, now: number): BackendSession {
  return {
    now,
    get: ({ namespace, key }) => buckets.get(encodeNamespace(namespace))?.entries.get(key),
    put: (write) => put(buckets, write, now),
    delete: (place) => remove(buckets, place),
    search: (plan) => search(bucketsUnder(buckets, plan.prefix), plan),
    namespaces: (prefix) =>
      [...buckets.values()]
        .filter(({ namespace }) => isUnder(namespace, prefix))
        .map(({ namespace }) => [...namespace]),
    deleteAll: (prefix, matches) => {
      const doomed = entriesUnder(buckets, prefix).filter(({ value }) => matches?.(value) ?? true);
      for (const entry of doomed) remove(buckets, entry);
      return doomed.length;
    },
    count: (prefix, matches) =>
      entriesUnder(buckets, prefix).filter(({ value }) => matches?.(value) ?? true).length,
    reindex: (termsOf, after) => {
      if (after !== undefined) return undefined;
      const entries = [...buckets.values()].flatMap((bucket) => [...bucket.entries.values()]);
      for (const entry of entries) {
        const bucket = buckets.get(encodeNamespace(entry.namespace));
        if (bucket === undefined) continue;
        unlink(bucket, entry);
        link(bucket, { ...entry, terms: termsOf(entry.json, entry.index) });
      }
      return entries.length === 0 ? undefined : { position: 0, done: entries.length, total: entries.length };
    },
  };
}

function put(buckets: Map<string, Bucket>, write: Write, now: number): number | null {
  const { namespace, key, json, touch, expectedVersion } = write;
  const name = encodeNamespace(namespace);
  const old = buckets.get(name)?.entries.get(key);
  if (expectedVersion !== undefined && expectedVersion !== (old?.version ?? null)) return null;
  if (touch && old === undefined) return null;
  const bucket = buckets.get(name) ?? newBucket(namespace);
  buckets.set(name, bucket);
  const entry: Entry =
    touch && old !== undefined
      ? { ...old, json, value: valueFromJson(json), expiresAt: write.expiresAt ?? old.expiresAt }
      : {
          namespace: bucket.namespace,
          key,
          json,
          value: valueFromJson(json),
          createdAt: old?.createdAt ?? now,
          updatedAt: now,
          version: (old?.version ?? 0) + 1,
          terms: write.terms,
          index: write.index,
          expiresAt: write.expiresAt,
        };
  if (old !== undefined) unlink(bucket, old);
  link(bucket, entry);
  return entry.version;
}

function remove(buckets: Map<string, Bucket>, { namespace, key }: Place): void {
  const name = encodeNamespace(namespace);
  const bucket = buckets.get(name);
  const entry = bucket?.entries.get(key);
  if (bucket === undefined || entry === undefined) return;
  unlink(bucket, entry);
  if (bucket.entries.size === 0) buckets.delete(name);
}

function newBucket(namespace: Namespace): Bucket {
  return { namespace: [...namespace], entries: new Map(), postings: new Map(), documents: 0, totalLength: 0 };
}

function link(bucket: Bucket, entry: Entry): void {
  bucket.entries.set(entry.key, entry);
  if (entry.terms === undefined) return;
  bucket.documents += 1;
  bucket.totalLength += entry.terms.length;
  for (const term of entry.terms.frequencies.keys()) {
    const posting = bucket.postings.get(term);
    if (posting === undefined) bucket.postings.set(term, new Set([entry]));
    else posting.add(entry);
  }
}

function unlink(bucket: Bucket, entry: Entry): void {
  bucket.entries.delete(entry.key);
  if (entry.terms === undefined) return;
  bucket.documents -= 1;
  bucket.totalLength -= entry.terms.length;
  for (const term of entry.terms.frequencies.keys()) {
    const posting = bucket.postings.get(term);
    posting?.delete(entry);
    if (posting?.size === 0) bucket.postings.delete(term);
  }
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
    .map((item) => ({ item, keyword: undefined }));
}

function ranked(
  buckets: readonly Bucket[],
  query: readonly QueryTerm[],
  { matches }: SearchPlan,
): FoundItem[] {
  const scorer = keywordScorer(query, {
    documents: sum(buckets.map(({ documents }) => documents)),
    totalLength: sum(buckets.map(({ totalLength }) => totalLength)),
    documentFrequencies: query.map(({ term }) =>
      sum(buckets.map(({ postings }) => postings.get(term)?.size ?? 0)),
    ),
  });
  const candidates = new Set(
    buckets.flatMap(({ postings }) => query.flatMap(({ term }) => [...(postings.get(term) ?? [])])),
  );
  return [...candidates]
    .filter(({ value }) => matches?.(value) ?? true)
    .map((item) => ({
      item,
      keyword: scorer.score(
        query.map(({ term }) => item.terms?.frequencies.get(term) ?? 0),
        item.terms?.length ?? 0,
      ),
    }))
    .sort(compareFound);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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

function removeExpired(buckets: Map<string, Bucket>, now: number): void {
  for (const bucket of [...buckets.values()]) {
    for (const entry of [...bucket.entries.values()]) {
      if (entry.expiresAt !== undefined && entry.expiresAt <= now) remove(buckets, entry);
    }
  }
}
