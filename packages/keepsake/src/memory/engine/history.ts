import { KeepsakeError } from "../../errors/index.ts";
import type { Item, Namespace, SearchItem, Store } from "../../store/index.ts";
import { isRecord } from "../../util/index.ts";
import { memoryRecord } from "../record.ts";
import type { MemoryRecord } from "../types.ts";
import type { EngineCore } from "./core.ts";
import { factKey } from "./identity.ts";
import { noteMove } from "./known.ts";
import { livesOf, type StoredNote } from "./lives.ts";
import { historySpace } from "./spaces.ts";
import type { HistoryEntry } from "./types.ts";
import { writeMemory } from "./write-memory.ts";

/** What is kept of a change: the version before it, and why it was made. */
export interface ChangeNote {
  readonly action: "update" | "restore" | "forget";
  /** As in the value of the version that it made. */
  readonly change: string;
  readonly reason?: string | undefined;
  readonly messageIds?: readonly string[] | undefined;
}

/** The write of a note, for a batch. */
export interface NoteWrite {
  readonly namespace: string[];
  readonly key: string;
  readonly index: false;
  readonly value: Record<string, unknown>;
}

/**
 * The write of a note. It stands before the change itself is made, so that no version is lost; a note whose change did not come about is
 * recognised by its name, which no version has.
 */
export function noteOperation(
  namespace: Namespace,
  key: string,
  note: ChangeNote,
  before: Item | undefined,
  now: number,
): NoteWrite {
  const born = before?.createdAt.getTime() ?? 0;
  return {
    namespace: historySpace(namespace, key),
    key: `${born} ${String(before?.version ?? 0).padStart(10, "0")} ${note.change}`,
    index: false,
    value: {
      key,
      action: note.action,
      change: note.change,
      reason: note.reason ?? null,
      messageIds: [...(note.messageIds ?? [])],
      at: new Date(now).toISOString(),
      before: before === undefined ? null : itemAsJson(before),
    },
  };
}

function itemAsJson({ value, createdAt, updatedAt, version }: Item): Record<string, unknown> {
  return { value, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), version };
}

/** True where some version of a memory, now or before, was made by a change. */
export async function wasMade(
  store: Store,
  namespace: Namespace,
  current: Item,
  change: string,
): Promise<boolean> {
  if (current.value.change === change) return true;
  const notes = await notesOf(store, namespace, current.key);
  return notes.some(({ before }) => before?.value.change === change);
}

/** The versions of a memory, the newest first. */
export async function historyOf(
  core: EngineCore,
  namespace: Namespace,
  key: string,
): Promise<HistoryEntry[]> {
  const { lives, notes } = await timelineOf(core, namespace, key);
  const byChange = new Map(notes.map((note) => [note.change, note]));
  const entries = lives.flatMap(({ versions, end }): HistoryEntry[] => {
    const own = versions.map(({ item, version }) => entryOf(item, version, byChange, core));
    if (end === undefined) return own;
    const { reason, at, messageIds } = end;
    const forgotten = { version: (own.at(-1)?.version ?? 0) + 1, reason, at, messageIds };
    return [...own, { ...forgotten, action: "forget", content: undefined, record: undefined }];
  });
  return entries.reverse();
}

interface Timeline {
  readonly notes: readonly StoredNote[];
  /** In order. Versions count on where a memory was forgotten, which takes a number, and came back. */
  readonly lives: readonly {
    readonly versions: readonly { readonly item: Item; readonly version: number }[];
    readonly end: StoredNote | undefined;
  }[];
}

async function timelineOf({ store }: EngineCore, namespace: Namespace, key: string): Promise<Timeline> {
  const [current, notes] = await Promise.all([store.get(namespace, key), notesOf(store, namespace, key)]);
  let start = 0;
  const lives = livesOf(current, notes).map(({ versions: items, end }) => {
    const versions = items.map((item) => ({ item, version: start + item.version }));
    start = (versions.at(-1)?.version ?? start) + 1;
    return { versions, end };
  });
  return { notes, lives };
}

