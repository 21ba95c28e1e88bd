import type { Item, Store } from "../../store/index.ts";

/** Looks at an item that expires at once, a millisecond apart, before the store's clock counts as standing still. */
const mostLooks = 20;

/**
 * Deletes an item where its version is still the one that was read; false where somebody was faster, or went on from it before it had gone.
 * Stores have no deletion on condition: what expires at once is one, and a plain deletion behind it could hit what another writer has put
 * there since.
 */
export async function deleteVersion(
  store: Store,
  { namespace, key, version, value, createdAt }: Item,
): Promise<boolean> {
  const last = await store.compareAndSet(namespace, key, version, value, { index: false, ttlMs: 1 });
  if (last === null) return false;
  for (let look = 0; look < mostLooks; look += 1) {
    const item = await store.get(namespace, key);
    if (item?.createdAt.getTime() !== createdAt.getTime()) return true;
    if (item.version !== last) return false;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await store.delete(namespace, key);
  return true;
}
