import { KeepsakeError } from "../errors/index.ts";
import { type MediaTokens, recordOf, tokensOfRecord } from "../message/index.ts";
import { checkOptions, isOneOf, isRecord } from "../util/index.ts";
import { countText } from "./count-text.ts";
import { type Encoding, encodings, isTokenizer, loadTokenizer, type Tokenizer } from "./tokenizer.ts";

/** What {@link tokenCounter} counts with. */
export interface TokenCounterOptions {
  /** The encoding of `gpt-tokenizer` to load. Default `"o200k_base"`. */
  readonly encoding?: Encoding | undefined;
  /** A tokeniser to count with instead, such as another module of `gpt-tokenizer`: nothing is loaded. */
  readonly tokenizer?: Tokenizer | undefined;
  /** What media cost, whatever their bytes. Defaults as for `estimateTokens`. */
  readonly mediaTokens?: MediaTokens | undefined;
}

/** Counts the tokens of a message or a text: a `tokenCounter` for the reducer. */
export interface TokenCounter {
  (messageOrText: unknown): number;
  /**
   * The tokens of messages or texts together, or `false` as soon as they are more than `limit`: what is behind that place is not counted.
   *
   * @throws {KeepsakeError} `invalid_input`
   */
  isWithinLimit(messages: Iterable<unknown>, limit: number): number | false;
}

/**
 * Makes a counter that counts as OpenAI's models do, by `gpt-tokenizer`, which the app installs. Text, reasoning, names and arguments of calls
 * count once each, every message and call 4 tokens more, media a fixed cost. A message that was counted is not counted again.
 *
 * @throws {KeepsakeError} `missing_dependency`, `invalid_config`
 * @example
 * ```ts
 * const counter = await tokenCounter({ encoding: "o200k_base" });
 * const reducer = new MessageReducer({ maxTokens: 100_000, tokenCounter: counter });
 * ```
 */
export async function tokenCounter(options: TokenCounterOptions = {}): Promise<TokenCounter> {
  checkOptions("tokenCounter", options, {
    encoding: isOneOf(...encodings),
    tokenizer: ["an object with the function countTokens", isTokenizer],
    mediaTokens: ["an object with tokens by kind", isRecord],
  });
  const { encoding = "o200k_base", mediaTokens } = options;
  const tokenizer = options.tokenizer ?? (await loadTokenizer(encoding));
  return counterOver(tokenizer, mediaTokens);
}

function counterOver(tokenizer: Tokenizer, mediaTokens: MediaTokens | undefined): TokenCounter {
  /** Exact up to `most`, and more than it otherwise. */
  const count = (messageOrText: unknown, most: number): number => {
    if (typeof messageOrText === "string") return countText(tokenizer, messageOrText, most);
    const record = recordOf(messageOrText);
    if (record === undefined) return 0;
    if (record.counter === counter) return record.tokens;
    let left = most;
    const tokensOfText = (text: string): number => {
      const tokens = countText(tokenizer, text, left);
      left -= tokens;
      return tokens;
    };
    const tokens = tokensOfRecord(record, tokensOfText, { mediaTokens });
    if (left >= 0) {
      record.counter = counter;
      record.tokens = tokens;
    }
    return tokens;
  };
  const isWithinLimit = (messages: Iterable<unknown>, limit: number): number | false => {
    if (!(limit >= 0))
      throw new KeepsakeError(
        "invalid_input",
        `The limit must be a number from 0 on, not ${String(limit)}.`,
        {
          data: { limit },
        },
      );
    let tokens = 0;
    for (const message of messages) {
      tokens += count(message, limit - tokens);
      if (tokens > limit) return false;
    }
    return tokens;
  };
  const counter = Object.assign(
    (messageOrText: unknown): number => count(messageOrText, Number.POSITIVE_INFINITY),
    { isWithinLimit },
  );
  return counter;
}
