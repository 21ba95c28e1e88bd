import { KeepsakeError } from "../../errors/index.ts";
import {
  type HostStore,
  isHostStore,
  type NamespaceTemplate,
  placeholderValues,
  underlyingStore,
} from "../../store/index.ts";

/**
 * What the app says about one call of a manager: LangGraph's config of a node has these fields, and others, which are not read.
 */
export interface ManagerConfig {
  /** Where placeholders of the namespace are looked up first. */
  readonly configurable?: unknown;
  /** Where they are looked up next. */
  readonly context?: unknown;
  /** The store of this call, where the manager itself was given none. */
  readonly store?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** The id of a delivery: what was decided about it is carried out once, and the model is not asked again when it comes again. */
  readonly deliveryId?: string | undefined;
}

/** Where one call works. */
export interface OpenRun {
  readonly store: HostStore;
  readonly namespace: string[];
}

/**
 * Finds the store and fills the namespace of one call. Nothing is kept from one call to the next.
 *
 * @throws {KeepsakeError} missing_store or missing_namespace_value
 */
export function openRun(
  subject: string,
  given: { readonly store: HostStore | undefined; readonly template: NamespaceTemplate },
  config: ManagerConfig,
): OpenRun {
  const store = underlyingStore(given.store ?? config.store);
  if (!isHostStore(store)) {
    const isNone = store === undefined || store === null;
    throw new KeepsakeError(
      "missing_store",
      `${subject}: ${isNone ? "there is no store" : "what is given as the store has no get, put, delete and search"}. Pass \`store\` when you make it, or call it with the config of a node whose graph has a store. In a background hook there is no run to take one from.`,
    );
  }
  return { store, namespace: given.template.fill(placeholderValues(config)) };
}
