import {
  type DocumentTerms,
  type KeywordScore,
  type KeywordScorer,
  keywordScorer,
  mergeRankings,
  nearestCosine,
  type QueryTerm,
  type Ranked,
} from "../search/index.ts";
import type {
  BackendSession,
  Embedding,
  FoundItem,
  IndexedPage,
  IndexRecord,
  Place,
  PlannedQuery,
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
  /** Of its creation among all; an overwritten item keeps it. */
  readonly position: number;
  readonly value: Record<string, unknown>;
  readonly terms: DocumentTerms | undefined;
  readonly embedding: Embedding | undefined;
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
    size: () => sum([...buckets.values()].map(({ entries }) => entries.size)),
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
  if (old !== undefined) unlink(contents, bucket, old);
  link(contents, bucket, entry);
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
  unlink(contents, bucket, entry);
  if (bucket.entries.size === 0) contents.buckets.delete(name);
}

function recordIndex(contents: Contents, record: IndexRecord): void {
  const { model } = contents.record;
  if (model?.name !== record.model?.name || model?.dims !== record.model?.dims) {
    for (const bucket of contents.buckets.values()) {
      for (const entry of [...bucket.entries.values()]) {
        unlink(contents, bucket, entry);
        link(contents, bucket, { ...entry, embedding: undefined });
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
  unlink(contents, bucket, old);
  link(contents, bucket, { ...old, terms, embedding: embedding === "keep" ? old.embedding : embedding });
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
    .map((item) => ({ item, hit: undefined }));
}

function ranked(
  buckets: readonly Bucket[],
  query: PlannedQuery,
  { matches, offset, limit }: SearchPlan,
): FoundItem[] {
  const { terms, vector } = query;
  const isMatch = ({ value }: Entry): boolean => matches?.(value) ?? true;
  const keywordOf = keywordScores(terms, scorerFor(buckets, terms));
  const scoreOf = (entry: Entry): number => keywordOf(entry).score;
  const candidates = new Set(
    buckets.flatMap(({ postings }) => terms.flatMap(({ term }) => [...(postings.get(term) ?? [])])),
  );
  const byKeyword = sorted([...candidates].filter(isMatch), scoreOf);
  const byVector = sorted(
    vector === undefined ? [] : buckets.flatMap(({ entries }) => [...entries.values()]).filter(isMatch),
    ({ embedding }) => vector && embedding && nearestCosine(embedding.vectors, vector),
  );
  const nearest = firstPlaces(byVector, query.ranking.k);
  const merged =
    vector === undefined
      ? byKeyword
      : terms.length === 0
        ? byVector
        : mergeRankings(byKeyword, nearest, scoreOf, query.ranking);
  return firstPlaces(merged, offset + limit)
    .map(({ id: item, score }) => ({
      item,
      hit: {
        score,
        keyword: terms.length === 0 ? undefined : keywordOf(item).share,
        vector: vector && item.embedding && nearestCosine(item.embedding.vectors, vector),
      },
    }))
    .sort(compareFound);
}

/** So many places of a ranking, with all that are equal to the last. */
function firstPlaces(ranked: readonly Ranked<Entry>[], places: number): Ranked<Entry>[] {
  const least = ranked[places - 1]?.score ?? Number.NEGATIVE_INFINITY;
  return ranked.filter(({ score }) => score >= least);
}

function sorted(entries: readonly Entry[], scoreOf: (entry: Entry) => number | undefined): Ranked<Entry>[] {
  return entries
    .flatMap((id) => {
      const score = scoreOf(id);
      return score === undefined ? [] : [{ id, score }];
    })
    .sort((left, right) => right.score - left.score);
}

function scorerFor(buckets: readonly Bucket[], terms: readonly QueryTerm[]): KeywordScorer {
  return keywordScorer(terms, {
    documents: sum(buckets.map(({ documents }) => documents)),
    totalLength: sum(buckets.map(({ totalLength }) => totalLength)),
    documentFrequencies: terms.map(({ term }) =>
      sum(buckets.map(({ postings }) => postings.get(term)?.size ?? 0)),
    ),
  });
}

/** The keyword score of an entry, made once. */
function keywordScores(terms: readonly QueryTerm[], scorer: KeywordScorer): (entry: Entry) => KeywordScore {
  const scores = new Map<Entry, KeywordScore>();
  return (entry) => {
    const known = scores.get(entry);
    if (known !== undefined) return known;
    const frequencies = terms.map(({ term }) => entry.terms?.frequencies.get(term) ?? 0);
    const score = scorer.score(frequencies, entry.terms?.length ?? 0);
    scores.set(entry, score);
    return score;
  };
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
