import { KeepsakeError } from "../errors/index.ts";
import {
  type ContentSchema,
  type ContentSchemaInput,
  contentSchema,
  type JsonSchema,
} from "../schema/index.ts";
import { isObject, isRecord } from "../util/index.ts";
import type { KeepsNull } from "./merge.ts";

/**
 * What memories may be: schemas by name, such as `{ Profile: z.object({ … }) }`, or a list of schemas that have a title. The name is
 * stored with each memory as its `kind`.
 */
export type MemorySchemasInput = Readonly<Record<string, ContentSchemaInput>> | readonly ContentSchemaInput[];

/** A schema that memories of one kind follow. */
export interface MemorySchema extends ContentSchema {
  readonly name: string;
  /** Which fields a patch may set to null, see {@link mergeRecords}. */
  readonly keepsNull: KeepsNull;
}

/** The kinds that are taken: by facts, by raw turns, and by langmem for what is no memory. */
const reservedNames: readonly string[] = ["memory", "turn", "RemoveDoc", "__any__"];

/** What memories are without a schema: a text, under `content`, as langmem has it. */
export const textMemory: MemorySchema = named("Memory", {
  type: "object",
  properties: {
    content: { type: "string", minLength: 1, description: "The memory: sentences that stand alone." },
  },
  required: ["content"],
  additionalProperties: false,
});

/**
 * Reads schemas and their names.
 *
 * @throws {KeepsakeError} invalid_config: none, one without a name, a name that is taken, or a schema that describes no object.
 */
export function memorySchemas(given: unknown): MemorySchema[] {
  const schemas = entriesOf(given).map(([name, schema]) => named(name, schema));
  const names = schemas.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`two schemas have the name "${twice}".`);
  if (schemas.length === 0) throw invalid("there is none. Leave the option out for memories of plain text.");
  return schemas;
}

function entriesOf(given: unknown): [string | undefined, unknown][] {
  if (Array.isArray(given)) return given.map((schema: unknown) => [undefined, schema]);
  if (isSchema(given)) return [[undefined, given]];
  if (isRecord(given)) return Object.entries(given);
  throw invalid("they must be an object of schemas by name, such as { Profile: z.object({ … }) }.");
}

/** True for one schema, in contrast to several by name. */
function isSchema(given: unknown): boolean {
  if (typeof given === "function" || (isObject(given) && "~standard" in given)) return true;
  if (!isRecord(given)) return false;
  const texts = [given.type, given.$ref, given.$schema].some((keyword) => typeof keyword === "string");
  return texts || [given.type, given.anyOf, given.oneOf, given.allOf].some(Array.isArray);
}

function named(givenName: string | undefined, given: unknown): MemorySchema {
  const schema = read(givenName, given);
  const name = givenName ?? titleOf(schema.jsonSchema);
  if (name === undefined) {
    throw invalid(
      "a schema has no name, under which its memories would be stored. Pass { Profile: schema }, or give the schema a title.",
    );
  }
  if (reservedNames.includes(name)) throw invalid(`the name "${name}" is taken. Choose another.`);
  if (!/^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u.test(name)) {
    throw invalid(
      `the name ${JSON.stringify(name)} is none: use 1 to 64 letters, digits, _ and -, a letter first.`,
    );
  }
  const { type } = schema.jsonSchema;
  if (type !== undefined && ![type].flat().includes("object")) {
    throw invalid(`the schema "${name}" describes no object with fields. Write { content: … } around it.`);
  }
  return { name, ...schema, keepsNull: keepsNullIn(schema.jsonSchema) };
}

function read(name: string | undefined, given: unknown): ContentSchema {
  try {
    return contentSchema(given ?? null);
  } catch (cause) {
    const which = name === undefined ? "one of them" : `"${name}"`;
    throw invalid(
      `${which} is no schema that can be shown to a model: a zod schema, another Standard Schema with a JSON form, or a JSON schema.`,
      cause,
    );
  }
}

function titleOf({ title }: JsonSchema): string | undefined {
  return typeof title === "string" ? title : undefined;
}

/** A field that must be there and may be null is set to null, not removed. */
function keepsNullIn(root: JsonSchema): KeepsNull {
  return (path) => {
    const holder = path.slice(0, -1).reduce((schema, step) => fieldOf(root, schema, step), root);
    const name = path.at(-1) ?? "";
    const required = resolved(root, holder).required;
    return Array.isArray(required) && required.includes(name) && takesNull(root, fieldOf(root, holder, name));
  };
}

function fieldOf(root: JsonSchema, schema: JsonSchema, name: string): JsonSchema {
  const { properties } = resolved(root, schema);
  const field = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isRecord(field) ? field : {};
}

function takesNull(root: JsonSchema, schema: JsonSchema, depth = 0): boolean {
  const { type, anyOf, oneOf, enum: choices } = resolved(root, schema);
  if ([type].flat().includes("null") || (Array.isArray(choices) && choices.includes(null))) return true;
  const variants = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return depth < 8 && variants.some((variant) => isRecord(variant) && takesNull(root, variant, depth + 1));
}

/** What a reference to a definition of the schema's own means. */
function resolved(root: JsonSchema, schema: JsonSchema): JsonSchema {
  const name = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(schema.$ref));
  const definitions = name === null ? undefined : root[name[1] ?? ""];
  const target = isRecord(definitions) ? definitions[name?.[2] ?? ""] : undefined;
  return isRecord(target) ? target : schema;
}

function invalid(problem: string, cause?: unknown): KeepsakeError {
  return new KeepsakeError("invalid_config", `The schemas of memories: ${problem}`, { cause });
}
