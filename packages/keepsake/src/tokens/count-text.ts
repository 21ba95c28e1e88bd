import type { Tokenizer } from "./tokenizer.ts";

/** Characters that are handed to the tokeniser at once. */
const sliceLength = 1024;

/** Text that only looks like a special token, such as `<|endoftext|>`, is text. */
const asText = { disallowedSpecial: new Set<string>() };

/**
 * Counts the tokens of a text slice by slice, until they are more than `most`.
 *
 * A tokeniser's time grows with the square of the longest run of letters that it is given, so that a megabyte without a space takes minutes.
 * Slices end where no token can reach across, before a space or punctuation. Where 512 characters have neither, a slice ends among them,
 * which can make a token more of one.
 *
 * @returns the tokens of the text, or those so far once they are more than `most`.
 */
export function countText(tokenizer: Tokenizer, text: string, most: number): number {
  let tokens = 0;
  for (let from = 0; from < text.length && tokens <= most; ) {
    const to = sliceEnd(text, from);
    tokens += tokenizer.countTokens(text.slice(from, to), asText);
    from = to;
  }
  return tokens;
}

function sliceEnd(text: string, from: number): number {
  const to = from + sliceLength;
  if (to >= text.length) return text.length;
  for (let at = to; at > to - sliceLength / 2; at -= 1)
    if (boundary.test(text.slice(at - 1, at + 1))) return at;
  return /[\uDC00-\uDFFF]/.test(text.charAt(to)) ? to - 1 : to;
}

/** A single space behind something, or punctuation behind a letter or a digit; an apostrophe may belong to a word. */
const boundary = /^(?:\S |[\p{L}\p{N}][^\s\p{L}\p{N}\p{M}'’])$/u;
