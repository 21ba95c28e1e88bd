import { isRecord } from "../util/index.ts";

/** A tool call, read: its id, and what of it a model reads. */
export interface Call {
  readonly id: string | undefined;
  readonly name: string;
  /** The arguments as the provider is sent them. */
  readonly input: unknown;
}

const none: readonly Call[] = [];

/** Reads `tool_calls` of OpenAI's (`{ id, function: { name, arguments } }`) and LangChain's shape (`{ id, name, args }`). */
export function toolCallsOf(toolCalls: unknown): readonly Call[] {
  if (!Array.isArray(toolCalls) || toolCalls.length === 0) return none;
  return toolCalls.filter(isRecord).map((call) => {
    const called = isRecord(call.function) ? call.function : isRecord(call.custom) ? call.custom : call;
    return {
      id: typeof call.id === "string" && call.id !== "" ? call.id : undefined,
      name: typeof called.name === "string" ? called.name : "",
      input: called.arguments ?? called.args ?? called.input,
    };
  });
}

/** The `tool_use` blocks of content in Anthropic's shape, as LangChain keeps them beside `tool_calls`. */
export function contentCallsOf(content: unknown): readonly Call[] {
  if (!Array.isArray(content)) return none;
  return content
    .filter((part) => isRecord(part) && (part.type === "tool_use" || part.type === "tool_call"))
    .map((part) => ({
      id: typeof part.id === "string" ? part.id : undefined,
      name: String(part.name ?? ""),
      input: part.input ?? part.args,
    }));
}

/** The ids of calls, each once. */
export function callIds(...lists: readonly (readonly Call[])[]): readonly string[] {
  const ids = new Set<string>();
  for (const list of lists) for (const call of list) if (call.id !== undefined) ids.add(call.id);
  return ids.size === 0 ? noIds : [...ids];
}

const noIds: readonly string[] = Object.freeze([]) as readonly string[];
