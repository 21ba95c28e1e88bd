import { KeepsakeError } from "../../errors/index.ts";
import { isRecord } from "../../util/index.ts";
import { at, hasMethods } from "./asking.ts";
import { chatModel } from "./chat-model.ts";
import { clientModel } from "./client-model.ts";
import { functionModel } from "./function-model.ts";
import type { ModelFunction, ModelInput } from "./inputs.ts";
import { languageModel } from "./language-model.ts";
import { namedModel } from "./named-model.ts";
import type { MemoryModel } from "./types.ts";

const forms =
  'a LangChain chat model, an AI SDK language model, { client, model } with an OpenAI client, "provider:model", or a function';

/**
 * Puts any model behind one function, told by its shape: a LangChain chat model, an AI SDK language model (alone, or as
 * `{ model, generateObject }` with the app's own function), `{ client, model }` with a client of OpenAI's interface, a name, a function.
 * `"provider:model"` is made by langchain's `initChatModel`, `"provider/model"` by the AI SDK's gateway; both packages are loaded at the first call.
 *
 * @throws {KeepsakeError} `invalid_config` for anything else; `missing_dependency` from the first call
 * @example
 * ```ts
 * const model = memoryModel({ client: new OpenAI(), model: "gpt-5-mini" });
 * ```
 */
export function memoryModel(model: ModelInput): MemoryModel {
  const given: unknown = model;
  if (typeof given === "string") return byName(given);
  if (isModelFunction(given)) return functionModel(given);
  if (!isRecord(given)) throw invalid(`must be ${forms}, not ${shown(given)}.`);
  const has = (method: string): boolean => hasMethods(given, method);
  if (has("invoke")) return chatModel(given);
  if (has("doGenerate")) return languageModel(given, undefined);
  if (isMemoryModel(given)) return given;
  if (hasMethods(at(given, "client", "chat", "completions"), "create")) {
    if (typeof given.model === "string" && given.model !== "") return clientModel(given.client, given.model);
    throw invalid("has a client but no name of a model. Pass { client, model } with the name.");
  }
  if (hasMethods(at(given, "chat", "completions"), "create"))
    throw invalid("is a client, which has many models. Pass { client, model } with the name of one.");
  if (has("generateObject") || has("generateText")) return withFunctions(given);
  throw invalid(`must be ${forms}, not ${shown(given)}.`);
}

function byName(name: string): MemoryModel {
  if (/^[^:/\s]+:\S/.test(name)) return namedModel(name);
  if (/^[^:/\s]+\/\S/.test(name)) return languageModel(name, undefined);
  throw invalid(`"${name}" names no provider. Write "provider:model", such as "openai:gpt-5-mini".`);
}

function withFunctions(given: Readonly<Record<string, unknown>>): MemoryModel {
  const { model } = given;
  const isModel = (typeof model === "string" && model !== "") || hasMethods(model, "doGenerate");
  if (!isModel)
    throw invalid("has a function of the AI SDK but no model for it. Pass { model, generateObject }.");
  return languageModel(model, given);
}

function isModelFunction(model: unknown): model is ModelFunction {
  return typeof model === "function";
}

function isMemoryModel(model: unknown): model is MemoryModel {
  return isRecord(model) && hasMethods(model, "generate") && typeof model.name === "string";
}

function shown(value: unknown): string {
  if (value === null || typeof value !== "object") return String(value);
  const names = Object.keys(value).slice(0, 8).join(", ");
  return names === "" ? "an object without properties" : `an object with ${names}`;
}

function invalid(problem: string): KeepsakeError {
  return new KeepsakeError("invalid_config", `The model ${problem}`);
}
