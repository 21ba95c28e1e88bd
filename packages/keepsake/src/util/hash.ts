/**
 * A 128-bit hash of a string as 32 hex digits: the same on every runtime, synchronous, not cryptographic.
 *
 * MurmurHash3 x86_128 (Austin Appleby, public domain) over UTF-16 code units, two to a 32-bit block.
 */
export function hash128(text: string, seed = 0): string {
  let h1 = seed;
  let h2 = seed;
  let h3 = seed;
  let h4 = seed;
  const length = text.length;
  for (let index = 0; index < length; index += 8) {
    h1 = mix(h1, h2, block(text, index), 0x239b961b, 0xab0e9789, 15, 19, 0x561ccd1b);
    h2 = mix(h2, h3, block(text, index + 2), 0xab0e9789, 0x38b34ae5, 16, 17, 0x0bcaa747);
    h3 = mix(h3, h4, block(text, index + 4), 0x38b34ae5, 0xa1e38b93, 17, 15, 0x96cd1c35);
    h4 = mix(h4, h1, block(text, index + 6), 0xa1e38b93, 0x239b961b, 18, 13, 0x32ac3b17);
  }
  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = finalize(h1);
  h2 = finalize(h2);
  h3 = finalize(h3);
  h4 = finalize(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  return hex(h1) + hex(h2 + h1) + hex(h3 + h1) + hex(h4 + h1);
}

/** Two code units as one 32-bit block; past the end of the text, zeros. */
function block(text: string, index: number): number {
  if (index + 1 < text.length) return text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
  return index < text.length ? text.charCodeAt(index) : 0;
}

function mix(
  state: number,
  next: number,
  value: number,
  c1: number,
  c2: number,
  rotateValue: number,
  rotateState: number,
  add: number,
): number {
  const scrambled = Math.imul(rotate(Math.imul(value, c1), rotateValue), c2);
  return (Math.imul(rotate(state ^ scrambled, rotateState) + next, 5) + add) | 0;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function finalize(value: number): number {
  let result = value;
  result = Math.imul(result ^ (result >>> 16), 0x85ebca6b);
  result = Math.imul(result ^ (result >>> 13), 0xc2b2ae35);
  return result ^ (result >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
