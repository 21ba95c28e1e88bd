import { isRecord } from "../util/index.ts";
import { placeholderOf } from "./json-media.ts";
import { nameIn } from "./names.ts";
import {
  callPart,
  jsonText,
  mediaPart,
  ownCallPart,
  type Part,
  type PartReader,
  resultPart,
  textPart,
} from "./part.ts";

const blob: PartReader = ({ mimeType }) => mediaPart(mimeType);

/** The parts of Gemini's contents by the property that says what they are. */
export const geminiParts: Readonly<Record<string, PartReader>> = {
  functionCall: (call) => ({ ...callPart(call.id, call.name, call.args), tool: String(call.name) }),
  functionResponse: ({ id, name, response, parts }, textIn) => ({
    ...resultPart(id, [responseText(response), textIn(parts)].filter(Boolean).join("\n")),
    tool: String(name),
  }),
  inlineData: blob,
  fileData: blob,
  executableCode: ({ code }) => ownCallPart(undefined, "code", code),
  codeExecutionResult: ({ output }) => resultPart(undefined, nameIn(output) ?? ""),
  toolCall: (call) => ownCallPart(undefined, call.toolType, call.args),
  toolResponse: ({ response }) => resultPart(undefined, responseText(response)),
  audioTranscription: ({ text }) => textPart(text),
};

/** Gives calls and responses without an id one: the name of the tool, and which of its calls in the message it is. */
export function withOrdinals(parts: readonly Part[]): readonly Part[] {
  const counts = new Map<string, number>();
  return parts.map((part) => {
    const { kind, tool, call } = part;
    if (tool === undefined) return part;
    const ordinal = counts.get(kind + tool) ?? 0;
    counts.set(kind + tool, ordinal + 1);
    const id = part.asks ?? part.answers ?? `${tool}#${ordinal}`;
    return call ? { ...part, call: { ...call, id }, asks: id } : { ...part, answers: id };
  });
}

function responseText(response: unknown): string {
  const { output, result, error } = isRecord(response) ? response : {};
  const text = nameIn(output ?? result ?? error);
  return placeholderOf(text) ?? text ?? jsonText(response);
}
