export {
  type CheckedContent,
  type ContentSchema,
  type ContentSchemaInput,
  contentSchema,
  type StandardSchemaLike,
} from "./content-schema.ts";
export { type EmbeddedSchema, embedSchema } from "./embed-schema.ts";
export { schemaProblems, withDefaults } from "./json-schema.ts";
export { parsedJson } from "./parsed-json.ts";
export type { JsonSchema } from "./types.ts";
