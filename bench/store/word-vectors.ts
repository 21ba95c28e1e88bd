/**
 * An embedder without a model, the same in every run: each word has a random direction, a text that of the sum of its words. So texts with words in
 * common are near to each other, as with a real one, and embedding costs next to nothing.
 */
export function wordVectors(dims: number): (texts: string[]) => Promise<number[][]> {
  const known = new Map<string, Float32Array>();
  const vectorOf = (word: string): Float32Array => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const random = randomFrom(word);
    const vector = Float32Array.from({ length: dims }, () => random() + random() + random() - 1.5);
    known.set(word, vector);
    return vector;
  };
  const embed = (text: string): number[] => {
    const sum = new Float64Array(dims);
    for (const word of text.split(" ")) {
      const vector = vectorOf(word);
      for (let index = 0; index < dims; index += 1) sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0);
    }
    const length = Math.hypot(...sum) || 1;
    return Array.from(sum, (number) => Math.fround(number / length));
  };
  return async (texts) => texts.map(embed);
}

function randomFrom(text: string): () => number {
  let state = 2166136261;
  for (let index = 0; index < text.length; index += 1)
    state = Math.imul(state ^ text.charCodeAt(index), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
