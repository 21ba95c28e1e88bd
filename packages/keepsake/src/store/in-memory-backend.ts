import { type DocumentTerms, keywordScorer, type QueryTerm } from "../search/index.ts";
import type {
  BackendSession,
  FoundItem,
  Place,
  ReindexCursor,
  SearchPlan,
  StoreBackend,
  StoredItem,
  TermsOf,
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

interface Contents {
  /** By encoded namespace. */
  readonly buckets: Map<string, Bucket>;
  /** The entries that expire some day. */
  readonly expiring: Set<Entry>;
}

/** A backend that keeps everything in this process's memory. */
export function createInMemoryBackend(): StoreBackend {
  const contents: Contents = { buckets: new Map(), expiring: new Set() };
  return {
    capabilities: { keyword: true, vector: false, ttl: true, atomicBatch: true },
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
    reindex: (termsOf, after) => (after === undefined ? reindex(contents, termsOf) : undefined),
  };
}

function put(contents: Contents, write: Write, now: number): number | null {
  const name = encodeNamespace(write.namespace);
  const old = contents.buckets.get(name)?.entries.get(write.key);
  if (write.expectedVersion !== undefined && write.expectedVersion !== (old?.version ?? null)) return null;
  if (write.touch && old === undefined) return null;
  const bucket = contents.buckets.get(name) ?? newBucket(write.namespace);
  contents.buckets.set(name, bucket);
  const entry = write.touch && old !== undefined ? touched(old, write) : written(bucket, old, write, now);
  if (old !== undefined) unlink(contents, bucket, old);
  link(contents, bucket, entry);
  return entry.version;
}

function touched(old: Entry, { json, expiresAt }: Write): Entry {
  return { ...old, json, value: valueFromJson(json), expiresAt: expiresAt ?? old.expiresAt };
}

function written(bucket: Bucket, old: Entry | undefined, write: Write, now: number): Entry {
  return {
    namespace: bucket.namespace,
    key: write.key,
    json: write.json,
    value: valueFromJson(write.json),
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
    version: (old?.version ?? 0) + 1,
    terms: write.terms,
    index: write.index,
    expiresAt: write.expiresAt,
  };
}

function remove(contents: Contents, { namespace, key }: Place): void {
  const name = encodeNamespace(namespace);
  const bucket = contents.buckets.get(name);
  const entry = bucket?.entries.get(key);
  if (bucket === undefined || entry === undefined) return;
  unlink(contents, bucket, entry);
  if (bucket.entries.size === 0) contents.buckets.delete(name);
}

function reindex(contents: Contents, termsOf: TermsOf): ReindexCursor | undefined {
  let done = 0;
  for (const bucket of contents.buckets.values()) {
    for (const entry of [...bucket.entries.values()]) {
      unlink(contents, bucket, entry);
      link(contents, bucket, { ...entry, terms: termsOf(entry.json, entry.index) });
      done += 1;
    }
  }
  return done === 0 ? undefined : { position: done, done, total: done };
}

function newBucket(namespace: Namespace): Bucket {
  return { namespace: [...namespace], entries: new Map(), postings: new Map(), documents: 0, totalLength: 0 };
}

function link({ expiring }: Contents, bucket: Bucket, entry: Entry): void {
  bucket.entries.set(entry.key, entry);
  if (entry.expiresAt !== undefined) expiring.add(entry);
  if (entry.terms === undefined) return;
  bucket.documents += 1;
  bucket.totalLength += entry.terms.length;
  for (const term of entry.terms.frequencies.keys()) {
    const posting = bucket.postings.get(term);
    if (posting === undefined) bucket.postings.set(term, new Set([entry]));
    else posting.add(entry);
  }
}

function unlink({ expiring }: Contents, bucket: Bucket, entry: Entry): void {
  bucket.entries.delete(entry.key);
  expiring.delete(entry);
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

function removeExpired(contents: Contents, now: number): void {
  for (const entry of [...contents.expiring]) {
    if (entry.expiresAt !== undefined && entry.expiresAt <= now) remove(contents, entry);
  }
}
