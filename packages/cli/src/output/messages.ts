import { viewOf } from "keepsake";
import { isObject } from "../conversation/is-object.ts";
import { roleName } from "./items.ts";
import { oneLine } from "./text.ts";

/** A message on one line: its text, or the tools that it calls. */
export function lineOf(message: Readonly<Record<string, unknown>>): string {
  const { text, calls } = viewOf(message);
  const line = oneLine(text.slice(0, 2000));
  if (line !== "") return line;
  return calls.length > 0 ? `[${["call", ...toolNames(message)].join(" ")}]` : "[no text]";
}

/** The names in `tool_calls` of OpenAI's (`{ function: { name } }`) and LangChain's shape (`{ name }`). */
function toolNames({ tool_calls: calls }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) => {
    const called = isObject(call) && isObject(call.function) ? call.function : call;
    return isObject(called) && typeof called.name === "string" ? [oneLine(called.name)] : [];
  });
}

/** A message's role in the words that files use: `user`, `assistant`, `tool`; its own word where keepsake knows none. */
export function messageRole(message: Readonly<Record<string, unknown>>): string {
  const { role } = viewOf(message);
  if (role !== "other") return roleName(role);
  const own = message.role ?? message.type;
  return typeof own === "string" && oneLine(own) !== "" ? oneLine(own) : "other";
}
