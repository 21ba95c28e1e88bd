import { KeepsakeError } from "../../errors/index.ts";
import { isObject } from "../../util/index.ts";
import { answerOf, at, call, hasMethods, systemWithSchema } from "./asking.ts";
import type { MemoryModel, ModelAnswer, ModelRequest } from "./types.ts";

/** The functions of the AI SDK that are called; which of them there are depends on its version. */
type Functions = object;

/**
 * An AI SDK language model, or the id of one, asked through the functions of `ai`: the app's, where it passed them, else those of the package,
 * loaded at the first call.
 */
export function languageModel(model: unknown, given: Functions | undefined): MemoryModel {
  return {
    name: nameOf(model),
    generate: async (request) => {
      request.signal?.throwIfAborted();
      return generate(given ?? (await loadFunctions()), model, request);
    },
  };
}

async function generate(functions: Functions, model: unknown, request: ModelRequest): Promise<ModelAnswer> {
  const { system, prompt, signal, schemaName } = request;
  const options = { model, system, prompt, ...(signal === undefined ? {} : { abortSignal: signal }) };
  const schema = aiSchema(request);
  if (hasMethods(functions, "generateObject")) {
    return salvaged(async () => call(functions, "generateObject", [{ ...options, schema, schemaName }]));
  }
  const output = at(functions, "Output");
  if (hasMethods(output, "object")) {
    const held = { output: call(output, "object", [{ schema, name: schemaName }]) };
    return salvaged(async () => call(functions, "generateText", [{ ...options, ...held }]));
  }
  const asText = { ...options, system: systemWithSchema(request) };
  return salvaged(async () => call(functions, "generateText", [asText]));
}

/** What the SDK could not parse it throws, with the text and the tokens that it cost: an answer like another. */
async function salvaged(ask: () => Promise<unknown>): Promise<ModelAnswer> {
  try {
    return answerIn(await ask());
  } catch (error) {
    const { text, finishReason } = Object(error);
    const isUnparsed = finishReason !== undefined && (typeof text === "string" || text === undefined);
    if (!isUnparsed) throw error;
    return answerIn({ text: text ?? "", usage: Object(error).usage });
  }
}

function answerIn(result: unknown): ModelAnswer {
  return answerOf(
    at(result, "object") ?? outputOf(result),
    at(result, "text"),
    at(result, "usage", "inputTokens") ?? at(result, "usage", "promptTokens"),
    at(result, "usage", "outputTokens") ?? at(result, "usage", "completionTokens"),
  );
}

/** The object of `generateText`, which throws when it is read where there is none. */
function outputOf(result: unknown): unknown {
  try {
    const output = at(result, "output");
    return isObject(output) ? output : undefined;
  } catch {
    return undefined;
  }
}

/** A schema in the form that the AI SDK knows its own by. It checks nothing: what is wrong with an answer is for the caller to say. */
function aiSchema({ schema }: ModelRequest): object {
  return { [Symbol.for("vercel.ai.schema")]: true, jsonSchema: schema, validate: undefined };
}

async function loadFunctions(): Promise<Functions> {
  const missing = (problem: string, cause?: unknown): KeepsakeError =>
    new KeepsakeError(
      "missing_dependency",
      `An AI SDK model needs the package ai, ${problem}. Run "npm install ai", or pass { model, generateObject } with the function of your own.`,
      { cause, data: { package: "ai" } },
    );
  const module: unknown = await import("ai").catch((cause: unknown) => {
    throw missing("which could not be loaded", cause);
  });
  const isUsable = hasMethods(module, "generateObject") || hasMethods(module, "generateText");
  if (!isUsable) throw missing("and the version found has neither generateObject nor generateText");
  return module;
}

function nameOf(model: unknown): string {
  if (typeof model === "string") return model;
  const id = at(model, "modelId");
  return typeof id === "string" ? id : "language model";
}
