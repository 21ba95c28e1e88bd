import type { Item } from "../../store/index.ts";
import type { EngineCore } from "./core.ts";
import { deleteVersion } from "./delete-version.ts";
import { isSameFact } from "./identity.ts";
import { itemsAt, movedTo } from "./known.ts";

/** A memory that was just inserted, or changed. */
export interface FreshMemory {
  readonly result: "inserted" | "updated";
  /** The key that belongs to what it was to say. */
  readonly contentKey: string;
  readonly item: Item;
}

/**
 * Removes insertions that say what another memory was changed to say meanwhile; gives their keys. A change is noted before it is made and an
 * insertion is looked at behind it, so that one of the two engines sees the other. What somebody has touched since stays.
 */
export async function removeDoubles(
  memories: readonly FreshMemory[],
  namespace: readonly string[],
  { store }: EngineCore,
): Promise<ReadonlySet<string>> {
  const inserted = memories.filter(({ result }) => result === "inserted");
  const updated = memories.filter(({ result }) => result === "updated");
  const moved = await movedTo(
    store,
    namespace,
    inserted.map(({ contentKey }) => contentKey),
  );
  const present = await itemsAt(
    store,
    namespace,
    updated.map(({ contentKey }) => contentKey),
  );
  const pairs = [
    ...inserted.map(({ item }, index) => ({ double: item, kept: moved[index] })),
    ...updated.map(({ item }, index) => ({ double: present[index], kept: item })),
  ];
  const gone = new Set<string>();
  for (const { double, kept } of pairs) {
    if (!double || !kept || !isDouble(double, kept)) continue;
    if (await deleteVersion(store, double)) gone.add(double.key);
  }
  return gone;
}

function isDouble(double: Item, kept: Item): boolean {
  return double.key !== kept.key && double.version === 1 && isSameFact(double.value, kept.value);
}
