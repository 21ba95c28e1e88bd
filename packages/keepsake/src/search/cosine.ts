/**
 * The vector divided by its length, as 32-bit numbers; `undefined` where it has no direction: all zero, or with something inside that is not
 * a finite number.
 */
export function unitVector(vector: ArrayLike<number>): Float32Array | undefined {
  let most = 0;
  for (let index = 0; index < vector.length; index += 1) {
    const size = Math.abs(vector[index] ?? Number.NaN);
    if (!Number.isFinite(size)) return undefined;
    if (size > most) most = size;
  }
  if (most === 0) return undefined;
  // Divided by the largest first: squares of very large and very small numbers would leave the range.
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) squares += ((vector[index] ?? 0) / most) ** 2;
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (number) => number / most / length);
}

/** The cosine of two vectors of unit length and the same dims. */
export function cosine(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0);
  return sum;
}

/** The cosine of the vector that is nearest to the query. */
export function nearestCosine(vectors: readonly Float32Array[], query: Float32Array): number {
  return vectors.reduce((best, vector) => Math.max(best, cosine(vector, query)), Number.NEGATIVE_INFINITY);
}
