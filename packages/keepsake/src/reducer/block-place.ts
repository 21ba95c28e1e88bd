import { type MessageView, viewOf } from "../message/index.ts";
import type { Plan } from "./plan.ts";

/**
 * The index that a plan's summary block goes before: where it was while nothing is cut, else before the retained tail: a turn behind what
 * left, or the first message that is neither a prompt nor a preserved question. A block of prompts goes behind the prompts that the list
 * begins with: in the middle some providers refuse them.
 */
export function blockPlace<M>(
  { messages, keep, block, inBlock }: Plan<M>,
  { preserveFirst, isPrompt }: { readonly preserveFirst: boolean; readonly isPrompt: boolean },
): number {
  const find = (fits: (view: MessageView, index: number) => boolean): number =>
    keep.findIndex((kept, index) => kept === 1 && fits(viewOf(messages[index]), index));
  const orEnd = (index: number): number => (index < 0 ? messages.length : index);
  if (isPrompt) return orEnd(find(({ role }) => role !== "system"));
  const firstGone = keep.findIndex((kept, index) => kept === 0 && !inBlock.has(index));
  if (firstGone < 0 && block !== undefined) return block.index;
  const first = preserveFirst ? keep.indexOf(1) : -1;
  const turn = find(({ startsTurn }, index) => startsTurn && index > firstGone && index !== first);
  if (turn >= 0) return turn;
  return orEnd(find(({ role }, index) => role !== "system" && (index !== first || role !== "human")));
}
