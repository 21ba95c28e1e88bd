import { analyze, isStopTerm } from "../search/index.ts";
import type { TurnValue } from "./types.ts";

/** How many turns to each side count as a turn's surroundings. */
export const reach = 2;

/** Characters kept of the turns before and after. What was asked says more of an answer than what followed it. */
const beforeLength = 120;
const afterLength = 60;
/** Characters of a turn that are looked at, so that a huge one costs nothing. */
const scanLength = 2000;
const word = /[\p{L}\p{M}\p{N}]{1,24}(?:[-_./:@'’][\p{L}\p{M}\p{N}]{1,24}){0,3}|\p{Extended_Pictographic}/gu;

/** The turns around one, nearest first. */
export interface Neighbours {
  readonly before: readonly TurnValue[];
  readonly after: readonly TurnValue[];
}

/**
 * The key words of a turn's surroundings: those that the turn itself does not have, nearest first until the space is used, shown in
 * reading order. Stop words are left out.
 */
export function surroundingsOf(
  turn: TurnValue,
  { before, after }: Neighbours,
): Pick<TurnValue, "before" | "after"> {
  const own = analyze(turn.content.slice(0, scanLength));
  const backwards = before.map(({ content }) => wordsIn(content.slice(-scanLength)).reverse());
  const forwards = after.map(({ content }) => wordsIn(content.slice(0, scanLength)));
  const earlier = keyWords(backwards.flat(), new Set(own), beforeLength).reverse().join(" ");
  const later = keyWords(forwards.flat(), new Set(own), afterLength).join(" ");
  return { ...(earlier === "" ? {} : { before: earlier }), ...(later === "" ? {} : { after: later }) };
}

function wordsIn(text: string): string[] {
  return text.match(word) ?? [];
}

/** The first words that fit and bring a term that is not in `seen` (which grows). */
function keyWords(words: readonly string[], seen: Set<string>, length: number): string[] {
  const chosen: string[] = [];
  let left = length;
  for (const candidate of words) {
    const fresh = analyze(candidate).filter((term) => !isStopTerm(term) && !seen.has(term));
    if (fresh.length === 0) continue;
    if (candidate.length + 1 > left) break;
    left -= candidate.length + 1;
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
