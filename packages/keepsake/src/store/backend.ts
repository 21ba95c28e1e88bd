import type { DocumentTerms, FilterPredicate, Hit, QueryTerm, Ranking } from "../search/index.ts";
import type { Awaitable } from "../util/index.ts";
import type { Namespace, StoreCapabilities } from "./types.ts";

/** Where an item stands. Checked before a backend sees it. */
export interface Place {
  readonly namespace: Namespace;
  readonly key: string;
}

/** An item as a backend keeps it. Times are milliseconds since 1970. */
export interface StoredItem extends Place {
  readonly json: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

/** An item that a search found. */
export interface FoundItem {
  readonly item: StoredItem;
  /** `undefined` in a search without a query. */
  readonly hit: Hit | undefined;
}

/** What the embedder made of an item's text. */
export interface Embedding {
  /** Of the text: as long as it stays, the vectors do. */
  readonly hash: string;
  /** At least one, each of unit length and of the recorded model's dims. An item is as near to a query as the nearest of them. */
  readonly vectors: readonly Float32Array[];
}

/** What made the vectors of a store: those of another model are not comparable. */
export interface VectorModel {
  /** `undefined`: the embedder has no name. */
  readonly name: string | undefined;
  readonly dims: number;
}

/** What the index of a store was made by, kept with the items. */
export interface IndexRecord {
  /** The store's fields and weights as one text; `undefined` before the first write. */
  readonly fields: string | undefined;
  /** `undefined` before the first vector. */
  readonly model: VectorModel | undefined;
}

/** What is to be written. */
export interface Write extends Place {
  readonly json: string;
  /** `undefined`: not to be found by a query. */
  readonly terms: DocumentTerms | undefined;
  /** Replaces the item's vectors; `undefined`: they are removed. Has no meaning with `touch`, which keeps them. */
  readonly embedding: Embedding | undefined;
  /** Kept with the item, for the day its index must be made again: `false`, its own paths, or `undefined` for those of the store. */
  readonly index: false | readonly string[] | undefined;
  /** `undefined`: never; with `touch`, as before. */
  readonly expiresAt: number | undefined;
  /** Only the value and the expiry of an item that exists. */
  readonly touch: boolean;
  /** `null`: only where there is no item. `undefined`: in any case. */
  readonly expectedVersion: number | null | undefined;
}

/** What a query asks for, ready for the index. Terms, a vector, or both. */
export interface PlannedQuery {
  /** Empty: items are ranked by their vectors alone. */
  readonly terms: readonly QueryTerm[];
  /** Of unit length and of the recorded model's dims. `undefined`: items are ranked by terms alone. */
  readonly vector: Float32Array | undefined;
  /** How the two rankings become one. */
  readonly ranking: Ranking;
}

/** What is searched for. */
export interface SearchPlan {
  readonly prefix: Namespace;
  /** `undefined`: all items, newest first. */
  readonly query: PlannedQuery | undefined;
  readonly matches: FilterPredicate | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly signal: AbortSignal | undefined;
}

/** An item whose index may have to be made again. */
export interface IndexedItem extends Place {
  readonly json: string;
  readonly index: Write["index"];
  /** Of its {@link Embedding}; `undefined` where it has none. */
  readonly embeddingHash: string | undefined;
}

/** Items in an order of the backend's own, those under the reserved root included. */
export interface IndexedPage {
  readonly items: readonly IndexedItem[];
  /** What the next page begins after; `undefined` after the last page. */
  readonly next: number | undefined;
}

/** Operations of a backend; each sees what those before it did. None sees an expired item. */
export interface BackendSession {
  /** What the session takes for the time, in milliseconds since 1970. */
  readonly now: number;
  get(place: Place): Awaitable<StoredItem | undefined>;
  /** The item's version after the write; `null` where nothing was written. */
  put(write: Write): Awaitable<number | null>;
  /** Removes the item with its terms and vectors. */
  delete(place: Place): Awaitable<void>;
  /**
   * Ranked by `mergeRankings` of `search/`: BM25 and exact cosine over the items that satisfy the filter, equal scores and searches without a
   * query by {@link compareItems}. Each hit has both signals, whichever ranking found it. The reserved root is hidden.
   */
  search(plan: SearchPlan): Awaitable<FoundItem[]>;
  /** Every namespace under the prefix that holds an item, in any order, those under the reserved root included. */
  namespaces(prefix: Namespace): Awaitable<string[][]>;
  deleteAll(prefix: Namespace, matches: FilterPredicate | undefined): Awaitable<number>;
  count(prefix: Namespace, matches: FilterPredicate | undefined): Awaitable<number>;
  /** The stored embedding of each place, `undefined` where there is none. */
  embeddings(places: readonly Place[]): Awaitable<readonly (Embedding | undefined)[]>;
  indexRecord(): Awaitable<IndexRecord>;
  /** With another model than the recorded one (or none), every vector is removed. */
  recordIndex(record: IndexRecord): Awaitable<void>;
  /** How many items there are in all, those under the reserved root included. */
  size(): Awaitable<number>;
  /** A page of at most `limit` items; `after` undefined: the first. */
  page(after: number | undefined, limit: number): Awaitable<IndexedPage>;
  /**
   * Replaces the index of an item and nothing else; `"keep"` leaves its vectors. Does nothing where the item is gone or its value is no
   * longer `json`: who changed it has indexed it.
   */
  reindex(
    item: Place & { readonly json: string },
    terms: DocumentTerms | undefined,
    embedding: Embedding | "keep" | undefined,
  ): Awaitable<void>;
}

/** The terms of a stored value whose item was written with `index`. */
export type TermsOf = (
  json: string,
  index: false | readonly string[] | undefined,
) => DocumentTerms | undefined;

/** The part of a store that differs between databases. */
export interface StoreBackend {
  readonly capabilities: StoreCapabilities;
  /** Called once, before the first session; again after it failed. `termsOf` serves to make an outdated index again. */
  open(termsOf: TermsOf): Awaitable<void>;
  /** Runs `work` alone; as one transaction where the database has them. `now` decides what has expired and dates the writes. */
  session<T>(
    mode: "read" | "write",
    now: number,
    work: (session: BackendSession) => Awaitable<T>,
  ): Promise<T>;
  /** Makes files small and statistics fresh, alone and outside of any transaction. Absent: there is nothing to do. */
  maintain?(): Promise<void>;
  /** Called at most once after a successful `open`. */
  close(): Awaitable<void>;
}
