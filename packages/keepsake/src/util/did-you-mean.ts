/** The candidate that shares most pairs of letters with `word` (case and underscores aside), where it shares enough to be meant. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const wanted = pairsOf(word);
  let best: string | undefined;
  let bestLikeness = 0.4;
  for (const candidate of candidates) {
    const pairs = pairsOf(candidate);
    const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
    const likeness = shared / Math.max(pairs.size, wanted.size);
    if (likeness > bestLikeness) {
      best = candidate;
      bestLikeness = likeness;
    }
  }
  return best;
}

function pairsOf(word: string): ReadonlySet<string> {
  const letters = word.toLowerCase().replaceAll(/[_-]/g, "");
  return new Set(Array.from(letters, (_, index) => letters.slice(index, index + 2)));
}
