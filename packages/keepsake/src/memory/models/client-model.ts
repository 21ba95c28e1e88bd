import { answerOf, at, call, systemWithSchema } from "./asking.ts";
import type { MemoryModel, ModelAnswer, ModelRequest } from "./types.ts";

/** How an answer is asked for, from what holds the model best to what every server understands. */
const formats = ["json_schema", "json_object", "text"] as const;

/**
 * A client with OpenAI's interface. Servers differ in what they understand of `response_format`: one that refuses it is asked in a simpler
 * form, from then on.
 */
export function clientModel(client: unknown, model: string): MemoryModel {
  let level = 0;
  return {
    name: model,
    generate: async (request) => {
      for (;;) {
        const asked = level;
        try {
          return await complete(client, model, request, formats[asked] ?? "text");
        } catch (error) {
          if (asked + 1 >= formats.length || !refusesFormat(error)) throw error;
          level = Math.max(level, asked + 1);
        }
      }
    },
  };
}

async function complete(
  client: unknown,
  model: string,
  request: ModelRequest,
  format: (typeof formats)[number],
): Promise<ModelAnswer> {
  request.signal?.throwIfAborted();
  const { system, prompt, signal } = request;
  const body = {
    model,
    messages: [
      { role: "system", content: format === "json_schema" ? system : systemWithSchema(request) },
      { role: "user", content: prompt },
    ],
    ...responseFormat(request, format),
  };
  const options = signal === undefined ? {} : { signal };
  const completions = at(client, "chat", "completions");
  return answerIn(await call(completions, "create", [body, options]));
}

function responseFormat(
  { schema, schemaName }: ModelRequest,
  format: (typeof formats)[number],
): Readonly<Record<string, unknown>> {
  if (format === "text") return {};
  if (format === "json_object") return { response_format: { type: format } };
  // Not strict: the app's own schemas may have optional fields, which strict mode refuses.
  return { response_format: { type: format, json_schema: { name: schemaName, schema, strict: false } } };
}

function answerIn(completion: unknown): ModelAnswer {
  const choices = at(completion, "choices");
  const message = at(Array.isArray(choices) ? choices[0] : undefined, "message");
  const calls = at(message, "tool_calls");
  const written = at(Array.isArray(calls) ? calls[0] : undefined, "function", "arguments");
  const text = [at(message, "content"), written, at(message, "refusal")].find(
    (part) => typeof part === "string" && part !== "",
  );
  return answerOf(
    undefined,
    text ?? "",
    at(completion, "usage", "prompt_tokens"),
    at(completion, "usage", "completion_tokens"),
  );
}

/** True where the server took no offence but at the form of the answer: nothing was generated. */
function refusesFormat(error: unknown): boolean {
  const { status, message } = Object(error);
  return (
    [400, 404, 415, 422, 501].includes(status) && /response_?format|json_?schema|json_?object/i.test(message)
  );
}
