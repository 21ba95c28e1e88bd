import { KeepsakeError } from "../../errors/index.ts";
import type { Item, Namespace, StoreOperation } from "../../store/index.ts";
import { checkOptions, isBoolean, type OptionKind } from "../../util/index.ts";
import { memoryRecord } from "../record.ts";
import type { EngineCore } from "./core.ts";
import { itemsOf, noteOperation } from "./history.ts";
import { factKey } from "./identity.ts";
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
  await removeMemories(core, namespace, doomed, purge ? "purge" : "keep", reason);
  if (purge && key !== undefined) await purgeHistory(core, namespace, [key]);
  core.reporter.emit({ type: "forgotten", namespace: [...namespace], count: doomed.length, purge });
  return doomed.length;
}

const batchSize = 250;

/** Removes memories, with their texts in every index; they are kept in the history, the history goes too, or it is left alone. */
export async function removeMemories(
  core: EngineCore,
  namespace: Namespace,
  items: readonly Item[],
  history: "keep" | "purge" | "leave",
  reason?: string,
): Promise<void> {
  if (history === "purge")
    await purgeHistory(
      core,
      namespace,
      items.map(({ key }) => key),
    );
  for (let start = 0; start < items.length; start += batchSize) {
    const operations = items.slice(start, start + batchSize).flatMap((item): StoreOperation[] => {
      const note = { action: "forget", change: crypto.randomUUID(), reason } as const;
      const kept = noteOperation(namespace, item.key, note, item, core.settings.now());
      const removal = { namespace: [...namespace], key: item.key, value: null };
      return history === "keep" ? [kept, removal] : [removal];
    });
    await core.store.batch(operations);
  }
}

/** Removes what steps, carried out while their namespace was erased, may have noted. */
export async function removeTraces(
  core: EngineCore,
  namespace: Namespace,
  steps: readonly Step[],
): Promise<void> {
  const updates = steps.filter(({ action }) => action === "update");
  await purgeHistory(
    core,
    namespace,
    updates.map(({ key }) => key),
  );
  const space = spaceOf("contents", namespace);
  const notes = updates.map(({ value, content = value.content }) => factKey({ ...value, content }));
  if (notes.length > 0) await core.store.batch(notes.map((key) => ({ namespace: space, key, value: null })));
}

async function purgeHistory(
  { store }: EngineCore,
  namespace: Namespace,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    const space = historySpace(namespace, key);
    const notes = await itemsOf(store, space);
    if (notes.length > 0)
      await store.batch(notes.map((note) => ({ namespace: space, key: note.key, value: null })));
  }
}
