import type { ModelRequest } from "../../../src/memory/index.ts";

/** A request as the extractor makes it, in short. */
export function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "Find facts.",
    prompt: "I like tea.",
    schema: {
      type: "object",
      properties: { facts: { type: "array", items: { type: "string" } } },
      required: ["facts"],
      additionalProperties: false,
    },
    schemaName: "facts",
    signal: undefined,
    ...over,
  };
}
