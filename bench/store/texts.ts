/** Texts of made-up words that occur as often as words do (Zipf's law), the same in every run. */
export function textSource(vocabulary = 30_000): { text(words: number): string; query(): string } {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const rank = (): number => Math.floor(vocabulary ** random()) - 1;
  const between = (low: number, high: number): string => word(low + Math.floor(random() * (high - low)));
  return {
    text: (words) => Array.from({ length: words }, () => word(rank())).join(" "),
    query: () => [word(rank()), word(rank()), between(100, 1000), between(1000, 10_000)].join(" "),
  };
}

/** The word of a rank: letters only, and none that a stemmer would cut. */
function word(rank: number): string {
  const digits = "bcdfghjklmpqtvwxz";
  let rest = rank;
  let letters = "";
  do {
    letters = (digits[rest % digits.length] ?? "") + letters;
    rest = Math.floor(rest / digits.length);
  } while (rest > 0);
  return `k${letters}o`;
}
