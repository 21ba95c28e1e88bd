import { KeepsakeError } from "../../errors/index.ts";
import type { Item, Namespace } from "../../store/index.ts";
import { checkOptions, isBoolean, type OptionKind } from "../../util/index.ts";
import { memoryRecord } from "../record.ts";
import type { EngineCore } from "./core.ts";
import { deleteVersion } from "./delete-version.ts";
import { itemsOf, noteOperation } from "./history.ts";
import { factKey } from "./identity.ts";
import { itemsAt } from "./known.ts";
import { type ForgetRule, fulfils, markForgotten } from "./marks.ts";
import type { Step } from "./plan.ts";
import { historySpace, spaceOf } from "./spaces.ts";
import type { ForgetOptions } from "./types.ts";

const isKey: OptionKind = ["a key", (value) => typeof value === "string" && value !== ""];
const isDate: OptionKind = [
  "a valid Date",
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
];
const isNames: OptionKind = [
  "a list of one or more strings",
  (value) => Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string"),
];

const kinds: Readonly<Record<keyof ForgetOptions, OptionKind>> = {
  key: isKey,
  categories: isNames,
  olderThan: isDate,
  purge: isBoolean,
  reason: ["a string", (value) => typeof value === "string"],
};

/**
 * Forgets memories of a namespace itself; gives how many. Saves that have begun before do not bring them back.
 *
 * @throws {KeepsakeError} `invalid_input`: no criterion
 */
export async function forgetMemories(
  core: EngineCore,
  namespace: Namespace,
  options: ForgetOptions,
): Promise<number> {
  checkOptions("forget", options, kinds);
  const { key, categories, olderThan, purge = false, reason } = options;
  if (key === undefined && categories === undefined && olderThan === undefined) {
    throw new KeepsakeError(
      "invalid_input",
      "forget needs `key`, `categories` or `olderThan`; nothing was forgotten. To remove everything of a person, call erase(namespace).",
    );
  }
  const rule: ForgetRule = {
    ...(categories === undefined ? {} : { categories }),
    ...(olderThan === undefined ? {} : { olderThan: olderThan.toISOString() }),
  };
  const mark = key === undefined ? rule : { key };
  const isMeant = (item: Item): boolean => fulfils(memoryRecord(item, core.settings), rule);
  // A rule speaks for memories that are on their way; of a single key that fulfils no rule nothing is forgotten.
  const one = key === undefined ? undefined : await core.store.get(namespace, key);
  const isSpared = one !== undefined && one !== null && !isMeant(one);
  if (isSpared) return 0;
  await markForgotten(core.store, namespace, mark, core.settings.now());
  const found =
    key === undefined ? await itemsOf(core.store, namespace) : [await core.store.get(namespace, key)];
  const doomed = found.filter((item) => item !== null).filter(isMeant);
  const count = await removeMemories(core, namespace, doomed, {
    history: purge ? "purge" : "keep",
    isMeant,
    reason,
  });
  if (purge && key !== undefined) await purgeHistory(core, namespace, [key]);
  core.reporter.emit({ type: "forgotten", namespace: [...namespace], count, purge });
  return count;
}

/** How memories are removed. */
export interface Removal {
  /** What becomes of their history. */
  readonly history: "keep" | "purge" | "leave";
  /** Asked of what another writer has made of one meanwhile: whether that is to go as well. */
  readonly isMeant: (item: Item) => boolean;
  readonly reason?: string | undefined;
}

/** So many memories are removed at once. */
const concurrency = 16;

/** Removes memories, with their texts in every index; gives how many. What others have put in their place stays, unless it is meant too. */
export async function removeMemories(
  core: EngineCore,
  namespace: Namespace,
  items: readonly Item[],
  removal: Removal,
): Promise<number> {
  const keys = items.map(({ key }) => key);
  if (removal.history === "purge") await purgeHistory(core, namespace, keys);
  let count = 0;
  for (let start = 0; start < items.length; start += concurrency) {
    const some = items.slice(start, start + concurrency);
    const removed = await Promise.all(some.map((item) => removeMemory(core, namespace, item, removal)));
    count += removed.filter(Boolean).length;
  }
  // Once more: who changed one before it went has noted the version before.
  if (removal.history === "purge") await purgeHistory(core, namespace, keys);
  return count;
}

async function removeMemory(
  { store, settings }: EngineCore,
  namespace: Namespace,
  first: Item,
  { history, isMeant, reason }: Removal,
): Promise<boolean> {
  let item: Item | null = first;
  while (item !== null && isMeant(item)) {
    const note = { action: "forget", change: crypto.randomUUID(), reason } as const;
    const kept = noteOperation(namespace, item.key, note, item, settings.now());
    if (history === "keep") await store.batch([kept]);
    if (await deleteVersion(store, item)) return true;
    if (history === "keep") await store.delete(kept.namespace, kept.key);
    item = await store.get(namespace, item.key);
  }
  return false;
}

/** Removes what the steps of a plan, carried out while their namespace was erased, have noted; notes of later writers stay. */
export async function removeTraces(
  core: EngineCore,
  namespace: Namespace,
  steps: readonly Step[],
): Promise<void> {
  const { store } = core;
  const written = steps.filter(({ action }) => action !== "skip");
  const changes = new Set<unknown>(written.map(({ change }) => change));
  const isOurs = ({ value: { change, before } }: Item): boolean =>
    changes.has(change) || changes.has(Object(before).value?.change);
  await purgeHistory(
    core,
    namespace,
    written.map(({ key }) => key),
    isOurs,
  );
  const updates = written.filter(({ action }) => action === "update");
  const contentKeys = updates.map(({ value, content = value.content }) => factKey({ ...value, content }));
  const moves = await itemsAt(store, spaceOf("contents", namespace), contentKeys);
  for (const [index, move] of moves.entries())
    if (move !== null && move.value.key === updates[index]?.key) await deleteVersion(store, move);
}

async function purgeHistory(
  { store }: EngineCore,
  namespace: Namespace,
  keys: readonly string[],
  isMeant: (note: Item) => boolean = () => true,
): Promise<void> {
  for (const key of keys) {
    const space = historySpace(namespace, key);
    const notes = (await itemsOf(store, space)).filter(isMeant);
    if (notes.length > 0)
      await store.batch(notes.map((note) => ({ namespace: space, key: note.key, value: null })));
  }
}
