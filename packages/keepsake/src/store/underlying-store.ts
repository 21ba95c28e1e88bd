import { isRecord } from "../util/index.ts";

/**
 * The store behind the wrapper that LangGraph gives to everything inside a graph: the wrapper drops `index`, cannot list and lets a get
 * in the same tick miss a put. Any other value is returned as it is.
 */
export function underlyingStore<S>(store: S): S;
export function underlyingStore(store: unknown): unknown {
  const isWrapper = isRecord(store) && store.lg_name === "AsyncBatchedStore" && isRecord(store.store);
  return isWrapper ? underlyingStore(store.store) : store;
}
