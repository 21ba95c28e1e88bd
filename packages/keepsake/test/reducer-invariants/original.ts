import type { Draft } from "./draft.ts";
import type { Limits } from "./limits.ts";
import { understand } from "./oracle.ts";

/**
 * The arithmetic of agentstate-reducer 0.1.1, written from its description: above `maxMessages` the user and assistant
 * messages of `[start, n − minMessages)` leave, and with an assistant message all results of its calls, wherever they
 * are. `pinned` are the indexes that never leave.
 */
export function originalPruned(
  list: readonly Draft[],
  limits: Limits,
  pinned: ReadonlySet<number>,
  cascade = true,
): number[] {
  if (limits.maxMessages === null || list.length <= limits.maxMessages) return [];
  const start = limits.preserveFirst ? 1 : 0;
  const end = list.length - limits.minMessages;
  const leaves = (draft: Draft, index: number): boolean =>
    index >= start && index < end && (draft.role === "human" || draft.role === "ai") && !pinned.has(index);
  const calls = new Set(list.filter(leaves).flatMap((draft) => draft.calls));
  return list.flatMap((draft, index) => {
    const follows =
      cascade &&
      draft.answers !== undefined &&
      calls.has(draft.answers) &&
      index >= start &&
      !pinned.has(index);
    return leaves(draft, index) || follows ? [index] : [];
  });
}

/** The two exceptions from the original, and what `pin` names, for a list in which nothing is unclear. */
export function exceptions(list: readonly Draft[], limits: Limits): Set<number> {
  const { unitOf } = understand(list);
  const pinned = new Set<number>();
  const add = (index: number): void => {
    for (const member of unitOf[index] ?? []) pinned.add(member);
  };
  add(list.findLastIndex((draft) => draft.role === "human"));
  add(list.findLastIndex((draft) => draft.role === "human" || draft.role === "ai" || draft.role === "tool"));
  list.forEach((draft, index) => {
    if (limits.pin && draft.pinned) add(index);
  });
  return pinned;
}
