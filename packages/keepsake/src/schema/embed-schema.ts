import { isRecord } from "../util/index.ts";
import type { JsonSchema } from "./types.ts";

/** A schema that stands inside another one, and the definitions that belong at the root of that. */
export interface EmbeddedSchema {
  readonly schema: JsonSchema;
  readonly definitions: JsonSchema;
}

/**
 * Prepares a schema to stand at `pointer` (such as `#/properties/content`) of another: what only a whole document has is taken out,
 * references still point at the same things, and a property that has a default is not listed as required.
 */
export function embedSchema(schema: JsonSchema, pointer: string): EmbeddedSchema {
  const { $schema: _dialect, $id: _id, "~standard": _standard, $defs, definitions, ...rest } = schema;
  return {
    schema: recordOf(moved(rest, pointer)),
    definitions: recordOf(moved({ ...recordOf(definitions), ...recordOf($defs) }, pointer)),
  };
}

function moved(value: unknown, pointer: string): unknown {
  if (Array.isArray(value)) return value.map((item) => moved(item, pointer));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name === "$ref" && typeof item === "string") return [name, movedReference(item, pointer)];
      if (name === "required" && Array.isArray(item))
        return [name, item.filter((it) => !hasDefault(value, it))];
      return [name, moved(item, pointer)];
    }),
  );
}

function movedReference(reference: string, pointer: string): string {
  if (/^#\/(\$defs|definitions)\//.test(reference)) return reference.replace(/^#\/definitions\//, "#/$defs/");
  return reference.startsWith("#") ? `${pointer}${reference.slice(1)}` : reference;
}

function hasDefault(schema: JsonSchema, property: unknown): boolean {
  return "default" in recordOf(recordOf(schema.properties)[String(property)]);
}

function recordOf(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}
