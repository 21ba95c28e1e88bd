import type { MessageRecord } from "../message/index.ts";
import { type Exchanges, groupExchanges } from "./exchanges.ts";
import { findPins, isNeverPruned } from "./pins.ts";
import type { CutInput } from "./types.ts";

/**
 * Cuts so that the window starts on a user message, and stays within the limit with its pins and its summary block.
 *
 * By count the cut moves back to the nearest turn start while the limit allows it, else forward to the next one. By tokens it only
 * moves forward, since `targetTokens` is a most. Where no turn start is left, the latest turn itself is too large: its user message stays, with
 * the whole exchanges from the first that fits.
 */
export function cutAtTurn(input: CutInput): Uint8Array {
  const { records, options } = input;
  const exchanges = groupExchanges(records);
  const pinned = findPins(records, exchanges, { preserveFirst: options.preserveFirst, pin: input.pin });
  pinTurnOfFirst(records, pinned, options.preserveFirst);
  const start = findStart(input, exchanges, sizesFrom(input, pinned));
  const keep = pinned.slice();
  keep.fill(1, start);
  return keep;
}

/** The index from which everything stays. */
function findStart(input: CutInput, exchanges: Exchanges, sizes: Float64Array): number {
  const { records } = input;
  const wanted = nominalStart(input, sizes);
  const startsTurn = (index: number): boolean => records[index]?.view.startsTurn === true;
  const startsExchange = (index: number): boolean =>
    exchanges.startOf[index] === index && !isNeverPruned(records[index] as MessageRecord);
  const turn = nearestStart(input, sizes, wanted, startsTurn);
  if (turn >= 0) return turn;
  const exchange = nearestStart(input, sizes, wanted, startsExchange);
  return exchange >= 0 ? exchange : records.length;
}

/** The start nearest to the wanted one: by count back while the limit allows it, else forward; -1 where there is none. */
function nearestStart(
  { records, limit, options }: CutInput,
  sizes: Float64Array,
  wanted: number,
  isStart: (index: number) => boolean,
): number {
  const back = options.maxTokens === undefined ? findBackwards(wanted, isStart) : -1;
  if (back >= 0 && (sizes[back] ?? 0) <= limit) return back;
  for (let index = wanted; index < records.length; index += 1) if (isStart(index)) return index;
  return -1;
}

/** Where the window would start if any message could be its first: the least that is asked for, or as much as there is room for. */
function nominalStart(input: CutInput, sizes: Float64Array): number {
  const { records, options, limit } = input;
  const byCount = options.maxTokens === undefined;
  const most = byCount ? limit : Math.min(limit, options.targetTokens ?? limit);
  let start = byCount ? Math.max(0, records.length - options.minMessages) : 0;
  while (start < records.length && (sizes[start] ?? 0) > most) start += 1;
  return start;
}

function findBackwards(from: number, matches: (index: number) => boolean): number {
  for (let index = from; index >= 0; index -= 1) if (matches(index)) return index;
  return -1;
}

/** For each index the size of the window that starts there: pins before it, everything from it on, and the summary block. */
function sizesFrom(input: CutInput, pinned: Uint8Array): Float64Array {
  const { weights, total, reservedSize } = input;
  const sizes = new Float64Array(weights.length + 1);
  let size = total + reservedSize;
  for (let index = 0; index < weights.length; index += 1) {
    sizes[index] = size;
    if (pinned[index] === 0) size -= weights[index] ?? 0;
  }
  sizes[weights.length] = size;
  return sizes;
}

/**
 * Pins the user message that the first pinned ai message answers, unless the app put it first itself: for every provider the first message
 * after the system prompt is the user's.
 */
function pinTurnOfFirst(records: readonly MessageRecord[], pinned: Uint8Array, preserveFirst: boolean): void {
  for (let index = 0; index < records.length; index += 1) {
    const { view } = records[index] as MessageRecord;
    if (view.startsTurn && pinned[index] === 1) return;
    if (pinned[index] === 0 || view.role !== "ai" || (preserveFirst && index === 0)) continue;
    const user = findBackwards(index, (before) => records[before]?.view.startsTurn === true);
    if (user < 0) continue;
    pinned[user] = 1;
    return;
  }
}
