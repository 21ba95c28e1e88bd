import type { SearchItem, Store } from "../../store/index.ts";
import type { RecallSettings } from "./types.ts";

/**
 * Writes `last_accessed` for memories that were recalled, all at once, beside their vectors, version and `updatedAt`. One that was changed or
 * removed since it was found is left as it is. What fails is logged: what was recalled is recalled all the same.
 */
export async function touchMemories(
  store: Store,
  items: readonly SearchItem[],
  { now, logger }: RecallSettings,
): Promise<void> {
  const last_accessed = new Date(now()).toISOString();
  const outcomes = await Promise.allSettled(
    items.map(({ namespace, key, value, version }) =>
      store.compareAndSet(namespace, key, version, { ...value, last_accessed }, { touch: true }),
    ),
  );
  const failures = outcomes.filter((outcome) => outcome.status === "rejected");
  const [first] = failures;
  if (first === undefined) return;
  logger.warn(
    `keepsake: \`last_accessed\` of ${failures.length} recalled memories could not be written.`,
    first.reason,
  );
}
