import { type MessageView, viewOf } from "../message/index.ts";
import type { Plan } from "./plan.ts";

/**
 * The index that a plan's summary block goes before: where it was while nothing is cut, else a user's message, so that every provider accepts
 * what is behind it: the first turn behind what left, or the latest turn. A block of prompts goes behind the prompts that the list begins
 * with: in the middle some providers refuse them.
 */
export function blockPlace<M>(
  { messages, keep, block, inBlock }: Plan<M>,
  { preserveFirst, isPrompt }: { readonly preserveFirst: boolean; readonly isPrompt: boolean },
): number {
  const isKept = (fits: (view: MessageView, index: number) => boolean) => (kept: number, index: number) =>
    kept === 1 && fits(viewOf(messages[index]), index);
  // Of a role that nobody knows are messages that no provider sees.
  const behindPrompts = keep.findIndex(isKept(({ role }) => role !== "system" && role !== "other"));
  const firstGone = keep.findIndex((kept, index) => kept === 0 && !inBlock.has(index));
  const first = preserveFirst ? keep.indexOf(1) : -1;
  // Words beside results belong to the exchange before them.
  const isTurn = isKept(({ startsTurn, results }) => startsTurn && results.length === 0);
  const isNextTurn = (kept: number, index: number): boolean =>
    isTurn(kept, index) && index > firstGone && index !== first;
  const places = [
    firstGone < 0 ? block?.index : undefined,
    isPrompt ? behindPrompts : keep.findIndex(isNextTurn),
    keep.findLastIndex(isTurn),
    behindPrompts,
  ];
  return places.find((place) => place !== undefined && place >= 0) ?? messages.length;
}
