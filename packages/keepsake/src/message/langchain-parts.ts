import { isRecord } from "../util/index.ts";
import { nameIn } from "./names.ts";
import {
  type Body,
  callPart,
  jsonText,
  linesOf,
  marker,
  mediaPart,
  ownCallPart,
  type Part,
  type PartReader,
  resultPart,
  textPart,
  thoughtPart,
} from "./part.ts";

/** LangChain's standard content blocks. */
export const langChainParts: Readonly<Record<string, PartReader>> = {
  tool_call: (part) => callPart(part.id ?? part.toolCallId, part.name, part.args ?? part.input),
  server_tool_call: (part) => callPart(part.id, part.name, part.args),
  server_tool_call_result: (part) => resultPart(part.toolCallId, jsonText(part.output)),
  invalid_tool_call: (part) => ownCallPart(part.id, part.name, part.args),
  "text-plain": (part) => (part.text === undefined ? mediaPart("file") : textPart(part.text)),
  citation: () => marker,
};

/** The reasoning that a message's `additional_kwargs` hold. */
export function readThoughts({ reasoning, reasoning_content: content }: Body): Part | undefined {
  if (isRecord(reasoning)) {
    return { ...thoughtPart(linesOf(reasoning.summary)), bound: nameIn(reasoning.id) };
  }
  return typeof content === "string" && content !== "" ? thoughtPart(content) : undefined;
}
