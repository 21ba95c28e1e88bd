import { isObject } from "../util/index.ts";
import type { Store } from "./types.ts";

/** True for a store of keepsake's own contract, which takes any label and can compare and set. */
export function isKeepsakeStore(store: unknown): store is Store {
  return isObject(store) && "capabilities" in store && has(store, "compareAndSet");
}

/**
 * A namespace as it is written in a store that is not keepsake's: LangGraph's stores refuse some characters in labels, and the root
 * `langgraph`. Those are written as `=` and two hexadecimal digits (`a.b` becomes `a=2eb`), and so is an `=` that would read as such.
 * For keepsake's own stores nothing changes.
 *
 * `.` and `:` are refused by all of LangGraph's stores; `_`, `%` and `\` by `PostgresStore` alone, and elsewhere stay as they are, so
 * that what the app itself wrote under `["project_memories", …]` is found.
 */
export function labelsForHost(store: unknown, namespace: readonly string[]): string[] {
  if (isKeepsakeStore(store)) return [...namespace];
  // A method that only LangGraph's PostgresStore has; names of classes do not survive a minifier.
  const refused = has(store, "sweepExpiredItems") ? /[.:_%\\]|=(?=[0-9a-f]{2})/g : /[.:]|=(?=[0-9a-f]{2})/g;
  return namespace.map((label, index) => {
    if (index === 0 && label === "langgraph") return "=6canggraph";
    return label.replaceAll(refused, (character) => `=${character.charCodeAt(0).toString(16)}`);
  });
}

/** The reverse of {@link labelsForHost}. */
export function labelsFromHost(store: unknown, namespace: readonly string[]): string[] {
  if (isKeepsakeStore(store)) return [...namespace];
  return namespace.map((label) =>
    label.replaceAll(/=([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );
}

function has(store: unknown, method: string): boolean {
  return isObject(store) && method in store && typeof Object(store)[method] === "function";
}
