// Marks that only decorate a letter. Vowel signs of Indic scripts, Thai tones and Japanese voicing marks tell words apart and stay.
const decorations = [
  "\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f", // combining diacritics
  "\\u0483-\\u0487", // Cyrillic
  "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7", // Hebrew points
  "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670", // Arabic vowels and the stretching line
  "\\u00ad\\u200c\\u2060\\ufeff\\ufe00-\\ufe0f", // invisible: soft hyphen, joiners, variation selectors
];
const decoration = new RegExp(`[${decorations.join("")}]`, "g");
// Sorting a run of marks takes the square of its length (7 minutes for 1 MB of them), so runs are cut, as Unicode's stream-safe form does.
const longMarks = /(\p{M}{30})\p{M}+/gu;
const joinerOutsideEmoji = /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d/gu;
const letters: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ħ", "h"],
  ["ı", "i"],
  ["ς", "σ"],
  ["\u2018", "'"],
  ["\u2019", "'"],
]);
const letter = /[ßæœøłđðþħıς\u2018\u2019]/g;
const nonAscii = /[^\0-\x7f]/;

/** The text without differences of case, width, compatibility forms and diacritics (NFKC and lower case). */
export function fold(text: string): string {
  if (!nonAscii.test(text)) return text.toLowerCase();
  return text
    .replace(longMarks, "$1")
    .normalize("NFKD")
    .replace(decoration, "")
    .replace(joinerOutsideEmoji, "")
    .toLowerCase()
    .replace(decoration, "")
    .replace(letter, (found) => letters.get(found) ?? found)
    .normalize("NFC");
}
