import type { Namespace, Store } from "../../store/index.ts";
import { hash128, isRecord } from "../../util/index.ts";
import type { MemoryValue } from "../types.ts";
import { deleteVersion } from "./delete-version.ts";
import type { Epoch } from "./marks.ts";
import { keptMs, spaceOf } from "./spaces.ts";

/** What becomes of one fact. Once planned it stays, whoever carries it out, and however often. */
export interface Step {
  readonly action: "insert" | "update" | "skip";
  /** Names the version that this step writes, so that it is written once. */
  readonly change: string;
  /** Where the fact goes as a memory of its own; for an update or a skip the key of the memory that it is about. */
  readonly key: string;
  /** The fact as a memory of its own. */
  readonly value: MemoryValue;
  /** An update's new content: text, or the fields to change of a record. */
  readonly content?: unknown;
  /** The hash of the content that the update was decided upon. */
  readonly base?: string;
  readonly reason?: string;
}

/** All that becomes of a batch. */
export interface Plan {
  /** When the batch was begun: what is forgotten later is not written. */
  readonly epoch: Epoch;
  readonly steps: readonly Step[];
}

/** A stored plan: one to carry out, or one that was. */
export type StoredPlan = Plan | "done";

/** The plan of a delivery, if an earlier attempt has made one. */
export async function loadPlan(
  store: Store,
  namespace: Namespace,
  deliveryId: string,
): Promise<StoredPlan | undefined> {
  const item = await store.get(spaceOf("plans", namespace), hash128(deliveryId));
  return item === null ? undefined : planIn(item.value);
}

/** Stores a plan, unless another worker of the same delivery was first; gives the plan that holds. */
export async function settlePlan(
  store: Store,
  namespace: Namespace,
  deliveryId: string,
  plan: Plan,
): Promise<StoredPlan> {
  const space = spaceOf("plans", namespace);
  const options = { index: false, ttlMs: keptMs } as const;
  for (;;) {
    const version = await store.compareAndSet(space, hash128(deliveryId), null, { ...plan }, options);
    if (version !== null) return plan;
    const other = await loadPlan(store, namespace, deliveryId);
    if (other !== undefined) return other;
  }
}

/** Shrinks a plan to the note that it is done. */
export async function finishPlan(store: Store, namespace: Namespace, deliveryId: string): Promise<void> {
  const space = spaceOf("plans", namespace);
  await store.put(space, hash128(deliveryId), { done: true }, false, { ttlMs: keptMs });
}

/** Removes what a plan, made while its namespace was erased, still says. */
export async function dropPlan(
  store: Store,
  namespace: Namespace,
  deliveryId: string,
  { epoch }: Plan,
): Promise<void> {
  const item = await store.get(spaceOf("plans", namespace), hash128(deliveryId));
  if (item === null) return;
  const stored = planIn(item.value);
  // Another attempt, begun behind the erasure, may have planned anew.
  if (stored !== "done" && String(stored.epoch) === String(epoch)) await deleteVersion(store, item);
}

function planIn(value: unknown): StoredPlan {
  if (!isRecord(value) || !Array.isArray(value.steps) || !Array.isArray(value.epoch)) return "done";
  return { epoch: value.epoch.map(Number), steps: value.steps.filter(isStep) };
}

function isStep(value: unknown): value is Step {
  return (
    isRecord(value) &&
    typeof value.key === "string" &&
    typeof value.change === "string" &&
    isRecord(value.value)
  );
}
