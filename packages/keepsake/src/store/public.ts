// What is exported here is public API as `keepsake/store`; other rooms enter by `index.ts`.
export type { StoreConfig } from "./backed-store.ts";
export type { BatchResults, StoreOperation } from "./batch.ts";
export { InMemoryStore } from "./in-memory-store.ts";
export { reservedRoot } from "./namespace.ts";
export type {
  CompareAndSetOptions,
  Embed,
  Filter,
  FilterOperators,
  IndexConfig,
  Item,
  ListNamespacesOptions,
  Namespace,
  PutOptions,
  SearchItem,
  SearchOptions,
  Store,
  StoreCapabilities,
} from "./types.ts";
