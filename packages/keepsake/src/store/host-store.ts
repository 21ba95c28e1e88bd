import { isObject } from "../util/index.ts";
import type { Item, SearchItem } from "./item.ts";

/** An item as any store returns it: keepsake's, and LangGraph's. */
export type StoredMemory = Pick<Item, "namespace" | "key" | "value" | "createdAt" | "updatedAt"> & {
  readonly version?: number;
};

/** A {@link StoredMemory} that a search found. */
export type FoundMemory = StoredMemory & Pick<SearchItem, "score">;

/** What keepsake's stores and LangGraph's have in common. */
export interface HostStore {
  get(namespace: string[], key: string): Promise<StoredMemory | null>;
  put(namespace: string[], key: string, value: Record<string, unknown>): Promise<void>;
  delete(namespace: string[], key: string): Promise<void>;
  search(
    prefix: string[],
    options?: { query?: string; filter?: Record<string, unknown>; limit?: number; offset?: number },
  ): Promise<FoundMemory[]>;
}

/** True for what has the four functions of a {@link HostStore}. */
export function isHostStore(store: unknown): store is HostStore {
  return ["get", "put", "delete", "search"].every((method) => typeof Object(store)[method] === "function");
}

/** Where the placeholders of a namespace get their values: from `configurable`, then from `context`. */
export function placeholderValues(run: {
  readonly configurable?: unknown;
  readonly context?: unknown;
}): (placeholder: string) => unknown {
  return (placeholder) => {
    const configured = property(run.configurable, placeholder);
    return configured === undefined ? property(run.context, placeholder) : configured;
  };
}

function property(values: unknown, name: string): unknown {
  return isObject(values) && name in values ? Object(values)[name] : undefined;
}
