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
  // Words beside results stand within an exchange.
  const turn = find(
    ({ startsTurn, results }, index) =>
      startsTurn && results.length === 0 && index > firstGone && index !== first,
  );
  if (turn >= 0) return turn;
  const isSpoken = ({ role }: MessageView): boolean => role === "human" || role === "ai" || role === "tool";
  return orEnd(find((view, index) => isSpoken(view) && (index !== first || view.role !== "human")));
}
