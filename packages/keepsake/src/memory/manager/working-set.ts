import { contentSchema } from "../../schema/index.ts";
import { canonicalJson, isRecord } from "../../util/index.ts";
import { mergeRecords } from "../merge.ts";
import { type MemorySchema, textMemory } from "../schemas.ts";
import { type GivenMemory, kindOf, type ManagedMemory, removeDoc } from "./existing.ts";

/** What a model asked for, once it is readable. Memories are named by the labels that it was shown. */
export type Change =
  | { readonly action: "insert"; readonly kind: string; readonly content: unknown }
  | { readonly action: "update"; readonly label: string; readonly patch: Readonly<Record<string, unknown>> }
  | { readonly action: "delete"; readonly label: string };

/** What became of a change. `problem` goes back to the model. */
export type Outcome =
  | { readonly done: "inserted" | "updated" | "deleted" | "unchanged"; readonly entry: WorkingMemory }
  | { readonly problem: string };

/** A memory that a manager works on. */
export interface WorkingMemory {
  readonly id: string;
  /** What the model calls it: short, so that it is copied without mistakes. */
  readonly label: string;
  readonly kind: string;
  /** As the model sees it: an object with fields. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Its content is no object, and is shown as `{ content }`. */
  readonly isWrapped: boolean;
  readonly isNew: boolean;
  readonly isRemoved: boolean;
  /** What was asked of it, in order, for a memory that has changed in the store meanwhile. */
  readonly patches: readonly Readonly<Record<string, unknown>>[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The memories of one run, and what is done to them. */
export interface WorkingSet {
  /** Those that are there now, in the order of their labels. */
  present(): WorkingMemory[];
  /** All, the touched ones first, in the order in which they were; removed ones are among them. */
  all(): WorkingMemory[];
  apply(change: Change): Promise<Outcome>;
}

/** The schema of a memory whose kind has none here: any fields; of a wrapped one: content of the type that it has. */
const anyFields = contentSchema({ type: "object" });

/** Begins a run with the memories that exist. */
export async function createWorkingSet(
  given: readonly GivenMemory[],
  schemas: readonly MemorySchema[],
): Promise<WorkingSet> {
  const entries = new Map<string, WorkingMemory>();
  const touched = new Set<string>();
  let labels = 0;
  const add = (entry: Omit<WorkingMemory, "label" | "isRemoved" | "patches">): WorkingMemory => {
    labels += 1;
    const added = { ...entry, label: `m${labels}`, isRemoved: false, patches: [] };
    entries.set(added.label, added);
    return added;
  };
  for (const memory of given) {
    const shape = shapeOf(memory.content);
    add({ id: memory.id, kind: await kindOf(memory, schemas), ...shape, isNew: false });
  }
  const touch = (entry: WorkingMemory): WorkingMemory => {
    touched.add(entry.label);
    entries.set(entry.label, entry);
    return entry;
  };
  /** By label; models also copy a whole id where they have seen one. */
  const find = (label: string): WorkingMemory | undefined => {
    const entry = entries.get(label) ?? [...entries.values()].find(({ id }) => id === label);
    return entry?.isRemoved === true ? undefined : entry;
  };
  const present = (): WorkingMemory[] => [...entries.values()].filter(({ isRemoved }) => !isRemoved);

  async function insert(kind: string, content: unknown): Promise<Outcome> {
    const schema = schemas.find(({ name }) => name === kind);
    if (schema === undefined) return { problem: `there is no kind ${JSON.stringify(kind)}` };
    const checked = await schema.check(content);
    if ("problems" in checked) return { problem: checked.problems.join("; ") };
    const fields = isRecord(checked.content) ? checked.content : {};
    const same = present().find((entry) => saysTheSame(entry, { kind, fields }));
    if (same !== undefined) return { done: "unchanged", entry: same };
    const entry = add({ id: crypto.randomUUID(), kind, fields, isWrapped: false, isNew: true });
    return { done: "inserted", entry: touch(entry) };
  }

  async function update(label: string, patch: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const entry = find(label);
    if (entry === undefined) return { problem: `there is no memory ${JSON.stringify(label)}` };
    const patched = await patchedFields(entry, patch, schemas);
    if ("problem" in patched) return patched;
    if (canonicalJson(patched.fields) === canonicalJson(entry.fields)) return { done: "unchanged", entry };
    const changed = { ...entry, fields: patched.fields, patches: [...entry.patches, patch] };
    return { done: "updated", entry: touch(changed) };
  }

  function remove(label: string): Outcome {
    const entry = find(label);
    if (entry === undefined) return { problem: `there is no memory ${JSON.stringify(label)}` };
    return { done: "deleted", entry: touch({ ...entry, isRemoved: true }) };
  }

  return {
    present,
    all: () => {
      const first = [...touched].flatMap((label) => entries.get(label) ?? []);
      return [...first, ...[...entries.values()].filter(({ label }) => !touched.has(label))];
    },
    async apply(change) {
      if (change.action === "insert") return insert(change.kind, change.content);
      if (change.action === "update") return update(change.label, change.patch);
      return remove(change.label);
    },
  };
}

/**
 * The fields of a memory with a patch, checked by its schema. Fields that the schema does not know, from another version of it or another
 * writer, stay.
 */
export async function patchedFields(
  memory: Pick<WorkingMemory, "kind" | "fields" | "isWrapped">,
  patch: Readonly<Record<string, unknown>>,
  schemas: readonly MemorySchema[],
): Promise<{ readonly fields: Record<string, unknown> } | { readonly problem: string }> {
  const schema = schemas.find(({ name }) => name === memory.kind);
  const merged = mergeRecords(memory.fields, patch, memory.isWrapped ? undefined : schema?.keepsNull);
  const check = memory.isWrapped ? wrappedCheck(memory.fields) : (schema ?? anyFields);
  const checked = await check.check(merged);
  if ("problems" in checked) return { problem: checked.problems.join("; ") };
  const content = isRecord(checked.content) ? checked.content : {};
  return { fields: withUnknown(content, memory.fields, patch) };
}

/** Checked fields, with those of before that the schema has left out and the patch does not name, at whatever depth. */
function withUnknown(checked: Fields, before: Fields, patch: Fields): Record<string, unknown> {
  const kept = Object.entries(before).flatMap(([name, old]): [string, unknown][] => {
    const isNamed = Object.hasOwn(patch, name);
    if (!Object.hasOwn(checked, name)) return isNamed ? [] : [[name, old]];
    return [[name, withUnknownIn(checked[name], old, isNamed ? patch[name] : {})]];
  });
  return { ...checked, ...Object.fromEntries(kept) };
}

/** A list that the patch names is replaced as a whole. */
function withUnknownIn(checked: unknown, old: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return checked;
  if (isRecord(checked) && isRecord(old)) return withUnknown(checked, old, patch);
  const isSameList = Array.isArray(checked) && Array.isArray(old) && checked.length === old.length;
  return isSameList ? checked.map((item: unknown, index) => withUnknownIn(item, old[index], {})) : checked;
}

/** The content of a memory, in the form that it has outside. */
export function contentOf(memory: Pick<WorkingMemory, "fields" | "isWrapped">): unknown {
  return memory.isWrapped ? memory.fields.content : memory.fields;
}

/** The memories as a manager returns them. Removals of what this run made itself are nobody's business. */
export function resultsOf(set: WorkingSet): ManagedMemory[] {
  return set.all().flatMap((entry) => {
    if (!entry.isRemoved) return [{ id: entry.id, kind: entry.kind, content: contentOf(entry) }];
    return entry.isNew ? [] : [{ id: entry.id, kind: removeDoc, content: { json_doc_id: entry.id } }];
  });
}

/** Content as fields. */
export function shapeOf(content: unknown): Pick<WorkingMemory, "fields" | "isWrapped"> {
  return isRecord(content) ? { fields: content, isWrapped: false } : { fields: { content }, isWrapped: true };
}

function wrappedCheck({ content }: Readonly<Record<string, unknown>>): ReturnType<typeof contentSchema> {
  if (typeof content === "string") return textMemory;
  return contentSchema({
    type: "object",
    properties: { content: { type: Array.isArray(content) ? "array" : typeof content } },
    required: ["content"],
    additionalProperties: false,
  });
}

/** The same kind and content, whichever way the text is spaced and written; a text is the same with and without its wrapping. */
function saysTheSame(entry: WorkingMemory, other: Pick<WorkingMemory, "kind" | "fields">): boolean {
  const isSameKind = entry.kind === other.kind || (entry.isWrapped && other.kind === textMemory.name);
  return isSameKind && comparable(entry.fields) === comparable(other.fields);
}

/** The text by which contents are compared: Unicode form, case and spaces do not count. */
function comparable(fields: unknown): string {
  return (canonicalJson(fields) ?? "").normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ");
}
