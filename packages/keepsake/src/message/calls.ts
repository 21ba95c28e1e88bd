import { isRecord } from "../util/index.ts";
import { nameIn } from "./names.ts";

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
 * (`{ id, name, args }`), Anthropic's (`{ id, name, input }`), the AI SDK's (`{ toolCallId, toolName, input }`).
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
        id: nameIn(item.id ?? item.toolCallId),
        name: nameIn(called.name ?? called.toolName) ?? "",
        input: called.arguments ?? called.args ?? called.input,
      };
    });
}

/** True for a part of a content that is a call. */
export function isCallPart(part: Record<string, unknown>): boolean {
  return /^tool(?:_use|[_-]call)$/.test(String(part.type));
}

/** True for a part of a content that answers a call: Anthropic's and the AI SDK's. */
export function isResultPart(part: Record<string, unknown>): boolean {
  return /^tool[_-]result$/.test(String(part.type));
}

/** The ids of the calls that the parts of a content answer, each once. */
export function resultIdsIn(content: unknown): readonly string[] {
  if (!Array.isArray(content)) return [];
  const results = content.filter((part) => isRecord(part) && isResultPart(part));
  return distinct(results.map((part) => nameIn(part.tool_use_id ?? part.toolCallId ?? part.tool_call_id)));
}

/** The ids of calls, each once. */
export function callIds(calls: readonly Call[]): readonly string[] {
  return distinct(calls.map(({ id }) => id));
}

function distinct(ids: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(ids)].filter((id) => id !== undefined);
}
