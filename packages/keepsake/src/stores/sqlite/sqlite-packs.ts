/**
 * Vectors in short: each number of a vector as one byte, many vectors of a namespace in one row. Reading these finds the items that can be near
 * enough to a query; how near they are is then told by the vectors themselves. A record is the item's id (8 bytes), the scale of the bytes, how far
 * they are from the vector at most (4 bytes each, little-endian), and the bytes.
 */
const headerLength = 16;
const largestCode = 127;
/** More than rounding can do to a cosine. */
const slack = 1e-6;

/** Records that a row has room for. */
export const packSize = 64;

/** The records of an item, one for each of its vectors. */
export function recordsOf(item: number, vectors: readonly Float32Array[]): Uint8Array {
  const records = vectors.map((vector) => recordOf(item, vector));
  return joined(records);
}

function recordOf(item: number, vector: Float32Array): Uint8Array {
  const largest = vector.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  const scale = Math.fround(largest / largestCode);
  const record = new Uint8Array(headerLength + vector.length);
  const codes = new Int8Array(record.buffer, headerLength);
  let squares = 0;
  vector.forEach((number, index) => {
    const code = scale === 0 ? 0 : Math.max(-largestCode, Math.min(largestCode, Math.round(number / scale)));
    codes[index] = code;
    squares += (number - code * scale) ** 2;
  });
  const header = new DataView(record.buffer);
  header.setFloat64(0, item, true);
  header.setFloat32(8, scale, true);
  header.setFloat32(12, Math.sqrt(squares) * (1 + slack) + slack, true);
  return record;
}

/** Several rows' bytes as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    whole.set(part, start);
    start += part.length;
  }
  return whole;
}

/** A row's records without those of some items. */
export function withoutItems(pack: Uint8Array, records: number, items: ReadonlySet<number>): Uint8Array {
  const length = pack.length / records;
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  const kept: Uint8Array[] = [];
  for (let start = 0; start < pack.length; start += length) {
    if (!items.has(view.getFloat64(start, true))) kept.push(pack.subarray(start, start + length));
  }
  return joined(kept);
}

/** Items with the least and the most that their cosine with a query can be. */
export class CosineBounds {
  /** In the order in which they were read. */
  readonly items: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  length = 0;
  readonly #query: Float64Array;

  /** `records`: as many as will be read at most. */
  constructor(query: Float32Array, records: number) {
    this.#query = Float64Array.from(query);
    this.items = new Float64Array(records);
    this.lower = new Float64Array(records);
    this.upper = new Float64Array(records);
  }

  /** Reads one row. Records of an item stand side by side. */
  read(pack: Uint8Array): void {
    const dims = this.#query.length;
    const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
    const bytes = new Int8Array(pack.buffer, pack.byteOffset, pack.byteLength);
    for (let start = 0; start < pack.length; start += headerLength + dims) {
      const scale = view.getFloat32(start + 8, true);
      const error = view.getFloat32(start + 12, true) + slack;
      const near = scale * product(bytes, start + headerLength, this.#query);
      this.#add(view.getFloat64(start, true), near - error, near + error);
    }
  }

  #add(item: number, lower: number, upper: number): void {
    const last = this.length - 1;
    if (last >= 0 && this.items[last] === item) {
      this.lower[last] = Math.max(this.lower[last] ?? lower, lower);
      this.upper[last] = Math.max(this.upper[last] ?? upper, upper);
      return;
    }
    this.items[this.length] = item;
    this.lower[this.length] = lower;
    this.upper[this.length] = upper;
    this.length += 1;
  }

  /** What at least `count` items reach; less than anything where there are no more of them. */
  reachedBy(count: number): number {
    if (count >= this.length) return Number.NEGATIVE_INFINITY;
    const sorted = this.lower.slice(0, this.length).sort();
    return sorted[this.length - count] ?? Number.NEGATIVE_INFINITY;
  }

  /** The items that can reach `from`, without those that can reach `below`. */
  between(from: number, below: number): number[] {
    const found: number[] = [];
    for (let index = 0; index < this.length; index += 1) {
      const upper = this.upper[index] ?? 0;
      if (upper >= from && upper < below) found.push(this.items[index] ?? 0);
    }
    return found;
  }
}

/** Four sums side by side: the processor need not wait for one to go on with the next. */
function product(bytes: Int8Array, start: number, query: Float64Array): number {
  const length = query.length - (query.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let index = 0; index < length; index += 4) {
    const place = start + index;
    a += (bytes[place] ?? 0) * (query[index] ?? 0);
    b += (bytes[place + 1] ?? 0) * (query[index + 1] ?? 0);
    c += (bytes[place + 2] ?? 0) * (query[index + 2] ?? 0);
    d += (bytes[place + 3] ?? 0) * (query[index + 3] ?? 0);
  }
  for (let index = length; index < query.length; index += 1)
    a += (bytes[start + index] ?? 0) * (query[index] ?? 0);
  return a + b + c + d;
}
