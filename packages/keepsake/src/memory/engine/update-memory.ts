import { KeepsakeError } from "../../errors/index.ts";
import type { Item, Namespace } from "../../store/index.ts";
import { checkOptions, isRecord } from "../../util/index.ts";
import { memoryRecord, memoryText } from "../record.ts";
import type { MemoryRecord } from "../types.ts";
import type { EngineCore } from "./core.ts";
import { type ChangeNote, noteOperation } from "./history.ts";
import { factKey, kindOf } from "./identity.ts";
import { noteMove } from "./known.ts";
import type { UpdateOptions } from "./types.ts";
import { writeMemory } from "./write-memory.ts";

/** Replaces what a memory says; what it said before stays in its history. Null where there is none. */
export async function updateMemory(
  core: EngineCore,
  namespace: Namespace,
  key: string,
  content: unknown,
  options: UpdateOptions,
): Promise<MemoryRecord | null> {
  checkOptions("update", options, { reason: ["a string", (value) => typeof value === "string"] });
  const { store, settings } = core;
  const note: ChangeNote = { action: "update", change: crypto.randomUUID(), reason: options.reason };
  for (;;) {
    const current = await store.get(namespace, key);
    if (current === null) return null;
    const value: Record<string, unknown> = {
      ...(await changed(current, content, core)),
      change: note.change,
    };
    const kept = noteOperation(namespace, key, note, current, settings.now());
    await noteMove(store, namespace, factKey(value), key);
    await store.batch([kept]);
    if ((await writeMemory(core, namespace, key, current.version, value)) !== null) {
      const item = await store.get(namespace, key);
      return item && memoryRecord(item, settings);
    }
    // Somebody was faster: nothing of a memory that was erased meanwhile may stay.
    await store.batch([{ ...kept, value: null }]);
  }
}

/** The value of a memory with another content. When the old one was said, and what day it was about, does not hold for that. */
async function changed(
  { value: old }: Item,
  content: unknown,
  { schemas }: EngineCore,
): Promise<Record<string, unknown>> {
  const { at: _at, eventDate: _eventDate, date: _date, ...others } = old;
  const schema = schemas.get(kindOf(old));
  const checked = schema === undefined ? { content } : await schema.check(content);
  if ("problems" in checked)
    throw refused(`the content is no ${schema?.name}: ${checked.problems.join("; ")}.`);
  if (content === undefined || content === null || memoryText(content).trim() === "")
    throw refused("pass the content that the memory is to have.");
  if (kindOf(old) === "memory" && typeof old.content === "string" && typeof content !== "string")
    throw refused("the memory is a text, so its content must be one; records have a schema.");
  // Text in the shape in which the memory holds it: langmem keeps it as `{ content }`.
  const isWrapped = isRecord(old.content) && typeof checked.content === "string";
  return { ...others, content: isWrapped ? { content: checked.content } : checked.content };
}

function refused(problem: string): KeepsakeError {
  return new KeepsakeError("invalid_input", `update: ${problem}`);
}
