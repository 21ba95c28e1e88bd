import { isRecord } from "../util/index.ts";
import { idOf, nameIn } from "./names.ts";

/** A tool call, read: its id, and what of it a model reads. */
export interface Call {
  readonly id: string | undefined;
  readonly name: string;
  /** The arguments as the provider is sent them. */
  readonly input: unknown;
}

const none: readonly Call[] = [];

/**
 * Reads a message's list of calls: OpenAI's (`{ id, function: { name, arguments } }`), LangChain's (`{ id, name, args }`). Calls without an id,
 * such as Ollama's, get one from their name and place: `weather#0`.
 */
export function callsIn(list: unknown): readonly Call[] {
  if (!Array.isArray(list)) return none;
  const counts = new Map<string, number>();
  return list.filter(isRecord).map((item) => {
    const called = isRecord(item.function) ? item.function : isRecord(item.custom) ? item.custom : item;
    const name = nameIn(called.name ?? called.toolName) ?? "";
    const ordinal = counts.get(name) ?? 0;
    counts.set(name, ordinal + 1);
    return {
      id: idOf(item.id ?? item.toolCallId) ?? (name === "" ? undefined : `${name}#${ordinal}`),
      name,
      input: called.arguments ?? called.args ?? called.input,
    };
  });
}
