import { type ContentSchemaInput, embedSchema, type JsonSchema } from "../../schema/index.ts";
import { type MemorySchema, memorySchemas } from "../schemas.ts";

/** The schemas that records of memory follow, by the names of their kinds. */
export type MemorySchemas = Readonly<Record<string, ContentSchemaInput>>;

/** A kind of record. */
export type Kind = Pick<MemorySchema, "name" | "jsonSchema" | "check">;

/**
 * Reads the schemas of kinds.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function kindsOf(schemas: MemorySchemas = {}): readonly Kind[] {
  return Object.keys(schemas).length === 0 ? [] : memorySchemas(schemas);
}

const text: JsonSchema = { type: "string" };
const texts: JsonSchema = { type: "array", items: text };

/** What surrounds the content of a fact. Everything is required and "" means unknown: the form that every provider can hold a model to. */
const details: JsonSchema = {
  messages: { ...texts, description: "Ids of the messages that say so, the one that said it first" },
  subject: { ...text, description: "Whom or what it is about" },
  attribute: { ...text, description: 'Which property of the subject, or ""' },
  categories: texts,
  importance: { type: "number", description: "From 0 to 1" },
  date: { ...text, description: 'YYYY-MM-DD, YYYY-MM, YYYY, or ""' },
};

/** What a model has to answer. */
export function answerSchema(kinds: readonly Kind[]): JsonSchema {
  const embedded = kinds.map(({ name, jsonSchema }, index) => ({
    name,
    ...embedSchema(jsonSchema, pointerTo(kinds.length, index)),
  }));
  const variants = embedded.map(({ name, schema }) =>
    factSchema({ kind: { type: "string", enum: [name] }, content: schema }),
  );
  const [only, second] = variants;
  const definitions = Object.assign({}, ...embedded.map((kind) => kind.definitions));
  return {
    type: "object",
    properties: {
      facts: {
        type: "array",
        items: second === undefined ? (only ?? factSchema({ content: text })) : { anyOf: variants },
      },
    },
    required: ["facts"],
    additionalProperties: false,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

function factSchema(content: JsonSchema): JsonSchema {
  const properties = { ...content, ...details };
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function pointerTo(kinds: number, index: number): string {
  const items = "#/properties/facts/items";
  return `${items}${kinds > 1 ? `/anyOf/${index}` : ""}/properties/content`;
}
