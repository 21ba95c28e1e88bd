import type { Item } from "../../store/index.ts";
import { isRecord } from "../../util/index.ts";
import { mergeRecords } from "../merge.ts";
import { memoryText } from "../record.ts";
import { type Batch, batchEvent, type EngineCore } from "./core.ts";
import { defined } from "./defined.ts";
import { noteOperation, wasMade } from "./history.ts";
import { contentHash, factKey, isSameFact, keyAt, kindOf, topicOf } from "./identity.ts";
import { noteMove } from "./known.ts";
import type { Step } from "./plan.ts";
import { writeMemory } from "./write-memory.ts";

/** What became of a step. `done`: an earlier attempt has carried it out. */
export interface StepOutcome {
  readonly result: "inserted" | "updated" | "skipped" | "done";
  readonly key: string | undefined;
  readonly reason?: string;
}

/** Writers that were faster again and again: beyond so many the fact becomes a memory of its own. */
const maxAttempts = 20;

/** Carries out one step, once, whoever else writes to the same memory. */
export async function applyStep(step: Step, batch: Batch, core: EngineCore): Promise<StepOutcome> {
  return step.action === "update" ? update(step, batch, core) : insert(step, batch, core);
}

async function insert(step: Step, batch: Batch, core: EngineCore): Promise<StepOutcome> {
  const { namespace } = batch;
  const value = { ...step.value, change: step.change };
  const first = step.action === "insert" ? step.key : factKey(value);
  for (let place = 0; ; place += 1) {
    const key = keyAt(first, place);
    if ((await writeMemory(core, namespace, key, null, value)) !== null) return { result: "inserted", key };
    const item = await core.store.get(namespace, key);
    if (item === null) {
      // It was there a moment ago: forgotten, or expired.
      place -= 1;
      continue;
    }
    if (isSameFact(item.value, value) && item.value.change !== step.change)
      return { result: "skipped", key, reason: "duplicate" };
    if (await wasMade(core.store, namespace, item, step.change)) return { result: "done", key };
  }
}

async function update(step: Step, batch: Batch, core: EngineCore): Promise<StepOutcome> {
  const { namespace } = batch;
  const { key, change } = step;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const current = await core.store.get(namespace, key);
    if (current === null) break;
    if (await wasMade(core.store, namespace, current, change)) return { result: "done", key };
    const next = await nextValue(step, current, batch, core);
    if (next === undefined) break;
    if (isSameFact(next, current.value) && sameText(next, current.value))
      return { result: "skipped", key, reason: "duplicate" };
    const note = {
      action: "update",
      change,
      reason: step.reason,
      messageIds: step.value.messageIds,
    } as const;
    await noteMove(core.store, namespace, factKey(next), key);
    const kept = noteOperation(namespace, key, note, current, core.settings.now());
    await core.store.batch([kept]);
    if ((await writeMemory(core, namespace, key, current.version, next)) !== null)
      return { result: "updated", key };
    // Another attempt of this delivery may have been faster: the note is its note too.
    const now = await core.store.get(namespace, key);
    if (now !== null && (await wasMade(core.store, namespace, now, change))) return { result: "done", key };
    // It may have been purged meanwhile: what it said must not stay behind in a note.
    await core.store.delete(kept.namespace, kept.key);
  }
  // The memory has gone, or says something else by now: the fact is not lost with it.
  return insert(step, batch, core);
}

function sameText(left: { readonly content?: unknown }, right: { readonly content?: unknown }): boolean {
  return memoryText(left.content) === memoryText(right.content);
}

/** The memory with what the step says; `undefined` where its text has become another since that was decided. */
async function nextValue(
  step: Step,
  current: Item,
  batch: Batch,
  core: EngineCore,
): Promise<Record<string, unknown> | undefined> {
  const { value, content = value.content, change, base } = step;
  const old: Record<string, unknown> = { ...current.value };
  const merged = mergedContent(old, content, value.kind, core);
  if (merged === undefined && base !== contentHash(old.content)) return undefined;
  const problem = merged === undefined ? undefined : await problemOf(merged, value.kind, core);
  if (problem !== undefined) {
    const decision = { fact: -1, action: "update", target: step.key } as const;
    core.reporter.emit({ type: "decision_refused", ...batchEvent(batch), decision, reason: problem });
    return undefined;
  }
  const importance = value.importance === undefined ? {} : { importance: value.importance };
  const categories = [...new Set([...texts(old.categories), ...(value.categories ?? [])])];
  const messageIds = [...new Set([...texts(old.messageIds), ...(value.messageIds ?? [])])];
  const { kind, role, name, at, eventDate, date, threadId, metadata } = value;
  const { subject = old.subject, attribute = old.attribute } = value;
  return {
    ...withoutTimes(old),
    kind: typeof old.kind === "string" ? old.kind : kind,
    content: merged ?? textAs(old.content, content),
    ...defined({ role, name, at, eventDate, date, threadId, subject, attribute }),
    ...defined({ topic: topicOf({ subject, attribute }) }),
    ...importance,
    ...(categories.length > 0 ? { categories } : {}),
    ...(messageIds.length > 0 ? { messageIds } : {}),
    ...(metadata === undefined
      ? {}
      : { metadata: { ...(isRecord(old.metadata) ? old.metadata : {}), ...metadata } }),
    change,
  };
}

/** Records take a change field by field, whatever became of the others meanwhile. */
function mergedContent(
  old: Record<string, unknown>,
  content: unknown,
  kind: string,
  { schemas }: EngineCore,
): Record<string, unknown> | undefined {
  if (kindOf(old) === "memory" || !isRecord(old.content) || !isRecord(content)) return undefined;
  return mergeRecords(old.content, content, schemas.get(kind)?.keepsNull);
}

/** Why a record as changed does not follow its schema. */
async function problemOf(
  content: Record<string, unknown>,
  kind: string,
  { schemas }: EngineCore,
): Promise<string | undefined> {
  const checked = await schemas.get(kind)?.check(content);
  if (checked === undefined || !("problems" in checked)) return undefined;
  return `the changed record would be no ${kind}: ${checked.problems.join("; ")}`;
}

/** Text in the shape in which the memory holds it: langmem keeps it as `{ content }`. */
function textAs(old: unknown, content: unknown): unknown {
  return isRecord(old) && typeof content === "string" ? { content } : content;
}

/** When the old text was said, and what it was about, does not hold for the new one. */
function withoutTimes(old: Record<string, unknown>): Record<string, unknown> {
  const { at: _at, eventDate: _eventDate, date: _date, role: _role, name: _name, ...rest } = old;
  return rest;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
