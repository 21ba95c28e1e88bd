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
  readonly #query: QueryCodes;

  /** `records`: as many as will be read at most. */
  constructor(query: Float32Array, records: number) {
    this.#query = queryCodes(query);
    this.items = new Float64Array(records);
    this.lower = new Float64Array(records);
    this.upper = new Float64Array(records);
  }

  /** Reads one row. Records of an item stand side by side. */
  read(pack: Uint8Array): void {
    const { codes } = this.#query;
    const length = headerLength + codes.length;
    const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
    const bytes = new Int8Array(pack.buffer, pack.byteOffset, pack.byteLength);
    const products = new Int32Array(4);
    let start = 0;
    for (; start + 4 * length <= pack.length; start += 4 * length) {
      fourProducts(bytes, start + headerLength, length, codes, products);
      for (let record = 0; record < 4; record += 1)
        this.#addRecord(view, start + record * length, products[record] ?? 0);
    }
    for (; start < pack.length; start += length)
      this.#addRecord(view, start, product(bytes, start + headerLength, codes));
  }

  #addRecord(view: DataView, start: number, productOfCodes: number): void {
    const { scale, error } = this.#query;
    const near = view.getFloat32(start + 8, true) * scale * productOfCodes;
    const far = view.getFloat32(start + 12, true) * (1 + error) + error + slack;
    this.#add(view.getFloat64(start, true), near - far, near + far);
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

  /** A cosine that at least `count` items reach, close to the highest such; less than any where there are no more items. */
  reachedBy(count: number): number {
    if (count >= this.length) return Number.NEGATIVE_INFINITY;
    const counts = new Uint32Array(steps);
    for (let index = 0; index < this.length; index += 1) {
      const step = stepOf(this.lower[index] ?? 0);
      counts[step] = (counts[step] ?? 0) + 1;
    }
    let step = steps;
    for (let sum = 0; sum < count && step > 0; ) {
      step -= 1;
      sum += counts[step] ?? 0;
    }
    return step === 0 ? Number.NEGATIVE_INFINITY : (2 * step) / steps - 1;
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

/** Parts of the way from -1 to 1. */
const steps = 4096;

function stepOf(cosine: number): number {
  return Math.max(0, Math.min(steps - 1, Math.floor(((cosine + 1) / 2) * steps)));
}

/** A query in whole numbers, so that sums are of whole numbers, which a processor does faster. */
interface QueryCodes {
  readonly codes: Int32Array;
  readonly scale: number;
  readonly error: number;
}

function queryCodes(query: Float32Array): QueryCodes {
  // So large that no sum leaves the range of 32 bits.
  const most = Math.min(32_767, Math.floor((2 ** 31 - 1) / (largestCode * query.length)));
  const scale = query.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0) / most;
  const codes = Int32Array.from(query, (number) => Math.round(number / scale));
  const squares = query.reduce((sum, number, index) => sum + (number - (codes[index] ?? 0) * scale) ** 2, 0);
  return { codes, scale, error: Math.sqrt(squares) };
}

function product(bytes: Int8Array, start: number, codes: Int32Array): number {
  let sum = 0;
  for (let index = 0; index < codes.length; index += 1)
    sum = (sum + Math.imul(bytes[start + index] ?? 0, codes[index] ?? 0)) | 0;
  return sum;
}

/** Of four records side by side: each number of the query is read once, and no sum waits for another. */
function fourProducts(
  bytes: Int8Array,
  start: number,
  recordLength: number,
  codes: Int32Array,
  products: Int32Array,
): void {
  const second = start + recordLength;
  const third = second + recordLength;
  const fourth = third + recordLength;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    a = (a + Math.imul(bytes[start + index] ?? 0, code)) | 0;
    b = (b + Math.imul(bytes[second + index] ?? 0, code)) | 0;
    c = (c + Math.imul(bytes[third + index] ?? 0, code)) | 0;
    d = (d + Math.imul(bytes[fourth + index] ?? 0, code)) | 0;
  }
  products.set([a, b, c, d]);
}
