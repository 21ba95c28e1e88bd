// The door of the room, for other rooms. What apps see as `keepsake/store` is in `public.ts`.

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
export { compareFound } from "./order.ts";
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
