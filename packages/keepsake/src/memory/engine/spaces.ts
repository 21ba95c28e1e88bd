import { type Namespace, reservedRoot } from "../../store/index.ts";
import { hash128 } from "../../util/index.ts";

/** What the engine keeps beside the memories, each in a tree of its own that mirrors theirs. */
export type Space = "plans" | "history" | "tombstones" | "contents";

/** The trees, beside the tombstones, that hold something of a person; the places of raw turns included. */
export const otherSpaces: readonly string[] = ["plans", "history", "contents", "turns"];

/** Plans that are done, tombstones, and what else need not be kept for ever, go after 30 days. */
export const keptMs: number = 30 * 24 * 60 * 60 * 1000;

/** Where the engine keeps something of a namespace; ordinary searches do not see it. */
export function spaceOf(space: Space, namespace: Namespace): string[] {
  return [reservedRoot, space, ...namespace];
}

/** Where the history of one memory is. */
export function historySpace(namespace: Namespace, key: string): string[] {
  return [...spaceOf("history", namespace), `#${hash128(key)}`];
}
