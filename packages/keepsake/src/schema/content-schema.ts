import { KeepsakeError } from "../errors/index.ts";
import { valueFromJson, valueToJson } from "../store/index.ts";
import { isObject, isRecord } from "../util/index.ts";
import { schemaProblems, withDefaults } from "./json-schema.ts";
import { parsedJson } from "./parsed-json.ts";
import type { JsonSchema } from "./types.ts";

/**
 * What content may be: zod 4, or another Standard Schema that can give a JSON schema; or a JSON schema itself.
 */
export type ContentSchemaInput = StandardSchemaLike | JsonSchema;

/** The part of Standard Schema that is called. */
export interface StandardSchemaLike {
  readonly "~standard": {
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema?: { readonly input: (options: { target: "draft-2020-12" }) => unknown };
  };
}

/** The content as it is to be stored, or what is wrong with it, in lines. */
export type CheckedContent = { readonly content: unknown } | { readonly problems: readonly string[] };

/** How a tool shows and checks the content of memories. */
export interface ContentSchema {
  readonly jsonSchema: JsonSchema;
  check(content: unknown): Promise<CheckedContent>;
}

const keywords = [
  ...["type", "properties", "items", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"],
  ...["additionalProperties", "description", "title", "$schema", "$defs"],
];

/** Plain text, what memories are without a schema. */
const textContent: ContentSchema = fromJsonSchema({ type: "string" });

/**
 * Reads a schema.
 *
 * @throws {KeepsakeError} invalid_config: it is none, or none that can be shown to a model.
 */
export function contentSchema(schema: unknown): ContentSchema {
  if (schema === undefined) return textContent;
  if (isStandardSchema(schema)) return fromStandardSchema(schema);
  const isJsonSchema = isRecord(schema) && keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (!isJsonSchema) {
    throw invalid(
      "schema must be a zod schema, another Standard Schema, or a JSON schema such as { type: … }.",
    );
  }
  return fromJsonSchema(plainCopy(schema));
}

function fromJsonSchema(jsonSchema: JsonSchema): ContentSchema {
  return {
    jsonSchema,
    async check(content) {
      return salvaging(content, async (candidate) => {
        const filled = withDefaults(jsonSchema, candidate);
        const problems = schemaProblems(jsonSchema, filled);
        return problems.length > 0 ? { problems } : asStored(filled);
      });
    },
  };
}

function fromStandardSchema(schema: StandardSchemaLike): ContentSchema {
  return {
    jsonSchema: jsonSchemaOf(schema),
    async check(content) {
      return salvaging(content, async (candidate) => {
        const outcome: unknown = await schema["~standard"].validate(candidate);
        if (isRecord(outcome) && Array.isArray(outcome.issues))
          return { problems: outcome.issues.map(issueLine) };
        return asStored(Object(outcome).value);
      });
    },
  };
}

/** Models write an object as a string with JSON in it often enough to look. */
async function salvaging(
  content: unknown,
  check: (candidate: unknown) => Promise<CheckedContent>,
): Promise<CheckedContent> {
  const checked = await check(content);
  if ("content" in checked || typeof content !== "string") return checked;
  const parsed = parsedJson(content);
  if (!isObject(parsed)) return checked;
  return check(parsed);
}

function isStandardSchema(schema: unknown): schema is StandardSchemaLike {
  if (!isObject(schema) && typeof schema !== "function") return false;
  return "~standard" in schema && typeof Object(schema["~standard"]).validate === "function";
}

function jsonSchemaOf(schema: StandardSchemaLike): JsonSchema {
  const { jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw invalid(
      "schema is a Standard Schema that cannot give a JSON schema, which the model needs. Use zod 4.2 or later, or pass a JSON schema.",
    );
  }
  try {
    return plainCopy(jsonSchema.input({ target: "draft-2020-12" }));
  } catch (cause) {
    throw invalid(`schema has no form as a JSON schema: ${String(cause)}`, cause);
  }
}

function issueLine(issue: unknown): string {
  const { message, path } = Object(issue);
  const steps = Array.isArray(path)
    ? path.map((step: unknown) => String(isObject(step) ? Object(step).key : step))
    : [];
  return steps.length > 0 ? `${steps.join(".")}: ${message}` : String(message);
}

/** As JSON holds it, so that every store keeps the same. */
function asStored(content: unknown): CheckedContent {
  try {
    return { content: valueFromJson(valueToJson({ content })).content };
  } catch (error) {
    if (KeepsakeError.isInstance(error)) return { problems: [error.message] };
    throw error;
  }
}

function plainCopy(schema: unknown): JsonSchema {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return isRecord(copy) ? copy : {};
}

function invalid(message: string, cause?: unknown): KeepsakeError {
  return new KeepsakeError("invalid_config", `The memory tool's ${message}`, { cause });
}
