import { KeepsakeError } from "../../errors/index.ts";
import {
  type HostStore,
  isKeepsakeStore,
  placeIn,
  type Store,
  type StoredMemory,
} from "../../store/index.ts";
import { canonicalJson, hash128 } from "../../util/index.ts";
import { deleteVersion } from "../engine/delete-version.ts";
import { type NoteWrite, noteOperation, wasMade } from "../engine/history.ts";
import { factKey, isSameFact, keyAt } from "../engine/identity.ts";
import { noteMove, sameAs } from "../engine/known.ts";
import { currentEpoch, type Epoch, forgottenSince, markForgotten } from "../engine/marks.ts";
import { writeMemory } from "../engine/write-memory.ts";
import type { MemorySchema } from "../schemas.ts";
import { kindOf } from "./existing.ts";
import { storedMemory } from "./stored-value.ts";
import { patchedFields } from "./working-set.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What is to be written, in a form that can be stored. */
export type PlannedWrite =
  | { readonly action: "insert"; readonly kind: string; readonly fields: Fields }
  /** A memory that was begun with a default: where its key is taken by now, the patches apply to what is there. */
  | {
      readonly action: "begin";
      readonly key: string;
      readonly kind: string;
      readonly fields: Fields;
      readonly patches: readonly Fields[];
    }
  | {
      readonly action: "update";
      readonly namespace: readonly string[];
      readonly key: string;
      readonly patches: readonly Fields[];
    }
  | {
      readonly action: "delete";
      readonly namespace: readonly string[];
      readonly key: string;
      /** The version that the decision was about; null where the store has none. */
      readonly version: number | null;
    };

/** What became of a planned write. */
export type WriteOutcome =
  | {
      readonly done: "inserted" | "updated";
      readonly namespace: string[];
      readonly key: string;
      readonly value: Record<string, unknown>;
    }
  | { readonly done: "deleted"; readonly namespace: string[]; readonly key: string }
  | { readonly done: "skipped"; readonly namespace: string[]; readonly key: string; readonly reason: string }
  | { readonly done: "failed"; readonly namespace: string[]; readonly key: string; readonly problem: string };

/** Where and how one run writes. */
export interface WriteRun {
  readonly store: HostStore;
  readonly namespace: string[];
  readonly schemas: readonly MemorySchema[];
  readonly now: () => number;
  /** Of each namespace that is written to, as of before the model was asked. */
  readonly epochs: ReadonlyMap<string, Epoch>;
  /** Memories that may say the same as what is inserted. */
  readonly alike: readonly StoredMemory[];
  /** Names the change of a write, the same in each attempt of a delivery. */
  changeOf(place: number): string;
}

/** How often other writers may be faster. */
const maxAttempts = 20;
const doneBefore = "an earlier attempt has done it";

/** The epochs of namespaces: what is forgotten later is not brought back by this run. */
export async function epochsOf(
  store: HostStore,
  namespaces: readonly (readonly string[])[],
): Promise<Map<string, Epoch>> {
  if (!isKeepsakeStore(store)) return new Map();
  const unique = new Map(namespaces.map((namespace) => [JSON.stringify(namespace), namespace]));
  const entries = [...unique].map(
    async ([id, namespace]) => [id, await currentEpoch(store, namespace)] as const,
  );
  return new Map(await Promise.all(entries));
}

/**
 * Carries out one write, once, whoever else writes to the same memory.
 *
 * @throws {KeepsakeError} overtaken: others were faster each time
 */
export async function write(planned: PlannedWrite, place: number, run: WriteRun): Promise<WriteOutcome> {
  const change = run.changeOf(place);
  switch (planned.action) {
    case "insert":
      return insert(planned, change, run);
    case "begin":
      return (
        (await createAt(planned.key, planned, change, run)) ??
        update({ ...planned, namespace: run.namespace }, change, run)
      );
    case "update":
      return update(planned, change, run);
    case "delete":
      return remove(planned, run);
  }
}

async function insert(
  { kind, fields }: Extract<PlannedWrite, { action: "insert" }>,
  change: string,
  run: WriteRun,
): Promise<WriteOutcome> {
  const { store, namespace } = run;
  const fact = { kind, content: fields };
  const first = factKey(fact);
  const twin = run.alike.find(({ value }) => isSameFact(value, fact))?.key;
  const same =
    twin ??
    (isKeepsakeStore(store) ? (await sameAs(store, namespace, [{ key: first, value: fact }]))[0] : undefined);
  if (same !== undefined) return { done: "skipped", namespace, key: same, reason: "duplicate" };
  for (let place = 0; ; place += 1) {
    const key = keyAt(first, place);
    const created = await createAt(key, { kind, fields }, change, run);
    if (created !== undefined) return created;
    const item = await placeIn(store, namespace).get(key);
    if (item === null) continue;
    if (isSameFact(item.value, fact)) return { done: "skipped", namespace, key, reason: "duplicate" };
    const version = item.version ?? 0;
    if (isKeepsakeStore(store) && (await wasMade(store, namespace, { ...item, version, namespace }, change)))
      return { done: "skipped", namespace, key, reason: doneBefore };
  }
}

