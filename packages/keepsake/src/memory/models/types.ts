import type { JsonSchema } from "../../schema/index.ts";

/** One question to a model that is answered with JSON. */
export interface ModelRequest {
  readonly system: string;
  readonly prompt: string;
  /** What the answer must be: an object. */
  readonly schema: JsonSchema;
  /** A name for it, such as `facts`: providers ask for one. */
  readonly schemaName: string;
  readonly signal: AbortSignal | undefined;
}

/** What a model answered: a value where it has structured output, else text that may hold one. */
export interface ModelAnswer {
  readonly value?: unknown;
  readonly text?: string | undefined;
  /** Where the provider says. */
  readonly tokens?: { readonly input: number; readonly output: number } | undefined;
}

/** Any model, behind one function. Rejects with what the provider threw. */
export interface MemoryModel {
  /** For reports: the provider's name of the model where it is known. */
  readonly name: string;
  generate(request: ModelRequest): Promise<ModelAnswer>;
}
