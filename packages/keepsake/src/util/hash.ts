/**
 * A 128-bit hash of a string as 32 hex digits: the same on every runtime, synchronous, not cryptographic.
 *
 * Four lanes of 32 bits, each taking every UTF-16 code unit by multiplying and rotating, finished with the avalanche of MurmurHash3
 * (Austin Appleby, public domain).
 */
export function hash128(text: string): string {
  let [a, b, c, d] = [text.length, 0x9e3779b9, 0x7f4a7c15, 0x94d049bb];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = mix(a ^ code, 0xcc9e2d51);
    b = mix(b ^ code, 0x1b873593);
    c = mix(c ^ code, 0x239b961b);
    d = mix(d ^ code, 0xab0e9789);
  }
  return finish(a ^ d) + finish(b ^ a) + finish(c ^ b) + finish(d ^ c);
}

function mix(word: number, multiplier: number): number {
  const product = Math.imul(word, multiplier);
  return (product << 15) | (product >>> 17);
}

function finish(word: number): string {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return ((twice ^ (twice >>> 16)) >>> 0).toString(16).padStart(8, "0");
}
