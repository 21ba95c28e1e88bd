import { parsedJson } from "../schema/index.ts";
import { isRecord } from "../util/index.ts";

/**
 * The arguments of a call as an object, or undefined. Models and frameworks also pass JSON text; what is null counts as left
 * out, as it does for the providers that want every argument named.
 */
export function argumentsOf(args: unknown): Readonly<Record<string, unknown>> | undefined {
  const read = typeof args === "string" ? parsedJson(args) : (args ?? {});
  if (!isRecord(read)) return undefined;
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null));
}

/** `"a", "b" or "c"`. */
export function oneOf(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  return [quoted.slice(0, -1).join(", "), quoted.at(-1)].filter(Boolean).join(" or ");
}

/** What a model wrote, cut to what fits into a sentence. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
