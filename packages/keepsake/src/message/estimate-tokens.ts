import { canonicalJson } from "../util/index.ts";
import type { Call } from "./calls.ts";
import { recordOf } from "./record.ts";

/** Tokens that every message costs beside its text: role and delimiters. */
const tokensPerMessage = 4;
/** Tokens that a picture, a file or a sound costs, whatever its bytes. */
const tokensPerMedia = 1000;

/** Tokens per character of the ASCII classes, fitted to the o200k vocabulary. */
const letter = 0.225;
const digit = 0.4;
const space = 0.03;
const punctuation = 0.55;

const ascii: Float64Array = Float64Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return letter;
  if (/[0-9]/.test(character)) return digit;
  return /\s/.test(character) ? space : punctuation;
});

/**
 * Estimates the tokens of a message or a text without a tokeniser: a cost per character by script. A message's text, its tool calls' names
 * and arguments count once each; media count a fixed cost, never their bytes.
 *
 * @returns whole tokens; 0 for an empty text.
 * @example
 * ```ts
 * estimateTokens("The quick brown fox jumps over the lazy dog."); // 9
 * ```
 */
export function estimateTokens(messageOrText: unknown): number {
  if (typeof messageOrText === "string") return Math.ceil(costOf(messageOrText));
  const record = recordOf(messageOrText);
  if (record === undefined) return 0;
  let tokens = tokensPerMessage;
  for (const part of record.parts)
    tokens += part.kind === "media" ? tokensPerMedia : costOf(part.text) + costOf(part.thought ?? "");
  for (const call of record.calls) tokens += costOfCall(call);
  return Math.ceil(tokens);
}

function costOfCall(call: Call): number {
  const input = typeof call.input === "string" ? call.input : (canonicalJson(call.input ?? {}) ?? "");
  return tokensPerMessage + costOf(call.name) + costOf(input);
}

function costOf(text: string): number {
  let cost = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    cost += code < 128 ? (ascii[code] ?? 0) : costOfWide(code);
  }
  return cost;
}

/** Tokens of a UTF-16 code unit beyond ASCII; a surrogate is half a character. */
function costOfWide(code: number): number {
  if (code < 0x250) return 0.45;
  if (code < 0x530) return 0.33;
  if (code < 0x1100) return 0.5;
  if (code >= 0xd800 && code <= 0xdfff) return 1;
  const isKanaOrHangul = (code >= 0x3040 && code <= 0x30ff) || (code >= 0xac00 && code <= 0xd7af);
  return isKanaOrHangul ? 0.75 : 0.8;
}
