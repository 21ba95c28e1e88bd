import { isRecord } from "../util/index.ts";
import { nameIn } from "./reading.ts";

/** A tool call, read: its id, and what of it a model reads. */
export interface Call {
  readonly id: string | undefined;
  readonly name: string;
  /** The arguments as the provider is sent them. */
  readonly input: unknown;
}

const none: readonly Call[] = [];

/**
 * Reads a list of calls, or the calls among the parts of a content: OpenAI's (`{ id, function: { name, arguments } }`), LangChain's
 * (`{ id, name, args }`), Anthropic's (`{ id, name, input }`).
 */
export function callsIn(
  list: unknown,
  isCall: (item: Record<string, unknown>) => boolean = () => true,
): readonly Call[] {
  if (!Array.isArray(list)) return none;
  return list
    .filter((item) => isRecord(item) && isCall(item))
    .map((item) => {
      const called = isRecord(item.function) ? item.function : isRecord(item.custom) ? item.custom : item;
      return {
        id: nameIn(item.id),
        name: nameIn(called.name) ?? "",
        input: called.arguments ?? called.args ?? called.input,
      };
    });
}

/** True for a part of a content that is a call. */
export function isCallPart(part: Record<string, unknown>): boolean {
  return part.type === "tool_use" || part.type === "tool_call";
}

/** The ids of calls, each once. */
export function callIds(calls: readonly Call[]): readonly string[] {
  return [...new Set(calls.map((call) => call.id).filter((id) => id !== undefined))];
}
