import { irregular } from "./irregular.ts";

/**
 * The stem of a lower-case English word: `booked`, `booking` and `books` become `book`, `bought` becomes `buy`.
 *
 * Porter's second stemmer ("English" of the Snowball family, Martin Porter, 2001), written from its published description.
 * Words of other languages are cut by the same rules on both sides of a search, so they still find themselves.
 */
export function stem(given: string): string {
  if (given.length < 3) return given;
  if (given.length > longestKnown) return stemOf(given);
  const before = known.get(given);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const result = stemOf(given);
  known.set(given, result);
  return result;
}

/** Texts repeat their words. V8 keeps longer parts of a string as references to the whole of it, which must not be held. */
const longestKnown = 12;
const mostKnown = 20_000;
const known = new Map<string, string>();

function stemOf(given: string): string {
  const word = irregular.get(given) ?? given;
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  const marked = markConsonantY(word);
  const r1 = regionOne(marked);
  const r2 = regionAfter(marked, r1);
  const singular = step1a(marked);
  if (keptAfterStep1a.has(singular)) return singular;
  let result = step1c(step1b(singular, r1));
  result = step2(result, r1);
  result = step3(result, r1, r2);
  result = step4(result, r2);
  return step5(result, r1, r2).toLowerCase();
}

const exceptions: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((word): [string, string] => [
    word,
    word,
  ]),
]);

const keptAfterStep1a: ReadonlySet<string> = new Set([
  "inning",
  "outing",
  "canning",
  "herring",
  "earring",
  "proceed",
  "exceed",
  "succeed",
]);

const isVowel = (letter: string | undefined): boolean => letter !== undefined && "aeiouy".includes(letter);
const hasVowel = (text: string): boolean => /[aeiouy]/.test(text);

/** A `y` that acts as a consonant (at the start, or after a vowel) becomes `Y`. */
function markConsonantY(word: string): string {
  return word.includes("y") ? word.replace(/^y|(?<=[aeiou])y/g, "Y") : word;
}

/** Where the part after the first vowel and the non-vowel behind it begins. */
function regionAfter(word: string, start: number): number {
  for (let index = start + 1; index < word.length; index += 1) {
    if (!isVowel(word[index]) && isVowel(word[index - 1])) return index + 1;
  }
  return word.length;
}

function regionOne(word: string): number {
  const special = /^(?:gener|commun|arsen)/.exec(word);
  return special === null ? regionAfter(word, 0) : special[0].length;
}

function endsInShortSyllable(word: string): boolean {
  return /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/.test(word);
}

function step1a(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ied") || word.endsWith("ies")) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith("us") || word.endsWith("ss") || !word.endsWith("s")) return word;
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const past = /eed(?:ly)?$/.exec(word);
  if (past !== null) return past.index >= r1 ? `${word.slice(0, past.index)}ee` : word;
  const suffix = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (suffix === null) return word;
  const base = word.slice(0, suffix.index);
  if (!hasVowel(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base)) return base.slice(0, -1);
  return base.length <= r1 && endsInShortSyllable(base) ? `${base}e` : base;
}

function step1c(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

type SuffixRule = readonly [suffix: string, replacement: string];

const step2Rules: readonly SuffixRule[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
];

const step3Rules: readonly SuffixRule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

const step4Suffix = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/;

/** The first, that is the longest, rule that fits; nothing happens where its suffix lies outside the region. */
function replaceSuffix(word: string, rules: readonly SuffixRule[], region: number): string | undefined {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return undefined;
  const start = word.length - rule[0].length;
  return start >= region ? word.slice(0, start) + rule[1] : word;
}

function step2(word: string, r1: number): string {
  const replaced = replaceSuffix(word, step2Rules, r1);
  if (replaced !== undefined) return replaced;
  if (word.endsWith("ogi")) return word.length - 3 >= r1 && word.at(-4) === "l" ? word.slice(0, -1) : word;
  return word.length - 2 >= r1 && /[cdeghkmnrt]li$/.test(word) ? word.slice(0, -2) : word;
}

function step3(word: string, r1: number, r2: number): string {
  if (word.endsWith("ative")) return word.length - 5 >= r2 ? word.slice(0, -5) : word;
  return replaceSuffix(word, step3Rules, r1) ?? word;
}

function step4(word: string, r2: number): string {
  const found = step4Suffix.exec(word);
  if (found !== null) return found.index >= r2 ? word.slice(0, found.index) : word;
  return /[st]ion$/.test(word) && word.length - 3 >= r2 ? word.slice(0, -3) : word;
}

function step5(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  const base = word.slice(0, -1);
  if (word.endsWith("e")) return last >= r2 || (last >= r1 && !endsInShortSyllable(base)) ? base : word;
  return word.endsWith("ll") && last >= r2 ? base : word;
}
