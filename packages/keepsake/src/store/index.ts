// What is exported here is public API as `keepsake/store`.

export { BackedStore, type StoreConfig } from "./backed-store.ts";
export type {
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
export { InMemoryStore } from "./in-memory-store.ts";
export {
  decodeNamespace,
  encodeNamespace,
  hidesReserved,
  namespaceRange,
  reservedRoot,
} from "./namespace.ts";
export { compareFound, compareItems } from "./order.ts";
export type {
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
export { valueFromJson } from "./value.ts";
