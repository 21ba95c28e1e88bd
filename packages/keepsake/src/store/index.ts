// The door of the room, for other rooms. What apps see as `keepsake/store` is in `public.ts`.

export { BackedStore, type StoreConfig } from "./backed-store.ts";
export type {
  BackendSession,
  Embedding,
  FoundItem,
  IndexedItem,
  IndexedPage,
  IndexRecord,
  Place,
  PlannedQuery,
  SearchPlan,
  StoreBackend,
  StoredItem,
  TermsOf,
  VectorModel,
  Write,
} from "./backend.ts";
export type { StoreOperation } from "./batch.ts";
export { isKeepsakeStore, labelsForHost, labelsFromHost } from "./host-labels.ts";
export {
  type FoundMemory,
  type HostStore,
  isHostStore,
  placeholderValues,
  type StoredMemory,
} from "./host-store.ts";
export { InMemoryStore } from "./in-memory-store.ts";
export {
  checkKey,
  decodeNamespace,
  encodeNamespace,
  hidesReserved,
  namespaceRange,
  reservedRoot,
} from "./namespace.ts";
export { type NamespaceTemplate, namespaceLabels, namespaceTemplate } from "./namespace-template.ts";
export { compareFound } from "./order.ts";
export { type MemoryPlace, type PlaceSearch, placeIn } from "./place.ts";
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
export { underlyingStore } from "./underlying-store.ts";
export { valueFromJson, valueToJson } from "./value.ts";
