import type { Store } from "../../store/index.ts";
import { hash128, isRecord } from "../../util/index.ts";
import type { Epoch } from "../engine/marks.ts";
import { keptMs, spaceOf } from "../engine/spaces.ts";
import type { PlannedWrite } from "./write.ts";

/** What was decided about a delivery, before anything of it is written. */
export interface WritePlan {
  readonly writes: readonly PlannedWrite[];
  readonly epochs: readonly (readonly [namespace: string, epoch: Epoch])[];
}

/** The plans of one manager: another one decides about the same delivery for itself. */
export interface PlanBook {
  /** The plan of an earlier attempt; `"done"` where it was carried out. */
  load(): Promise<WritePlan | "done" | undefined>;
  /** Stores a plan, unless another worker was first; gives the one that holds. */
  settle(plan: WritePlan): Promise<WritePlan | "done">;
  finish(): Promise<void>;
}

/** Where the plan of a delivery is kept, for 30 days. */
export function planBook(
  store: Store,
  namespace: readonly string[],
  parts: readonly (string | undefined)[],
): PlanBook {
  const space = spaceOf("plans", namespace);
  const key = hash128(JSON.stringify(["manager", ...parts]));
  const options = { index: false, ttlMs: keptMs } as const;
  const load: PlanBook["load"] = async () => {
    const item = await store.get(space, key);
    return item === null ? undefined : planIn(item.value);
  };
  return {
    load,
    async settle(plan) {
      const version = await store.compareAndSet(space, key, null, { ...plan }, options);
      return version === null ? ((await load()) ?? plan) : plan;
    },
    finish: () => store.put(space, key, { done: true }, false, { ttlMs: keptMs }),
  };
}

/** Plans are written by this file alone. */
function planIn(value: Record<string, unknown>): WritePlan | "done" {
  return isPlan(value) ? value : "done";
}

function isPlan(value: unknown): value is WritePlan {
  return isRecord(value) && Array.isArray(value.writes) && Array.isArray(value.epochs);
}
