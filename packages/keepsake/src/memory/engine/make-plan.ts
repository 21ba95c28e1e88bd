import { hash128 } from "../../util/index.ts";
import type { MemoryRecord } from "../types.ts";
import type { Batch, EngineCore } from "./core.ts";
import { verdictsOn } from "./decide.ts";
import type { Draft } from "./drafts.ts";
import { contentHash } from "./identity.ts";
import { sameAs } from "./known.ts";
import type { Epoch } from "./marks.ts";
import { surroundingsOf } from "./nearest.ts";
import type { Plan, Step } from "./plan.ts";

/** How facts are weighed against what is there. */
export interface PlanOptions {
  /** False: only exact duplicates are left out. Default true. */
  readonly consolidate?: boolean;
}

/** Decides what becomes of facts: exact duplicates are left out without a model, for the rest the consolidator is asked, once. */
export async function makePlan(
  drafts: readonly Draft[],
  epoch: Epoch,
  batch: Batch,
  core: EngineCore,
  { consolidate = true }: PlanOptions = {},
): Promise<Plan> {
  const known = await sameAs(core.store, batch.namespace, drafts);
  const open = drafts.filter((_, index) => known[index] === undefined);
  const isWeighed = consolidate && core.settings.consolidationThreshold < 1;
  const around = isWeighed ? await surroundingsOf(open, batch, core) : [];
  const surroundings = new Map(open.map((draft, index) => [draft, around[index]]));
  const candidates = open.flatMap((draft) => {
    const { same, nearest = [] } = surroundings.get(draft) ?? {};
    return same === undefined && nearest.length > 0 ? [{ draft, nearest }] : [];
  });
  const verdicts = await verdictsOn(candidates, batch, core);
  const changeOf = namesOfChanges(batch);
  const steps = drafts.map((draft, index): Step => {
    const { value } = draft;
    const change = changeOf(index);
    const same = known[index] ?? surroundings.get(draft)?.same?.key;
    if (same !== undefined) return { action: "skip", change, key: same, value, reason: "duplicate" };
    const verdict = verdicts.get(draft);
    if (verdict === undefined) return { action: "insert", change, key: draft.key, value };
    const { action, target, content, reason } = verdict;
    const because = reason === undefined ? {} : { reason };
    if (action === "skip") return { action, change, key: target.key, value, ...because };
    return { action, change, key: target.key, value, content, base: baseOf(target), ...because };
  });
  return { epoch, steps };
}

function baseOf(target: MemoryRecord): string {
  return contentHash(target.content);
}

/** The same for each attempt of a delivery. */
function namesOfChanges({ deliveryId }: Batch): (index: number) => string {
  const stem = deliveryId ?? crypto.randomUUID();
  return (index) => hash128(`${stem} ${index}`);
}
