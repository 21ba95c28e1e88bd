import { analyze, isStopTerm } from "../../search/index.ts";
import type { TurnValue } from "../types.ts";

/** How many turns to each side count as a turn's surroundings. */
export const reach = 2;

/** Characters kept of the turns before and after. What was asked says more of an answer than what followed it. */
const beforeLength = 120;
const afterLength = 60;
/** Characters of a turn that are looked at, so that a huge one costs nothing. */
const scanLength = 2000;
const word = /[\p{L}\p{M}\p{N}]{1,24}(?:[-_./:@'’][\p{L}\p{M}\p{N}]{1,24}){0,3}|\p{Extended_Pictographic}/gu;

/** Key words of the turns before one (nearest first) that it does not have itself: the last that fit, in reading order. */
export function wordsBefore(turn: TurnValue, before: readonly TurnValue[]): string {
  const backwards = before.flatMap(({ content }) => wordsIn(content.slice(-scanLength)).reverse());
  return keyWords(turn, backwards, beforeLength).reverse().join(" ");
}

/** Key words of the turns after one (nearest first) that it does not have itself: the first that fit. */
export function wordsAfter(turn: TurnValue, after: readonly TurnValue[]): string {
  const forwards = after.flatMap(({ content }) => wordsIn(content.slice(0, scanLength)));
  return keyWords(turn, forwards, afterLength).join(" ");
}

function wordsIn(text: string): string[] {
  return text.match(word) ?? [];
}

/** The first words that fit, each with a term that neither the turn nor a word before it has. Stop words say nothing. */
function keyWords(turn: TurnValue, words: readonly string[], length: number): string[] {
  if (words.length === 0) return [];
  const seen = new Set(analyze(turn.content.slice(0, scanLength)));
  const chosen: string[] = [];
  let left = length;
  for (const candidate of words) {
    const fresh = analyze(candidate).filter((term) => !isStopTerm(term) && !seen.has(term));
    if (fresh.length === 0) continue;
    left -= candidate.length + 1;
    if (left < 0) break;
    chosen.push(candidate);
    for (const term of fresh) seen.add(term);
  }
  return chosen;
}

/** True where two turns belong to one sitting: no more than `gapMs` between them, or it is not known when one of them was. */
export function sameSitting(turn: TurnValue, other: TurnValue, gapMs: number): boolean {
  if (turn.at === undefined || other.at === undefined) return true;
  return Math.abs(Date.parse(turn.at) - Date.parse(other.at)) <= gapMs;
}
