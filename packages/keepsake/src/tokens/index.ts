// What is exported here is public API as `keepsake/tokens`.
export type { MediaTokens } from "../message/index.ts";
export { type TokenCounter, type TokenCounterOptions, tokenCounter } from "./token-counter.ts";
export type { Encoding, Tokenizer } from "./tokenizer.ts";
