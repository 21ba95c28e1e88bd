import { canonicalJson } from "./canonical-json.ts";

/** An address may have an account in it; what is named so is one. */
const secretive = /:\/\/|passw/i;

/** What an error may hold of a value of the configuration: the value, or `"***"` where there may be a password in it. */
export function harmless(value: unknown): unknown {
  const text = typeof value === "string" ? value : canonicalJson(value);
  return text !== undefined && secretive.test(text) ? "***" : value;
}
