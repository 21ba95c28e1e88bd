import { isInvocation } from "./ai-sdk.ts";
import { readLangChain } from "./langchain.ts";
import { readItem } from "./openai-items.ts";
import { readPartsMessage } from "./parts-message.ts";
import { readPlain } from "./plain.ts";
import type { Reading } from "./reading.ts";

/** Reads one message: parts, items and envelopes are told by their shape, anything else with `role` or `type` is plain. */
export function readMessage(message: Readonly<Record<string, unknown>>): Reading {
  const { role, type, content, parts } = message;
  if (Array.isArray(parts) && ((content ?? "") === "" || parts.some(isInvocation))) {
    return readPartsMessage(message, parts);
  }
  if (role !== undefined && content !== undefined) return readPlain(message);
  const item = typeof type === "string" && role === undefined ? readItem(message, type) : undefined;
  return item ?? readLangChain(message) ?? readPlain(message);
}
