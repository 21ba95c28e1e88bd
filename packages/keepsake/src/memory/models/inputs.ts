import type { Awaitable } from "../../util/index.ts";
import type { MemoryModel, ModelAnswer, ModelRequest } from "./types.ts";

/** A model, in any of the forms that {@link memoryModel} reads. */
export type ModelInput =
  | string
  | ModelFunction
  | MemoryModel
  | ChatModelLike
  | LanguageModelLike
  | LanguageModelCalls
  | ClientModel;

/**
 * A model as a function: it is asked, and answers with text, with a {@link ModelAnswer}, or with the value itself. An object with no other keys
 * than `value`, `text` and `tokens` is a `ModelAnswer`.
 */
export type ModelFunction = (request: ModelRequest) => Awaitable<ModelAnswer | string | unknown>;

/** What is called of a LangChain chat model; `withStructuredOutput` as well, where it has that. */
export interface ChatModelLike {
  invoke(input: never, options?: never): PromiseLike<unknown>;
}

/** What is needed of an AI SDK language model. */
export interface LanguageModelLike {
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
}

/** An AI SDK language model with the functions of the app's own `ai`: nothing is loaded then. One of the two functions is enough. */
export interface LanguageModelCalls {
  readonly model: LanguageModelLike | string;
  readonly generateObject?: (options: never) => PromiseLike<unknown>;
  readonly generateText?: (options: never) => PromiseLike<unknown>;
  /** Lets `generateText` ask for an object; without it, it asks for text that holds one. */
  readonly Output?: { object(options: never): unknown };
}

/** A client with OpenAI's interface, and which of its models to ask. */
export interface ClientModel {
  readonly client: {
    readonly chat: { readonly completions: { create(body: never, options?: never): PromiseLike<unknown> } };
  };
  readonly model: string;
}
