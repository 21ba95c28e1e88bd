/** The candidate nearest to `word` by edit distance (case and underscores aside), where one is near enough to be meant. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const wanted = fold(word);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, fold(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Levenshtein's distance, one row at a time. */
function editDistance(left: string, right: string): number {
  let previous = [0, ...right].map((_, column) => column);
  for (const letter of left) {
    let last = (previous[0] ?? 0) + 1;
    const current = [last];
    for (const [column, other] of [...right].entries()) {
      const [substituted = 0, deleted = 0] = previous.slice(column);
      last = Math.min(substituted + Number(letter !== other), deleted + 1, last + 1);
      current.push(last);
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
