import { estimateText } from "./estimate-text.ts";
import type { PartKind } from "./part.ts";
import { type MessageRecord, recordOf } from "./record.ts";

/**
 * Tokens of a medium by its kind, whatever its bytes; `file` is a document, and whatever is none of the others. A kind that is left out costs
 * its default: a picture or a recording 1 000, a document 2 000, a film 4 000.
 */
export type MediaTokens = Readonly<Partial<Record<"image" | "audio" | "video" | "file", number>>>;

type Costs = Readonly<Record<string, number | undefined>>;

/** How {@link estimateTokens} counts. */
export interface EstimateOptions {
  readonly mediaTokens?: MediaTokens | undefined;
}

/** Tokens that every message and every call costs beside its text: role, delimiters. */
const overhead = 4;

/** Characters of sealed reasoning, base64 mostly, for one token: about four bytes. */
const sealedLength = 5;

const defaults: Costs = { image: 1000, audio: 1000, video: 4000, file: 2000 };

/**
 * Estimates the tokens of a message or a text without a tokeniser, from its scripts, words and punctuation. A message's text, its reasoning,
 * its tool calls' names and arguments count once each; media count a fixed cost (`mediaTokens`), never their bytes. What cannot be read
 * counts 0. Never throws.
 *
 * @returns whole tokens; 0 for an empty text.
 * @example
 * ```ts
 * estimateTokens("The quick brown fox jumps over the lazy dog."); // 10
 * ```
 */
export function estimateTokens(messageOrText: unknown, options?: EstimateOptions): number {
  if (typeof messageOrText === "string") return Math.ceil(estimateText(messageOrText));
  const record = recordOf(messageOrText);
  return record === undefined ? 0 : Math.ceil(tokensOfRecord(record, estimateText, options));
}

/** Tokens of a message that was read, where `tokensOfText` counts its texts. */
export function tokensOfRecord(
  { parts, calls }: MessageRecord,
  tokensOfText: (text: string) => number,
  options?: EstimateOptions,
): number {
  let tokens = overhead;
  const costs: Costs = options?.mediaTokens ?? {};
  for (const { kind, text, thought, isJson, medium, sealed = 0 } of parts) {
    const hasMedia = kind === "media" || kind === "result" || isJson;
    if (hasMedia) tokens += tokensOfMedia(medium ? `[${medium}]` : text, kind, costs);
    if (kind !== "media" || medium) tokens += tokensOfText(text);
    if (thought) tokens += tokensOfText(thought);
    tokens += Math.ceil(sealed / sealedLength);
  }
  for (const { name, input } of calls)
    tokens += overhead + tokensOfText(name) + tokensOfText(textOfInput(input));
  return tokens;
}

/** A medium is read as a placeholder; within a result, as a line of its text or a string of its JSON. */
function tokensOfMedia(text: string, kind: PartKind, costs: Costs): number {
  const names =
    text.match(
      /(?<=^\[)(?:image|audio|video|file)(?=\]$)|(?<=[[:,]"\[)(?:image|audio|video|file)(?=\]")/gm,
    ) ?? (kind === "media" ? ["file"] : []);
  return names.reduce((sum, name) => {
    const cost = costs[name];
    return sum + (Number.isFinite(cost) && Number(cost) >= 0 ? Number(cost) : (defaults[name] ?? 0));
  }, 0);
}

/** The arguments of a call as a provider is sent them. */
function textOfInput(input: unknown): string {
  if (typeof input === "string") return input;
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return "";
  }
}
