import type { Awaitable, Json } from "../util/index.ts";
import type { BatchResults, StoreOperation } from "./batch.ts";
import type { Item, Namespace, SearchItem } from "./item.ts";

export type { Item, Namespace, SearchItem } from "./item.ts";

/** How an item is written. */
export interface PutOptions {
  /** Milliseconds until the item expires. */
  ttlMs?: number;
  /** Metadata only: keep vectors, text index, version and `updatedAt`. */
  touch?: boolean;
}

/** How an item is written by `compareAndSet`. */
export interface CompareAndSetOptions extends PutOptions {
  /** As in `put`: the paths to index instead of the store's, or `false`: not found by a query. */
  index?: false | string[];
}

/** What a search asks for. */
export interface SearchOptions {
  query?: string;
  filter?: Filter;
  /** Default 10. */
  limit?: number;
  /** Default 0. */
  offset?: number;
  mode?: "hybrid" | "keyword" | "vector";
  signal?: AbortSignal;
}

/** The operators of a {@link Filter}; several on one field all apply. */
export interface FilterOperators {
  $eq?: Json;
  $ne?: Json;
  $gt?: number | string;
  $gte?: number | string;
  $lt?: number | string;
  $lte?: number | string;
  $in?: Json[];
  $nin?: Json[];
}

/** Conditions on the fields of a value, by dotted path. */
export type Filter = { [path: string]: Json | FilterOperators };

/** Texts to vectors: a function, an object of LangChain's `Embeddings` shape, or an embedding model of the AI SDK. */
export type Embed =
  | ((texts: string[]) => Promise<number[][]>)
  | { embedDocuments(texts: string[]): Promise<number[][]>; embedQuery(text: string): Promise<number[]> }
  | {
      readonly modelId: string;
      doEmbed(options: {
        values: string[];
        abortSignal?: AbortSignal;
      }): PromiseLike<{ embeddings: number[][] }>;
    };

/** What of a value is searchable, and how. */
export interface IndexConfig {
  dims?: number;
  embed?: Embed | string;
  embeddings?: Embed;
  /** Dotted paths, or paths with weights; default the whole value (`["$"]`). */
  fields?: readonly string[] | { readonly [field: string]: number };
  ranking?: { keyword?: number; vector?: number; k?: number };
}

/** What a store can do. */
export interface StoreCapabilities {
  keyword: boolean;
  vector: boolean;
  ttl: boolean;
  atomicBatch: boolean;
}

/** Which namespaces to list. */
export interface ListNamespacesOptions {
  /** `"*"` stands for exactly one segment. */
  prefix?: string[];
  suffix?: string[];
  /** Namespaces are cut to this many segments, and listed once. */
  maxDepth?: number;
  /** Default 100. */
  limit?: number;
  /** Default 0. */
  offset?: number;
}

/** Structurally LangGraph's `BaseStore`, and more: see `docs/stores.md`. */
export interface Store {
  /** LangGraph's operations, in order; a later one sees an earlier one. Every valid one is carried out; then rejects with `batch_failed` if any failed. */
  batch<const Operations extends readonly StoreOperation[]>(
    operations: Operations,
  ): Promise<BatchResults<Operations>>;
  // biome-ignore lint/suspicious/noExplicitAny: LangGraph types its results by its own operations; only `any` is assignable to those
  batch(operations: readonly unknown[]): Promise<any>;
  get(namespace: Namespace, key: string): Promise<Item | null>;
  put(
    namespace: Namespace,
    key: string,
    value: Record<string, unknown>,
    index?: false | string[],
    options?: PutOptions,
  ): Promise<void>;
  delete(namespace: Namespace, key: string): Promise<void>;
  /** Without a query: newest `updatedAt` first, key as tie-break. */
  search(prefix: Namespace, options?: SearchOptions): Promise<SearchItem[]>;
  listNamespaces(options?: ListNamespacesOptions): Promise<string[][]>;
  /** `expectedVersion` null: the key must not exist. Returns the new version, or null where the expectation failed. */
  compareAndSet(
    namespace: Namespace,
    key: string,
    expectedVersion: number | null,
    value: Record<string, unknown>,
    options?: CompareAndSetOptions,
  ): Promise<number | null>;
  deleteAll(prefix: Namespace, options?: { filter?: Filter }): Promise<number>;
  count(prefix: Namespace, options?: { filter?: Filter }): Promise<number>;
  reindex(options?: {
    embed?: Embed | string;
    onProgress?: (done: number, total: number) => void;
    signal?: AbortSignal;
  }): Promise<number>;
  readonly capabilities: StoreCapabilities;
  /** LangGraph's `BaseStore` has it; a store opens itself. */
  start(): Awaitable<void>;
  /** LangGraph's `BaseStore` has it, and a graph never calls it on the store that it was given; {@link close} ends a store. */
  stop(): Awaitable<void>;
  close(): Promise<void>;
}
