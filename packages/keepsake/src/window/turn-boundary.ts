import { trait } from "../message/index.ts";
import { findPins, has, isTurnStart } from "./pins.ts";
import type { CutInput } from "./types.ts";

/**
 * Cuts so that the window starts on a user message, and stays within the limit with its pins and its summary block.
 *
 * By count the cut moves back to the nearest turn start while the limit allows it, else forward to the next one. By tokens it only moves
 * forward, since `targetTokens` is a most. Where no turn start is left, the latest turn itself is too large: its user message stays, with the
 * whole exchanges from the first that fits.
 */
export function cutAtTurn(input: CutInput): void {
  const { keep } = input;
  const pinned = findPins(input);
  pinTurnOfFirst(input, pinned);
  const start = findStart(input, pinned);
  for (let index = 0; index < start; index += 1) if (pinned[index] === 0) keep[index] = 0;
}

/** The index from which everything stays. */
function findStart(input: CutInput, pinned: Uint8Array): number {
  const { sequence, keep } = input;
  const nominal = nominalStart(input, pinned);
  const turn = nearestStart(input, pinned, nominal, (index) => isTurnStart(sequence, index));
  if (turn >= 0) return turn;
  const isExchange = (index: number): boolean =>
    sequence.startOf[index] === index && !has(sequence, index, trait.fixed);
  const exchange = nearestStart(input, pinned, nominal, isExchange);
  return exchange >= 0 ? exchange : keep.length;
}

/** A place where a window may start. */
interface Start {
  readonly index: number;
  /** What that window takes up: the pins before it, everything from it on, and the summary block. */
  readonly size: number;
}

/** Where the window would start if any message could be its first: the least that is asked for, or as much as there is room for. */
function nominalStart({ sequence, keep, options, limit, total }: CutInput, pinned: Uint8Array): Start {
  const { weights } = sequence;
  const byTokens = options.maxTokens !== undefined;
  const mostSize = byTokens ? Math.min(limit, options.targetTokens ?? limit) : limit;
  let room = byTokens ? Number.POSITIVE_INFINITY : options.minMessages;
  let start = { index: keep.length, size: total };
  for (let index = 0; index < keep.length; index += 1) {
    if (keep[index] === 1 && pinned[index] === 0) start.size -= weights[index] as number;
  }
  for (let index = keep.length - 1; index >= 0 && room > 0; index -= 1) {
    if (keep[index] === 0) continue;
    const size = start.size + (pinned[index] === 1 ? 0 : (weights[index] as number));
    if (size > mostSize) break;
    start = { index, size };
    room -= 1;
  }
  return start;
}

/** The start nearest to the nominal one: by count back while the limit allows it, else forward; -1 where there is none. */
function nearestStart(
  { sequence, keep, options, limit }: CutInput,
  pinned: Uint8Array,
  nominal: Start,
  isStart: (index: number) => boolean,
): number {
  let { size } = nominal;
  for (let index = nominal.index; index >= 0 && options.maxTokens === undefined; index -= 1) {
    if (keep[index] !== 1) continue;
    if (index < nominal.index && pinned[index] === 0) size += sequence.weights[index] as number;
    if (size > limit) break;
    if (isStart(index)) return index;
  }
  for (let index = nominal.index; index < keep.length; index += 1)
    if (keep[index] === 1 && isStart(index)) return index;
  return -1;
}

/**
 * Pins the user message that the first pinned ai message answers, unless the app put it first itself: for every provider the first message
 * after the system prompt is the user's.
 */
function pinTurnOfFirst({ sequence, keep, options }: CutInput, pinned: Uint8Array): void {
  let user = -1;
  let isFirst = options.preserveFirst;
  for (let index = 0; index < keep.length; index += 1) {
    if (keep[index] === 0) continue;
    if (isTurnStart(sequence, index)) {
      if (pinned[index] === 1) return;
      user = index;
    } else if (pinned[index] === 1 && has(sequence, index, trait.ai) && !isFirst && user >= 0) {
      pinned[user] = 1;
      return;
    }
    isFirst = false;
  }
}
