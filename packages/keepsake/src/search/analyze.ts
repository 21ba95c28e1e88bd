import { hash128 } from "../util/index.ts";
import { fold } from "./fold.ts";
import { stem } from "./stem.ts";

/** Rises whenever {@link analyze} gives other terms for the same text: stored indexes of a lower version must be rebuilt. */
export const analyzerVersion = 1;

const maxTermLength = 64;
const chunk =
  /[#@]?[\p{L}\p{M}\p{N}]+(?:[-_./#:@']{1,3}[\p{L}\p{M}\p{N}]+)*#?|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic})*/gu;
const unspaced =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const unspacedLetter = new RegExp(`[${unspaced}]`, "u");
const scriptRun = new RegExp(`[${unspaced}\\p{M}]+|[^${unspaced}]+`, "gu");
const unit = /[^\p{M}]\p{M}*|\p{M}+/gu;
const emoji = /^[\p{Regional_Indicator}\p{Extended_Pictographic}]/u;
const skinTone = /\p{Emoji_Modifier}/gu;
const asciiWord = /^[a-z]+$/;
const nonAscii = /[^\0-\x7f]/;
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
const joiner = /[-_./#:@]/;
/** Joiners that joined something that is no longer there; `#` and `@` also begin or end words of their own. */
const loose = /^[-_./:]+|[-_./:@]+$/g;
const contraction = /(?<=\p{L})'(?:s|(t|re|ve|ll|d|m))(?![\p{L}\p{N}])/gu;

/**
 * The search terms of a text, in order, repetitions included. Linear in the length of the text.
 *
 * Case, width and diacritics are folded; English words are stemmed; identifiers joined by `- _ . / # : @` give themselves and
 * their parts; scripts written without spaces give single characters and pairs; emoji are terms. Very long words become a hash.
 *
 * @example
 * ```ts
 * analyze("Booked QX7-88!"); // ["book", "qx7-88", "qx7", "88"]
 * ```
 */
export function analyze(text: string): string[] {
  return termsOf(text, true);
}

/** The same for a query: of scripts written without spaces only pairs, and a single character where it stands alone. */
export function analyzeQuery(text: string): string[] {
  return termsOf(text, false);
}

function termsOf(text: string, singles: boolean): string[] {
  const terms: string[] = [];
  for (const [found] of fold(text).matchAll(chunk)) {
    if (!nonAscii.test(found)) pushWords(found, terms);
    else if (emoji.test(found)) pushEmoji(found, terms);
    else if (unspacedLetter.test(found)) pushMixed(found, singles, terms);
    else pushWords(found, terms);
  }
  return terms;
}

function push(term: string, terms: string[]): void {
  terms.push(term.length > maxTermLength ? `~${hash128(term)}` : term);
}

function pushEmoji(found: string, terms: string[]): void {
  push(found, terms);
  const plain = found.replace(skinTone, "");
  if (plain !== found) push(plain, terms);
}

function pushMixed(found: string, singles: boolean, terms: string[]): void {
  for (const [run] of found.matchAll(scriptRun)) {
    if (unspacedLetter.test(run)) pushPairs(run.match(unit) ?? [], singles, terms);
    else pushWords(run, terms);
  }
}

function pushPairs(units: readonly string[], singles: boolean, terms: string[]): void {
  const alone = units.length === 1;
  units.forEach((current, index) => {
    if (singles || alone) push(current, terms);
    const next = units[index + 1];
    if (next !== undefined) push(current + next, terms);
  });
}

/** Splits at apostrophes: `asha's` is `asha`, `don't` is `dont`, `l'avion` is `l` and `avion`. */
function pushWords(found: string, terms: string[]): void {
  if (!found.includes("'")) {
    pushIdentifier(found, terms);
    return;
  }
  for (const piece of found
    .replace(contraction, (_, ending: string | undefined) => ending ?? "")
    .split("'")) {
    pushIdentifier(piece, terms);
  }
}

function pushIdentifier(given: string, terms: string[]): void {
  const found = joiner.test(given) ? given.replace(loose, "") : given;
  if (!joiner.test(found)) {
    pushWord(found, terms);
    return;
  }
  if (!wordCharacter.test(found)) return;
  push(found, terms);
  for (const segment of found.split(/[/#:@]+/)) {
    const parts = segment.split(/[-_.]+/);
    if (parts.length > 1 && segment !== found) push(segment, terms);
    for (const part of parts) pushWord(part, terms);
  }
}

function pushWord(word: string, terms: string[]): void {
  if (word !== "") push(asciiWord.test(word) && word.length <= maxTermLength ? stem(word) : word, terms);
}
