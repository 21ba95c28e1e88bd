import { viewOf } from "keepsake";
import { roleName } from "./items.ts";
import { oneLine } from "./text.ts";

/** A message on one line: its text, or the calls that it makes. */
export function lineOf(message: unknown): string {
  const { text, calls } = viewOf(message);
  const line = oneLine(text.slice(0, 2000));
  if (line !== "") return line;
  return calls.length > 0
    ? `[${calls.length === 1 ? "tool call" : `${calls.length} tool calls`}]`
    : "[no text]";
}

/** A message's role in the words that files use: `user`, `assistant`, `tool`; its own word where keepsake knows none. */
export function messageRole(message: Readonly<Record<string, unknown>>): string {
  const { role } = viewOf(message);
  if (role !== "other") return roleName(role);
  const own = message.role ?? message.type;
  return typeof own === "string" && oneLine(own) !== "" ? oneLine(own) : "other";
}
