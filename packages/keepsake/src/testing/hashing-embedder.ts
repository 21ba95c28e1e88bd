import { analyze } from "../search/index.ts";
import { hash128 } from "../util/index.ts";

/** An embedder for tests: a function that a store takes as `index.embed`, with a name, and a count of what it was asked. */
export interface HashingEmbedder {
  (texts: readonly string[]): Promise<number[][]>;
  /** The model's name, which a store records. */
  readonly model: string;
  /** Every text that was embedded, in order. */
  readonly embedded: readonly string[];
}

/**
 * A deterministic embedder without a model: each word of a text adds to a few of the numbers, so that texts with words in common are near to each
 * other. Default 64 dims.
 *
 * @example
 * ```ts
 * const store = new InMemoryStore({ index: { embed: hashingEmbedder() } });
 * ```
 */
export function hashingEmbedder(dims = 64): HashingEmbedder {
  const embedded: string[] = [];
  const embed = async (texts: readonly string[]): Promise<number[][]> => {
    embedded.push(...texts);
    return texts.map((text) => hashedVector(text, dims));
  };
  return Object.assign(embed, { model: `hashing-${dims}`, embedded });
}

/** Feature hashing with signs (after Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009), three numbers a word. */
function hashedVector(text: string, dims: number): number[] {
  const vector: number[] = Array.from({ length: dims }, () => 0);
  const terms = analyze(text);
  for (const term of terms.length > 0 ? terms : [text]) {
    const hash = hash128(term);
    for (let part = 0; part < 3; part += 1) {
      const word = Number.parseInt(hash.slice(8 * part, 8 * part + 8), 16);
      const index = (word >>> 1) % dims;
      const sign = word % 2 === 0 ? 1 : -1;
      vector[index] = (vector[index] ?? 0) + sign;
    }
  }
  // Signs can cancel out; a vector without a direction is none.
  if (!vector.some((number) => number !== 0)) vector[0] = 1;
  return vector;
}
