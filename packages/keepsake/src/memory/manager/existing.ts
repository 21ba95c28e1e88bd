import { KeepsakeError } from "../../errors/index.ts";
import { isRecord } from "../../util/index.ts";
import { type MemorySchema, textMemory } from "../schemas.ts";

/** The `kind` of an entry that says: this memory is to be removed. */
export const removeDoc = "RemoveDoc";

/** A memory that a manager is given or has made. */
export interface ManagedMemory {
  readonly id: string;
  /** The name of its schema; `"memory"` where it has none; `"RemoveDoc"` for a removal. */
  readonly kind: string;
  /** A record of the schema; `{ json_doc_id }` for a removal. */
  readonly content: unknown;
}

/**
 * A memory as a manager is given it: a text; `[id, content]`; `[id, kind, content]`; `{ id, kind?, content }`, as managers return it; or
 * an item of a store.
 */
export type ExistingMemory =
  | string
  | readonly [id: string, content: unknown]
  | readonly [id: string, kind: string, content: unknown]
  | { readonly id: string; readonly kind?: string; readonly content: unknown }
  | { readonly key: string; readonly value: unknown };

/** An existing memory, read: `kind` is undefined where nobody says. */
export interface GivenMemory {
  readonly id: string;
  readonly kind: string | undefined;
  readonly content: unknown;
}

/**
 * Reads what a manager is given as existing memories. Removals among them, from an earlier result, are passed over.
 *
 * @throws {KeepsakeError} invalid_input
 */
export function readExisting(existing: unknown): GivenMemory[] {
  if (existing === undefined || existing === null) return [];
  if (!Array.isArray(existing)) throw invalid("it must be a list");
  const memories = existing.map(readOne).filter(({ kind }) => kind !== removeDoc);
  const ids = memories.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalid(`two memories have the id ${JSON.stringify(twice)}`);
  return memories;
}

/** The content and kind of a stored value: `{ kind, content }`, a memory tool's `{ content }`, or a value of the app's own. */
export function readStored(value: unknown): Omit<GivenMemory, "id"> {
  if (!isRecord(value) || !Object.hasOwn(value, "content")) return { kind: undefined, content: value };
  return { kind: kindIn(value.kind), content: value.content };
}

/** The kind that a memory counts as: the one it says, else that of the first schema which it satisfies, else `"memory"`. */
export async function kindOf(given: GivenMemory, schemas: readonly MemorySchema[]): Promise<string> {
  if (given.kind !== undefined) return given.kind;
  if (!isRecord(given.content)) return "memory";
  for (const schema of schemas) if ("content" in (await schema.check(given.content))) return schema.name;
  return "memory";
}

function readOne(given: unknown): GivenMemory {
  if (typeof given === "string") {
    return { id: crypto.randomUUID(), kind: textMemory.name, content: { content: given } };
  }
  if (Array.isArray(given)) {
    const [id, ...rest] = given;
    if (rest.length === 2) return { id: idIn(id), kind: kindIn(rest[0]), content: rest[1] };
    if (rest.length === 1) return { id: idIn(id), ...readTupleContent(rest[0]) };
  } else if (isRecord(given)) {
    if (Object.hasOwn(given, "key") && Object.hasOwn(given, "value")) {
      return { id: idIn(given.key), ...readStored(given.value) };
    }
    if (Object.hasOwn(given, "id") && Object.hasOwn(given, "content")) {
      return { id: idIn(given.id), kind: kindIn(given.kind), content: given.content };
    }
  }
  throw invalid(
    "a memory is a text, [id, content], [id, kind, content], { id, kind?, content } or an item of a store",
  );
}

/** The content of a pair may be a stored value; a record of the app's own seldom has both fields. */
function readTupleContent(content: unknown): Omit<GivenMemory, "id"> {
  const isStored = isRecord(content) && Object.hasOwn(content, "content") && typeof content.kind === "string";
  return isStored ? readStored(content) : { kind: undefined, content };
}

function kindIn(kind: unknown): string | undefined {
  return typeof kind === "string" && kind !== "" ? kind : undefined;
}

function idIn(id: unknown): string {
  if (typeof id === "string" && id !== "") return id;
  throw invalid(`an id is a string that is not empty, not ${JSON.stringify(id) ?? typeof id}`);
}

function invalid(problem: string): KeepsakeError {
  return new KeepsakeError("invalid_input", `The existing memories of a manager: ${problem}.`);
}
