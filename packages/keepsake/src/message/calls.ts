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

/** Reads a message's list of calls: OpenAI's (`{ id, function: { name, arguments } }`), LangChain's (`{ id, name, args }`). */
export function callsIn(list: unknown): readonly Call[] {
  if (!Array.isArray(list)) return none;
  return list.filter(isRecord).map((item) => {
    const called = isRecord(item.function) ? item.function : isRecord(item.custom) ? item.custom : item;
    return {
      id: nameIn(item.id ?? item.toolCallId),
      name: nameIn(called.name ?? called.toolName) ?? "",
      input: called.arguments ?? called.args ?? called.input,
    };
  });
}
