import { KeepsakeError } from "../errors/index.ts";
import { isFunction, isRecord } from "../util/index.ts";

/** What is called of a tokeniser; a module of `gpt-tokenizer` fits. */
export interface Tokenizer {
  countTokens(text: string, options?: { disallowedSpecial?: Set<string> }): number;
}

const loaders = {
  /** GPT-4o and later. */
  o200k_base: (): Promise<unknown> => import("gpt-tokenizer/encoding/o200k_base"),
  /** GPT-4 and GPT-3.5. */
  cl100k_base: (): Promise<unknown> => import("gpt-tokenizer/encoding/cl100k_base"),
};

/** An encoding that is loaded by its name. */
export type Encoding = keyof typeof loaders;

/** The encodings that are loaded by their names. */
export const encodings: readonly string[] = Object.keys(loaders);

/**
 * Loads an encoding of `gpt-tokenizer`, which the app installs.
 *
 * @throws {KeepsakeError} `missing_dependency`
 */
export async function loadTokenizer(encoding: Encoding): Promise<Tokenizer> {
  const missing = (problem: string, cause?: unknown): KeepsakeError =>
    new KeepsakeError(
      "missing_dependency",
      `Counting with ${encoding} needs the package gpt-tokenizer, ${problem}. Run "npm install gpt-tokenizer", or pass a tokeniser as \`tokenizer\`.`,
      { cause, data: { package: "gpt-tokenizer", encoding } },
    );
  const found = await loaders[encoding]().catch((cause: unknown) => {
    throw missing("which could not be loaded", cause);
  });
  if (!isTokenizer(found)) throw missing("and the version found has no countTokens");
  return found;
}

/** True for an object with `countTokens`. */
export function isTokenizer(value: unknown): value is Tokenizer {
  const [, isCallable] = isFunction;
  return isRecord(value) && isCallable(value.countTokens);
}
