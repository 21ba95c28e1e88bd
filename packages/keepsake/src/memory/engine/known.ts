import type { Item, Namespace, Store } from "../../store/index.ts";
import { isRecord } from "../../util/index.ts";
import type { Draft } from "./drafts.ts";
import { isSameFact, keyAt } from "./identity.ts";
import { spaceOf } from "./spaces.ts";

/** What is at the key of a fact: nothing, the fact itself (there or at the key that its text moved to), or another fact. */
export interface Known {
  /** The memory that says the same already. */
  readonly same: string | undefined;
  /** The first key that is free for it. */
  readonly free: string;
}

const maxPlaces = 8;

/** Looks facts up by their keys: in one batch where no key is taken. */
export async function lookUp(store: Store, namespace: Namespace, drafts: readonly Draft[]): Promise<Known[]> {
  const items = await itemsAt(
    store,
    namespace,
    drafts.map(({ key }) => key),
  );
  const moved = await movedTo(
    store,
    namespace,
    drafts.map(({ key }) => key),
  );
  return Promise.all(
    drafts.map(async ({ key, value }, index) => {
      const other = moved[index];
      if (other !== undefined && isSameFact(other.value, value)) return { same: other.key, free: key };
      return placeFor(store, namespace, key, value, items[index] ?? null);
    }),
  );
}

/** The first of a fact's keys that holds it, or that is free. */
async function placeFor(
  store: Store,
  namespace: Namespace,
  key: string,
  value: Draft["value"],
  first: Item | null,
): Promise<Known> {
  let item = first;
  for (let place = 0; ; place += 1) {
    const current = keyAt(key, place);
    if (item === null || place === maxPlaces) return { same: undefined, free: current };
    if (isSameFact(item.value, value)) return { same: current, free: current };
    item = await store.get(namespace, keyAt(key, place + 1));
  }
}

/** The items at some keys, in their order. */
export async function itemsAt(
  store: Store,
  namespace: Namespace,
  keys: readonly string[],
): Promise<(Item | null)[]> {
  if (keys.length === 0) return [];
  return store.batch(keys.map((key) => ({ namespace: [...namespace], key })));
}

/**
 * The memories whose text became, by a change, what facts of these keys say. A text that was changed stands under the key of its first
 * words; the note where it went is kept apart.
 */
export async function movedTo(
  store: Store,
  namespace: Namespace,
  keys: readonly string[],
): Promise<(Item | undefined)[]> {
  if (keys.length === 0) return [];
  const notes: (Item | null)[] = await store.batch(
    keys.map((key) => ({ namespace: spaceOf("contents", namespace), key })),
  );
  const targets = notes.map((note) => (isRecord(note?.value) ? String(note.value.key) : undefined));
  if (targets.every((target) => target === undefined)) return targets.map(() => undefined);
  const items = await itemsAt(
    store,
    namespace,
    targets.filter((target) => target !== undefined),
  );
  let next = 0;
  return targets.map((target) => (target === undefined ? undefined : (items[next++] ?? undefined)));
}

/** Notes under which key the text of a changed memory is found. Written before the change, so that whoever inserts the same sees one of both. */
export async function noteMove(
  store: Store,
  namespace: Namespace,
  contentKey: string,
  key: string,
): Promise<void> {
  if (contentKey === key) return;
  await store.put(spaceOf("contents", namespace), contentKey, { key }, false);
}
