import { isRecord } from "../util/index.ts";
import { readBody } from "./body.ts";
import type { Body } from "./part.ts";
import type { Reading } from "./reading.ts";
import { roleFrom } from "./role.ts";

/** Reads a message with `parts` in place of a content: the AI SDK's `UIMessage`, Gemini's contents. */
export function readPartsMessage(message: Body, parts: readonly unknown[]): Reading {
  const { role, type } = message;
  const isGemini = parts.some((part) => isRecord(part) && part.type === undefined);
  if (isGemini && role === "function") return readBody(message, "tool", "parts");
  // Gemini takes content without a role as the user's.
  return readBody(message, roleFrom(role, type, isGemini && role === undefined ? "user" : ""), "parts");
}
