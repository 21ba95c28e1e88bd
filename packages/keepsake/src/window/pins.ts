import { trait } from "../message/index.ts";
import type { Sequence } from "./sequence.ts";
import type { CutInput } from "./types.ts";

/**
 * Marks with 1 the messages that never leave: the first one while it is preserved, system and function messages, unknown roles, what the app
 * or the format pins, the latest user message, the last exchange. A pinned message keeps its whole exchange.
 */
export function findPins(input: CutInput): Uint8Array {
  const { sequence, keep, pin, options } = input;
  const { broken } = sequence;
  const pinned = new Uint8Array(keep.length);
  let first = options.preserveFirst;
  for (let index = 0; index < keep.length; index += 1) {
    if (keep[index] === 0) continue;
    if (has(sequence, index, trait.fixed)) pinned[index] = 1;
    if (first || has(sequence, index, trait.pinned) || pin?.(index)) pinExchange(pinned, sequence, index);
    first = false;
  }
  const latest = (fits: (index: number) => boolean): number =>
    keep.findLastIndex((kept, index) => kept === 1 && fits(index));
  const turn = latest((index) => has(sequence, index, trait.startsTurn));
  pinExchange(pinned, sequence, turn >= 0 ? turn : latest((index) => has(sequence, index, trait.human)));
  const last = latest((index) => broken[index] === 0 && !has(sequence, index, trait.fixed | trait.blank));
  pinExchange(pinned, sequence, last);
  return pinned;
}

/** Pins the exchange of the message at an index, if there is one. */
export function pinExchange(pinned: Uint8Array, sequence: Sequence, index: number): void {
  for (const member of exchangeOf(sequence, index)) pinned[member] = 1;
}

/** The indices of the messages of an exchange, by one of them. */
export function exchangeOf({ startOf, endOf }: Sequence, index: number): number[] {
  const members: number[] = [];
  const start = startOf[index];
  if (start === undefined) return members;
  for (let member = start; member <= (endOf[start] as number); member += 1)
    if (startOf[member] === start) members.push(member);
  return members;
}

/** True where the message at an index has one of some traits. */
export function has({ traits }: Sequence, index: number, wanted: number): boolean {
  return ((traits[index] as number) & wanted) !== 0;
}

/** True for a user's message that a window may start with: one that says something, and answers no call. */
export function isTurnStart(sequence: Sequence, index: number): boolean {
  return has(sequence, index, trait.startsTurn) && sequence.startOf[index] === index;
}