function entryOf(
  item: Item,
  version: number,
  byChange: ReadonlyMap<string, StoredNote>,
  { settings }: EngineCore,
): HistoryEntry {
  const { change } = item.value;
  const note = typeof change === "string" ? byChange.get(change) : undefined;
  const record = memoryRecord(item, settings);
  return {
    version,
    action: note?.action ?? (item.version === 1 && change !== undefined ? "insert" : "write"),
    reason: note?.reason,
    at: item.updatedAt,
    content: record.content,
    record,
    messageIds: note?.messageIds ?? record.messageIds,
  };
}

const pageSize = 500;

/** The items of a namespace itself, without those below it. */
export async function itemsOf(store: Store, namespace: Namespace): Promise<SearchItem[]> {
  const items: SearchItem[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const page = await store.search(namespace, { limit: pageSize, offset });
    items.push(...page.filter((item) => item.namespace.length === namespace.length));
    if (page.length < pageSize) return items;
  }
}

async function notesOf(store: Store, namespace: Namespace, key: string): Promise<StoredNote[]> {
  const items = await itemsOf(store, historySpace(namespace, key));
  return items
    .filter(({ value }) => value.key === key)
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .flatMap(({ value }) => noteIn(namespace, key, value) ?? []);
}

function noteIn(namespace: Namespace, key: string, value: Record<string, unknown>): StoredNote | undefined {
  const { action, change, reason, messageIds, at, before } = value;
  if (typeof change !== "string" || typeof at !== "string") return undefined;
  return {
    action: action === "forget" || action === "restore" ? action : "update",
    change,
    reason: typeof reason === "string" ? reason : undefined,
    messageIds: Array.isArray(messageIds) ? messageIds.map(String) : [],
    at: new Date(at),
    before:
      isRecord(before) && isRecord(before.value) ? itemFrom(namespace, key, before, before.value) : undefined,
  };
}

function itemFrom(
  namespace: Namespace,
  key: string,
  { createdAt, updatedAt, version }: Record<string, unknown>,
  value: Record<string, unknown>,
): Item {
  return {
    namespace: [...namespace],
    key,
    value,
    createdAt: new Date(String(createdAt)),
    updatedAt: new Date(String(updatedAt)),
    version: Number(version),
  };
}

/**
 * Makes an earlier version the current one; what was current until then stays in the history.
 *
 * @throws {KeepsakeError} `invalid_input`: there is no such version, or it is the one where the memory was forgotten.
 */
export async function restoreVersion(
  core: EngineCore,
  namespace: Namespace,
  key: string,
  version: number,
): Promise<MemoryRecord> {
  const { lives } = await timelineOf(core, namespace, key);
  const versions = lives.flatMap((life) => life.versions);
  const old = versions.find((known) => known.version === version)?.item;
  if (old === undefined)
    throw unknownVersion(
      key,
      version,
      versions.map((known) => known.version),
    );
  const { createdAt, messageIds } = memoryRecord(old, core.settings);
  const change = crypto.randomUUID();
  const value: Record<string, unknown> = { ...old.value, change, created_at: createdAt.toISOString() };
  const note: ChangeNote = { action: "restore", change, reason: `version ${version}`, messageIds };
  for (;;) {
    const current = await core.store.get(namespace, key);
    await noteMove(core.store, namespace, factKey(value), key);
    await core.store.batch([noteOperation(namespace, key, note, current ?? undefined, core.settings.now())]);
    const written = await writeMemory(core, namespace, key, current?.version ?? null, value);
    const item = written === null ? null : await core.store.get(namespace, key);
    if (item !== null) return memoryRecord(item, core.settings);
  }
}

function unknownVersion(key: string, version: number, known: readonly number[]): KeepsakeError {
  const says = known.length === 0 ? "no version of it is known" : `known are ${known.join(", ")}`;
  return new KeepsakeError(
    "invalid_input",
    `The memory "${key}" has no version ${version} to restore; ${says}.`,
    {
      data: { key, version, known },
    },
  );
}
