import { viewOf } from "../../message/index.ts";
import { parsedJson } from "../../schema/index.ts";
import { isRecord } from "../../util/index.ts";
import { answerOf, at, call, hasMethods, systemWithSchema } from "./asking.ts";
import type { MemoryModel, ModelAnswer, ModelRequest } from "./types.ts";

/**
 * A LangChain chat model. Where it can be held to a schema, the raw message is asked for beside the parsed value: it has the tokens, and
 * the text where that could not be parsed. A model without tools is asked for text,
 * and so is one whose structured output fails on what it answered.
 */
export function chatModel(model: object): MemoryModel {
  return {
    name: nameOf(model),
    generate: async (request) => {
      request.signal?.throwIfAborted();
      const structured = structuredModel(model, request);
      const result = structured === undefined ? undefined : await invokeStructured(structured, request);
      // Fakes for tests have the method, and answer with nothing.
      return result === undefined || result === null
        ? answerIn(await invoke(model, systemWithSchema(request), request))
        : answerOfResult(result);
    },
  };
}

function structuredModel(model: object, { schema, schemaName }: ModelRequest): object | undefined {
  if (!hasMethods(model, "withStructuredOutput")) return undefined;
  try {
    const bound = call(model, "withStructuredOutput", [schema, { name: schemaName, includeRaw: true }]);
    return hasMethods(bound, "invoke") ? bound : undefined;
  } catch {
    // It throws at once where the model has no tools; nothing was asked yet.
    return undefined;
  }
}

/** Undefined where the model answered, and the answer was no JSON: some parse it without a way back to the text. */
async function invokeStructured(structured: object, request: ModelRequest): Promise<unknown> {
  try {
    return await invoke(structured, request.system, request);
  } catch (error) {
    if (["SyntaxError", "OutputParserException"].includes(String(Object(error).name))) return undefined;
    throw error;
  }
}

async function invoke(model: object, system: string, { prompt, signal }: ModelRequest): Promise<unknown> {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: prompt },
  ];
  return call(model, "invoke", [messages, signal === undefined ? {} : { signal }]);
}

/** The answer of a model that was held to a schema: `{ raw, parsed }`, or the value alone where it knows of no raw message. */
function answerOfResult(result: unknown): ModelAnswer {
  if (!isRecord(result) || !("raw" in result)) return { value: result };
  const { raw, parsed } = result;
  const answer = answerIn(raw);
  const isParsed = parsed !== undefined && parsed !== null && brokenArguments(raw) === undefined;
  return isParsed ? { ...answer, value: parsed } : answer;
}

/** What a message holds: the arguments of its first call, else its text. */
function answerIn(message: unknown): ModelAnswer {
  const broken = brokenArguments(message);
  const args = broken === undefined ? at(listed(message, "tool_calls"), "args") : undefined;
  const text = typeof message === "string" ? message : viewOf(message).text;
  return answerOf(
    args,
    broken ?? text,
    at(message, "usage_metadata", "input_tokens"),
    at(message, "usage_metadata", "output_tokens"),
  );
}

/**
 * The arguments of a call that are no JSON. LangChain completes those of a message in chunks as best it can, half a sentence included, which
 * would be remembered as a whole one.
 */
function brokenArguments(message: unknown): string | undefined {
  const written = [
    at(listed(message, "tool_call_chunks"), "args"),
    at(listed(message, "invalid_tool_calls"), "args"),
  ].find((args) => typeof args === "string" && args !== "");
  return typeof written === "string" && parsedJson(written) === undefined ? written : undefined;
}

function listed(message: unknown, key: string): unknown {
  const list = at(message, key);
  return Array.isArray(list) ? list[0] : undefined;
}

function nameOf(model: object): string {
  const named = [at(model, "model"), at(model, "modelName")].find((name) => typeof name === "string");
  if (typeof named === "string") return named;
  const type = hasMethods(model, "_llmType") ? call(model, "_llmType", []) : undefined;
  return typeof type === "string" ? type : "chat model";
}