/** Writes a new memory; undefined where the key is taken. */
async function createAt(
  key: string,
  { kind, fields }: { readonly kind: string; readonly fields: Fields },
  change: string,
  run: WriteRun,
): Promise<WriteOutcome | undefined> {
  const { store, namespace } = run;
  const value = { kind, content: { ...fields } };
  if (!isKeepsakeStore(store)) {
    const isNew = await placeIn(store, namespace).create(key, value);
    return isNew ? { done: "inserted", namespace, key, value } : undefined;
  }
  if (await isForgotten(store, namespace, key, run)) return forgotten(namespace, key);
  const stored = { ...value, change };
  if ((await writeMemory({ store }, namespace, key, null, stored)) === null) return undefined;
  if (!(await isForgotten(store, namespace, key, run)))
    return { done: "inserted", namespace, key, value: stored };
  await takeBack(store, namespace, key, stored);
  return forgotten(namespace, key);
}

async function update(
  target: {
    readonly namespace: readonly string[];
    readonly key: string;
    readonly patches: readonly Fields[];
  },
  change: string,
  run: WriteRun,
): Promise<WriteOutcome> {
  const { store } = run;
  const { key } = target;
  const namespace = [...target.namespace];
  const at = placeIn(store, namespace);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const current = await at.get(key);
    if (current === null) return { done: "skipped", namespace, key, reason: "it was deleted meanwhile" };
    const next = await patchedValue(current.value, target.patches, run.schemas);
    if ("problem" in next) return { done: "failed", namespace, key, problem: next.problem };
    if (canonicalJson(next.value) === canonicalJson(current.value)) {
      return { done: "skipped", namespace, key, reason: "it says so already" };
    }
    if (!isKeepsakeStore(store)) {
      await at.replace(current, next.value);
      return { done: "updated", namespace, key, value: next.value };
    }
    const outcome = await replace(
      store,
      { ...current, version: current.version ?? 0, namespace },
      next.value,
      change,
      run,
    );
    if (outcome !== undefined) return outcome;
  }
  throw overtaken(namespace, key);
}

type VersionedItem = StoredMemory & { readonly version: number };

/** Writes the next version and keeps the one before; undefined where another writer was faster. */
async function replace(
  store: Store,
  current: VersionedItem,
  next: Record<string, unknown>,
  change: string,
  run: WriteRun,
): Promise<WriteOutcome | undefined> {
  const { namespace, key } = current;
  if (await wasMade(store, namespace, current, change)) {
    return { done: "skipped", namespace, key, reason: doneBefore };
  }
  if (await isForgotten(store, namespace, key, run)) return forgotten(namespace, key);
  const isOwnValue = !Object.hasOwn(next, "content");
  const value = isOwnValue ? next : { ...next, change };
  await noteMove(store, namespace, factKey(value), key);
  const note = noteOperation(namespace, key, { action: "update", change }, current, run.now());
  await store.batch([note]);
  const version = isOwnValue
    ? await store.compareAndSet(namespace, key, current.version, value)
    : await writeMemory({ store }, namespace, key, current.version, value);
  if (version === null) {
    // Another attempt of this delivery may have been faster: the note is its note too.
    const now = await store.get(namespace, key);
    if (now !== null && (await wasMade(store, namespace, now, change)))
      return { done: "skipped", namespace, key, reason: doneBefore };
    await dropNote(store, note);
    return undefined;
  }
  if (!(await isForgotten(store, namespace, key, run))) return { done: "updated", namespace, key, value };
  await takeBack(store, namespace, key, value);
  await dropNote(store, note);
  return forgotten(namespace, key);
}

/** Removes what was written as a forgetting came between, and leaves what another writer has made of it or put in its place. */
async function takeBack(
  store: Store,
  namespace: string[],
  key: string,
  written: Record<string, unknown>,
): Promise<void> {
  const item = await store.get(namespace, key);
  if (item !== null && canonicalJson(item.value) === canonicalJson(written)) await deleteVersion(store, item);
}

