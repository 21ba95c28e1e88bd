import type { FoundItem, StoredItem } from "./backend.ts";
import { compareCodePoints, encodeNamespace } from "./namespace.ts";

/** The order of a search without a query: newest `updatedAt` first, then by key, then by namespace. */
export function compareItems(left: StoredItem, right: StoredItem): number {
  return (
    right.updatedAt - left.updatedAt ||
    compareCodePoints(left.key, right.key) ||
    compareCodePoints(encodeNamespace(left.namespace), encodeNamespace(right.namespace))
  );
}

/** The order of a search with a query: best score first, equal scores as {@link compareItems}. */
export function compareFound(left: FoundItem, right: FoundItem): number {
  return (right.hit?.score ?? 0) - (left.hit?.score ?? 0) || compareItems(left.item, right.item);
}
