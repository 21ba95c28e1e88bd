// A byte-pair tokeniser cuts a text into runs (a word, up to three digits, punctuation, white space) and each run into pieces. How many
// pieces depends on what the run is made of, how long it is, and what it follows. The tables below say that for the vocabulary o200k,
// in hundredths of a token; decision 0090 tells how they were found.

/** Kinds of UTF-16 units that the vocabulary treats alike. Letters that make one word come first. */
const lower = 0;
const accented = 1;
const upper = 2;
const digit = 3;
const space = 4;
const newline = 5;
const mark = 6;
const cyrillic = 7;
const alphabet = 8;
const han = 9;
const kana = 10;
const hangul = 11;
const sign = 12;
const emoji = 13;
const rare = 14;

/** Where each stretch of one kind begins among the units, and its kind. */
const stretches: readonly (readonly [from: number, kind: number])[] = [
  [0, space],
  [10, newline],
  [14, space],
  [33, mark],
  [48, digit],
  [58, mark],
  [65, upper],
  [91, mark],
  [97, lower],
  [123, mark],
  [0x80, sign],
  [0xc0, accented],
  [0x370, alphabet],
  [0x400, cyrillic],
  [0x530, alphabet],
  [0x1200, rare],
  [0x1780, alphabet],
  [0x1800, rare],
  [0x1e00, accented],
  [0x2000, sign],
  [0x3040, kana],
  [0x3400, han],
  [0xac00, hangul],
  [0xd800, emoji],
  [0xe000, sign],
];

/** What the units of a run cost by their place in it, by kind; the last cost goes on. */
const runs: readonly (readonly number[])[] = [
  [95, 0, 0, 0, 0, 3, 3, 3, 3, 3, 50],
  [100, 85],
  [80, 50, 6, 6, 6, 6, 6, 6, 6, 6, 20],
  [110, 0, 0, 30],
  [7, 55, 0],
  [140, 45, 45, 8],
  [98, 26, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 20, 20, 20, 5],
  [130, 8],
  [38, 41],
  [107, 72],
  [100, 42],
  [95, 53],
  [90, 60, 60, 60, 60, 10],
  [100],
  [150],
];

/** What the first unit of a run costs where it depends on the kind before it; `lower` stands for every letter of a word. */
const meetings: readonly (readonly [before: number, kind: number, cost: number])[] = [
  [lower, upper, 115],
  [digit, upper, 160],
  [lower, mark, 45],
  [mark, newline, 23],
  [newline, space, 55],
  [space, digit, 180],
];

/** Places in a run that are told apart, and kinds: a power of two, so that an entry of the automaton is found by shifting. */
const places = 16;

const kinds: Uint8Array = new Uint8Array(0x1_00_00);
stretches.forEach(([from, kind], index) => {
  kinds.fill(kind, from, stretches[index + 1]?.[0]);
});

/** An automaton over kinds: for a state (kind and place) and the next kind, the next state times 256, plus the cost. */
const automaton: Int32Array = Int32Array.from({ length: places ** 3 }, (_, entry) => {
  const next = entry % places;
  const before = entry >> 8;
  const goesOn = next === before || (next < upper && before <= upper);
  const place = goesOn ? Math.min(((entry >> 4) % places) + 1, places - 1) : 0;
  const run = runs[next] ?? [];
  const after = before <= upper ? lower : before;
  const met = goesOn ? undefined : meetings.find(([one, other]) => one === after && other === next);
  return ((next * places + place) << 12) | (met?.[2] ?? run[place] ?? run.at(-1) ?? 0);
});

/** A text from this length on is read in part, and the part is taken for the whole. */
const longLength = 0x1_00_00;
const longStride = 512;
const longBlock = 128;

/**
 * Estimates the tokens of a text, as a fraction: what each of its characters costs by its kind, its run and what that follows. Of a long text, one
 * block of every stride counts, at a place that differs from stride to stride, so that no pattern in the text is met at its beat.
 */
export function estimateText(text: string): number {
  const { length } = text;
  const stride = length < longLength ? length || 1 : longStride;
  const block = length < longLength ? stride : longBlock;
  let hundredths = 0;
  let entry = newline << 16;
  let read = 0;
  for (let from = 0; from + stride <= length; from += stride) {
    const start = from + (from % (stride - block + 1));
    read += block;
    for (let index = start; index < start + block; index += 1) {
      entry = automaton[(entry >> 8) | (kinds[text.charCodeAt(index)] ?? 0)] ?? 0;
      hundredths += entry & 255;
    }
  }
  return ((hundredths / 100) * length) / (read || 1);
}
