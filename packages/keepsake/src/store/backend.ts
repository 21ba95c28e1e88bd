import type { DocumentTerms, FilterPredicate, KeywordScore, QueryTerm } from "../search/index.ts";
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

/** An item that a query found, or one of a search without a query. */
export interface FoundItem {
  readonly item: StoredItem;
  readonly keyword: KeywordScore | undefined;
}

/** What is to be written. */
export interface Write extends Place {
  readonly json: string;
  /** `undefined`: not to be found by a query. */
  readonly terms: DocumentTerms | undefined;
  /** Kept with the item, for the day its index must be made again: `false`, its own paths, or `undefined` for those of the store. */
  readonly index: false | readonly string[] | undefined;
  /** `undefined`: never; with `touch`, as before. */
  readonly expiresAt: number | undefined;
  /** Only the value and the expiry of an item that exists. */
  readonly touch: boolean;
  /** `null`: only where there is no item. `undefined`: in any case. */
  readonly expectedVersion: number | null | undefined;
}

/** What is searched for. */
export interface SearchPlan {
  readonly prefix: Namespace;
  /** `undefined`: all items, newest first. */
  readonly query: readonly QueryTerm[] | undefined;
  readonly matches: FilterPredicate | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly signal: AbortSignal | undefined;
}

/** Operations of a backend; each sees what those before it did. None sees an expired item. */
export interface BackendSession {
  /** What the session takes for the time, in milliseconds since 1970. */
  readonly now: number;
  get(place: Place): Awaitable<StoredItem | undefined>;
  /** The item's version after the write; `null` where nothing was written. */
  put(write: Write): Awaitable<number | null>;
  delete(place: Place): Awaitable<void>;
  /** Ranked by `search/`, equal scores and searches without a query by {@link compareItems}. The reserved root is hidden. */
  search(plan: SearchPlan): Awaitable<FoundItem[]>;
  /** Every namespace under the prefix that holds an item, in any order, those under the reserved root included. */
  namespaces(prefix: Namespace): Awaitable<string[][]>;
  deleteAll(prefix: Namespace, matches: FilterPredicate | undefined): Awaitable<number>;
  count(prefix: Namespace, matches: FilterPredicate | undefined): Awaitable<number>;
  /** Makes the index of one page of items again, by `termsOf`; `after` and the result are the place of the last item done. */
  reindex(termsOf: TermsOf, after: ReindexCursor | undefined): Awaitable<ReindexCursor | undefined>;
}

/** The terms of a stored value whose item was written with `index`. */
export type TermsOf = (
  json: string,
  index: false | readonly string[] | undefined,
) => DocumentTerms | undefined;

/** How far a reindexing came. */
export interface ReindexCursor {
  readonly position: number;
  readonly done: number;
  readonly total: number;
}

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
  /** Called at most once after a successful `open`. */
  close(): Awaitable<void>;
}
