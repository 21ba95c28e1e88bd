import { trait } from "../message/index.ts";
import { cutByMessage } from "./message-boundary.ts";
import { has, isTurnStart, pinExchange } from "./pins.ts";
import { append, emptySequence, type Sequence } from "./sequence.ts";
import { cutAtTurn } from "./turn-boundary.ts";
import type { WindowChoice, WindowInput, WindowOptions } from "./types.ts";

/** Decides which messages stay. Pure: the same input gives the same window. O(n). */
export function chooseWindow(input: WindowInput, options: WindowOptions): WindowChoice {
  const { sequence } = input;
  const limit = options.maxTokens ?? options.maxMessages ?? Number.POSITIVE_INFINITY;
  const isTurn = options.boundary === "turn";
  const repairs = options.repair && options.cascadeToolMessages;
  const keep = new Uint8Array(sequence.records.length);
  const total =
    placeAll(sequence, keep, isTurn && repairs) - (isTurn && repairs ? dropLeading(input, keep) : 0);
  if (total + input.blockSize <= limit && (isTurn || !repairs)) return { keep, size: total, limit };
  if (total + input.blockSize > limit) {
    const cut = isTurn ? cutAtTurn : cutByMessage;
    cut({ ...input, options, keep, total: total + input.reservedSize(), limit });
  }
  const size = isTurn || !repairs ? sizeOf(sequence, keep) : placeAll(regrouped(sequence, keep), keep, true);
  return { keep, size, limit };
}

/**
 * Keeps all that has a place in a window, and tells what it takes up. With `repairs` what no provider accepts where it stands has none:
 * results whose call is missing, calls in the middle that were not all answered, with what results they have, reasoning without what it led
 * to, and user or assistant messages without any content.
 */
function placeAll(sequence: Sequence, keep: Uint8Array, repairs: boolean): number {
  const { records, weights } = sequence;
  const thoughts = repairs ? vainThoughts(sequence) : [];
  let size = 0;
  for (let index = 0; index < keep.length; index += 1) {
    const isSound = !repairs || (isWhole(sequence, index) && !thoughts.includes(index));
    keep[index] = isSound && records[index] !== undefined ? 1 : 0;
    if (keep[index] === 1) size += weights[index] as number;
  }
  return size;
}

function isWhole(sequence: Sequence, index: number): boolean {
  return sequence.broken[index] === 0 && !has(sequence, index, trait.blank);
}

/** The reasoning at the end that only broken messages follow: what it led to is not yet to come. */
function vainThoughts(sequence: Sequence): readonly number[] {
  const { rows, broken } = sequence;
  const last = rows.findLastIndex((row) => !row.binds);
  const thoughts = rows.slice(last + 1).flatMap((row) => row.members);
  const end = thoughts.at(-1);
  if (end === undefined) return [];
  return broken.some((_, index) => index > end && !isWhole(sequence, index)) ? thoughts : [];
}

/**
 * Where repair has removed what the conversation began with, what answered it goes as well, up to the first turn: a window that had begun
 * with the user still does. Tells what that took up.
 */
function dropLeading({ sequence, pin }: WindowInput, keep: Uint8Array): number {
  const { records, weights } = sequence;
  const isSpoken = (index: number): boolean => has(sequence, index, trait.human | trait.ai | trait.result);
  const first = keep.findIndex((kept, index) => kept === 1 && isSpoken(index));
  const isRepaired = records
    .slice(0, Math.max(0, first))
    .some((record, index) => record !== undefined && keep[index] === 0 && isSpoken(index));
  if (!isRepaired) return 0;
  const turn = keep.findIndex((kept, index) => kept === 1 && isTurnStart(sequence, index));
  const pinned = new Uint8Array(keep.length);
  for (let index = first; index < turn; index += 1) {
    if (has(sequence, index, trait.pinned) || pin?.(index)) pinExchange(pinned, sequence, index);
  }
  let size = 0;
  for (let index = first; index < turn; index += 1) {
    if (keep[index] === 0 || pinned[index] === 1 || has(sequence, index, trait.fixed)) continue;
    keep[index] = 0;
    size += weights[index] as number;
  }
  return size;
}

/** The sequence as it is without the messages that have left. */
function regrouped({ messages, records, weights }: Sequence, keep: Uint8Array): Sequence {
  const rest = emptySequence();
  keep.forEach((kept, index) => {
    append(rest, messages[index], kept === 1 ? records[index] : undefined, weights[index] as number);
  });
  return rest;
}

function sizeOf({ weights }: Sequence, keep: Uint8Array): number {
  return keep.reduce((size, kept, index) => size + kept * (weights[index] as number), 0);
}
