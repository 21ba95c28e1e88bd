import { type EmbeddedSchema, embedSchema, type JsonSchema, parsedJson } from "../../schema/index.ts";
import { didYouMean, isRecord } from "../../util/index.ts";
import type { MemorySchema } from "../schemas.ts";
import type { Change, WorkingMemory } from "./working-set.ts";

/** What a manager may do. */
export interface Permissions {
  readonly inserts: boolean;
  readonly updates: boolean;
  readonly deletes: boolean;
}

/** One entry of a reply: what is to be done, or why it cannot be read; `given` is the entry as the model wrote it. */
export type ReadChange = { readonly given: unknown } & (
  | { readonly change: Change }
  | { readonly problem: string }
);

/** A reply, read. */
export interface ReadReply {
  readonly changes: readonly ReadChange[];
  /** The model says that nothing is left to do. */
  readonly isDone: boolean;
}

/** How models spell the actions. */
const spellings: ReadonlyMap<string, Change["action"]> = new Map([
  ...(["insert", "add", "create"] as const).map((word) => [word, "insert"] as const),
  ...(["update", "patch", "replace"] as const).map((word) => [word, "update"] as const),
  ...(["delete", "remove"] as const).map((word) => [word, "delete"] as const),
]);

/** What a reply must be: a list of actions, which may be empty. */
export function replySchema(
  schemas: readonly MemorySchema[],
  present: readonly WorkingMemory[],
  may: Permissions,
): JsonSchema {
  const kinds = schemas.map(embedded);
  const changes = present.length > 0;
  const variants = [
    ...(may.inserts ? kinds.map(({ name, schema }) => insertVariant(name, schema)) : []),
    ...(may.updates && changes ? [updateVariant(present)] : []),
    ...(may.deletes && changes ? [deleteVariant(present)] : []),
  ];
  const definitions = may.inserts ? Object.assign({}, ...kinds.map((one) => one.definitions)) : {};
  return {
    type: "object",
    properties: {
      actions: {
        type: "array",
        items: variants.length === 1 ? variants[0] : { anyOf: variants },
        description: "What to do, in order. Empty where there is nothing worth keeping.",
      },
      done: { type: "boolean", description: "True when nothing is left to do." },
    },
    required: ["actions"],
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  };
}

/** Reads a reply. A value without a list of actions is none. */
export function readReply(
  value: unknown,
  schemas: readonly MemorySchema[],
  may: Permissions,
): ReadReply | undefined {
  const actions = Array.isArray(value) ? value : isRecord(value) ? value.actions : undefined;
  if (!Array.isArray(actions)) return undefined;
  const changes = actions.map((given: unknown) => ({ given, ...readChange(given, schemas, may) }));
  return { changes, isDone: isRecord(value) && value.done === true };
}

function readChange(
  given: unknown,
  schemas: readonly MemorySchema[],
  may: Permissions,
): { readonly change: Change } | { readonly problem: string } {
  if (!isRecord(given)) return { problem: "an action is an object" };
  const action = spellings.get(String(given.action).trim().toLowerCase());
  if (action === undefined)
    return { problem: `there is no action ${JSON.stringify(given.action) ?? "given"}` };
  if (!may[`${action}s`]) return { problem: `the action "${action}" is not permitted` };
  if (action === "insert") return readInsert(given, schemas);
  const label = typeof given.id === "string" ? given.id.trim() : "";
  if (label === "") return { problem: `to ${action} a memory, give its id` };
  if (action === "delete") return { change: { action, label } };
  const patch = typeof given.content === "string" ? patchIn(given.content) : given.content;
  if (!isRecord(patch)) return { problem: "the content of an update is an object of the fields that change" };
  return { change: { action, label, patch } };
}

function readInsert(
  { kind: givenKind, content }: Readonly<Record<string, unknown>>,
  schemas: readonly MemorySchema[],
): { readonly change: Change } | { readonly problem: string } {
  const names = schemas.map(({ name }) => name);
  const [only] = names.length === 1 ? names : [];
  const meant = typeof givenKind === "string" ? didYouMean(givenKind, names) : undefined;
  const kind = names.find((name) => name === givenKind) ?? only ?? meant;
  if (kind === undefined) return { problem: `the kind must be one of ${names.join(", ")}` };
  return { change: { action: "insert", kind, content: asFields(content, only) } };
}

/** Where memories are plain text, models write the text without the object around it. */
function asFields(content: unknown, only: string | undefined): unknown {
  const isBareText = typeof content === "string" && only === "Memory" && !isRecord(parsedJson(content));
  return isBareText ? { content } : content;
}

function patchIn(content: string): unknown {
  const parsed = parsedJson(content);
  return isRecord(parsed) ? parsed : { content };
}

function insertVariant(name: string, schema: JsonSchema): JsonSchema {
  return variant("insert", "A new memory.", {
    kind: { type: "string", enum: [name] },
    content: schema,
  });
}

function updateVariant(present: readonly WorkingMemory[]): JsonSchema {
  return variant("update", "Changes a memory.", {
    id: idIn(present),
    content: {
      type: "object",
      additionalProperties: true,
      description: "The fields that change, and no others; null removes a field.",
    },
  });
}

function deleteVariant(present: readonly WorkingMemory[]): JsonSchema {
  return variant("delete", "Removes a memory that is wrong or of no use.", { id: idIn(present) });
}

function variant(action: Change["action"], description: string, properties: JsonSchema): JsonSchema {
  return {
    type: "object",
    description,
    properties: { action: { type: "string", enum: [action] }, ...properties },
    required: ["action", ...Object.keys(properties)],
    additionalProperties: false,
  };
}

function idIn(present: readonly WorkingMemory[]): JsonSchema {
  return { type: "string", enum: present.map(({ label }) => label), description: "The id of the memory." };
}

/** A schema as a part of the reply's. Two schemas may have different definitions of one name, so theirs begin with the schema's. */
function embedded(memorySchema: MemorySchema): EmbeddedSchema & { readonly name: string } {
  const { name } = memorySchema;
  const { schema, definitions } = embedSchema(memorySchema.jsonSchema, itself);
  const within = Object.entries(definitions).map(([key, definition]) => [
    `${name}.${key}`,
    pointed(definition, name),
  ]);
  const whole = { [name]: pointed(schema, name) };
  const refersToItself = JSON.stringify([schema, definitions]).includes(`"${itself}`);
  if (!refersToItself) return { name, schema: Object(whole[name]), definitions: Object.fromEntries(within) };
  return {
    name,
    schema: { $ref: `#/$defs/${name}` },
    definitions: { ...whole, ...Object.fromEntries(within) },
  };
}

/** Stands for the place of an embedded schema until that is known. */
const itself = "#itself";

function pointed(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => pointed(item, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== "$ref" || typeof item !== "string") return [key, pointed(item, name)];
      const isOwn = item.startsWith(itself);
      return [
        key,
        isOwn
          ? `#/$defs/${name}${item.slice(itself.length)}`
          : item.replace(/^#\/\$defs\//, `#/$defs/${name}.`),
      ];
    }),
  );
}
