import type { Item, Namespace, Store } from "../../store/index.ts";
import { isRecord } from "../../util/index.ts";
import type { Draft } from "./drafts.ts";
import { isSameFact, keyAt } from "./identity.ts";
import { spaceOf } from "./spaces.ts";

const maxPlaces = 8;

/**
 * The keys of the memories that say the same as each fact already: at a key of the fact, or at the one where a changed text says so now. In
 * one batch where no key is taken.
 */
export async function sameAs(
  store: Store,
  namespace: Namespace,
  drafts: readonly Draft[],
): Promise<(string | undefined)[]> {
  const keys = drafts.map(({ key }) => key);
  const items = await itemsAt(store, namespace, keys);
  const moved = await movedTo(store, namespace, keys);
  return Promise.all(
    drafts.map(({ key, value }, index) => {
      const other = moved[index];
      if (other !== undefined && isSameFact(other.value, value)) return other.key;
      return sameAt(store, namespace, key, value, items[index] ?? null);
    }),
  );
}

/** The first of a fact's keys that holds it. */
async function sameAt(
  store: Store,
  namespace: Namespace,
  key: string,
  value: Draft["value"],
  first: Item | null,
): Promise<string | undefined> {
  let item = first;
  for (let place = 1; item !== null && place <= maxPlaces; place += 1) {
    if (isSameFact(item.value, value)) return item.key;
    item = await store.get(namespace, keyAt(key, place));
  }
  return undefined;
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