async function remove(
  { namespace: labels, key, version }: Extract<PlannedWrite, { action: "delete" }>,
  { store, now }: WriteRun,
): Promise<WriteOutcome> {
  const namespace = [...labels];
  const current = await placeIn(store, namespace).get(key);
  if (current === null) return { done: "skipped", namespace, key, reason: "it was deleted meanwhile" };
  const isSeen = !isKeepsakeStore(store) || current.version === version;
  if (!isSeen || !(await removeItem({ store, namespace, key, now }, current)))
    return { done: "skipped", namespace, key, reason: "it was changed meanwhile" };
  // Not before: a tombstone would take with it the change that this deletion came too late for.
  if (isKeepsakeStore(store)) await markForgotten(store, namespace, { key }, now());
  return { done: "deleted", namespace, key };
}

/** One memory, and the clock. */
export interface MemoryAt {
  readonly store: HostStore;
  readonly namespace: string[];
  readonly key: string;
  readonly now: () => number;
}

/** Deletes a memory, whatever it says by now, and keeps its last version. */
export async function removeNow(at: MemoryAt): Promise<void> {
  const place = placeIn(at.store, at.namespace);
  if (isKeepsakeStore(at.store)) await markForgotten(at.store, at.namespace, { key: at.key }, at.now());
  for (let current = await place.get(at.key); current !== null; current = await place.get(at.key)) {
    if (await removeItem(at, current)) return;
  }
}

/** Writes a memory over what is there, and keeps that version. */
export async function overwrite(at: MemoryAt, value: Record<string, unknown>): Promise<void> {
  const { store, namespace, key, now } = at;
  if (!isKeepsakeStore(store)) return placeIn(store, namespace).put(key, value);
  for (;;) {
    const current = await store.get(namespace, key);
    const change = crypto.randomUUID();
    const note =
      current === null
        ? undefined
        : noteOperation(namespace, key, { action: "update", change }, current, now());
    if (note !== undefined) await store.batch([note]);
    const stored = Object.hasOwn(value, "content") ? { ...value, change } : value;
    const version = await store.compareAndSet(namespace, key, current?.version ?? null, stored);
    if (version !== null) return;
    if (note !== undefined) await dropNote(store, note);
  }
}

/** False where the item has changed since it was read, which keepsake's stores alone can tell. */
async function removeItem({ store, namespace, key, now }: MemoryAt, current: StoredMemory): Promise<boolean> {
  if (!isKeepsakeStore(store)) {
    await placeIn(store, namespace).delete(key);
    return true;
  }
  const item = { ...current, version: current.version ?? 0, namespace };
  const why = { action: "forget", change: crypto.randomUUID() } as const;
  const note = noteOperation(namespace, key, why, item, now());
  await store.batch([note]);
  if (await deleteVersion(store, item)) return true;
  await dropNote(store, note);
  return false;
}

/** Removes the note of a change that did not come about: what it says may have been purged meanwhile. */
async function dropNote(store: Store, { namespace, key }: NoteWrite): Promise<void> {
  await store.delete(namespace, key);
}

/** A stored value with patches, checked by the schema of its kind. */
async function patchedValue(
  value: Readonly<Record<string, unknown>>,
  patches: readonly Fields[],
  schemas: readonly MemorySchema[],
): Promise<{ readonly value: Record<string, unknown> } | { readonly problem: string }> {
  const stored = storedMemory(value);
  const given = {
    id: "",
    kind: stored.kind,
    content: stored.shape.isWrapped ? undefined : stored.shape.fields,
  };
  const kind = await kindOf(given, schemas);
  let { fields } = stored.shape;
  for (const patch of patches) {
    const patched = await patchedFields({ ...stored.shape, kind, fields }, patch, schemas);
    if ("problem" in patched) return patched;
    fields = patched.fields;
  }
  return { value: stored.with(fields) };
}

async function isForgotten(
  store: Store,
  namespace: readonly string[],
  key: string,
  { epochs, now }: WriteRun,
): Promise<boolean> {
  const epoch = epochs.get(JSON.stringify(namespace)) ?? [];
  const record = { key, categories: [], createdAt: new Date(now()) };
  const { erased, keys } = await forgottenSince(store, namespace, epoch, [record]);
  return erased || keys.has(key);
}

function overtaken(namespace: readonly string[], key: string): KeepsakeError {
  return new KeepsakeError(
    "overtaken",
    `The memory ${JSON.stringify(key)} was not written: other writers were faster ${maxAttempts} times. Offer the messages again.`,
    { data: { namespace, key } },
  );
}

function forgotten(namespace: string[], key: string): WriteOutcome {
  return { done: "skipped", namespace, key, reason: "it was forgotten meanwhile" };
}

/** Names changes: by delivery, so that each attempt gives the same; else at random. */
export function changeNames(deliveryId: string | undefined): (place: number) => string {
  if (deliveryId === undefined) return () => crypto.randomUUID();
  return (place) => hash128(JSON.stringify(["manager", deliveryId, place]));
}
