import type { Item } from "../../store/index.ts";
import { memoryRecord } from "../record.ts";
import type { MemoryRecord } from "../types.ts";
import { applyStep, type StepOutcome } from "./apply-step.ts";
import { type Batch, batchEvent, type EngineCore } from "./core.ts";
import { type FreshMemory, removeDoubles } from "./doubles.ts";
import { removeMemories, removeTraces } from "./forget.ts";
import { factKey } from "./identity.ts";
import { itemsAt } from "./known.ts";
import { forgottenSince } from "./marks.ts";
import type { Plan, Step } from "./plan.ts";

/** So many steps are under way at once; each is about a memory of its own. */
const concurrency = 16;

interface Done {
  readonly step: Step;
  readonly outcome: StepOutcome;
}

/** What a plan came to. */
export interface Applied {
  /** The memories that were written, as they are now. */
  readonly records: readonly MemoryRecord[];
  /** True where the namespace was erased meanwhile: nothing of the batch is left. */
  readonly erased: boolean;
}

/**
 * Carries out a plan; steps that are done already do nothing. What was forgotten since the batch began is not written: checked before, and
 * once more behind the writes, as a forgetting may come between.
 */
export async function applyPlan(plan: Plan, batch: Batch, core: EngineCore): Promise<Applied> {
  const { store } = core;
  const writing = plan.steps.filter(({ action }) => action !== "skip");
  for (const step of plan.steps) if (step.action === "skip") report("skipped", step, batch, core);
  const before = await forgottenSince(
    store,
    batch.namespace,
    plan.epoch,
    writing.map((step) => planned(step, core)),
  );
  if (before.erased) return { records: [], erased: true };
  const wanted = writing.filter((step) => !before.keys.has(step.key));
  for (const step of writing)
    if (before.keys.has(step.key)) report("skipped", step, batch, core, "forgotten");
  const done = await applyAll(wanted, batch, core);
  return settle(done, plan, batch, core);
}

async function applyAll(steps: readonly Step[], batch: Batch, core: EngineCore): Promise<Done[]> {
  const done: Done[] = [];
  for (let start = 0; start < steps.length; start += concurrency) {
    batch.signal?.throwIfAborted();
    const some = steps.slice(start, start + concurrency);
    const settled = await Promise.allSettled(
      some.map(async (step) => ({ step, outcome: await applyStep(step, batch, core) })),
    );
    for (const one of settled) {
      if (one.status === "rejected") throw one.reason;
      done.push(one.value);
    }
  }
  return done;
}

/** Looks at what was written: removes what was forgotten meanwhile, and what another engine's change made a duplicate. */
async function settle(done: readonly Done[], plan: Plan, batch: Batch, core: EngineCore): Promise<Applied> {
  const { namespace } = batch;
  const written = done.filter(({ outcome }) => outcome.key !== undefined && outcome.result !== "skipped");
  const keys = written.map(({ outcome }) => outcome.key ?? "");
  const items = await itemsAt(core.store, namespace, keys);
  const records = items.map((item) => (item === null ? undefined : memoryRecord(item, core.settings)));
  const since = await forgottenSince(
    core.store,
    namespace,
    plan.epoch,
    records.filter((record) => record !== undefined),
  );
  const present = items.filter((item) => item !== null);
  const doomed = present.filter(({ key }) => since.erased || since.keys.has(key));
  const changes = new Set<unknown>(plan.steps.map(({ change }) => change));
  await removeMemories(core, namespace, doomed, {
    history: "leave",
    isMeant: ({ value }) => changes.has(value.change),
  });
  if (since.erased) {
    await removeTraces(core, namespace, plan.steps);
    return { records: [], erased: true };
  }
  const doubles = await removeDoubles(freshOf(written, items), namespace, core);
  const kept: MemoryRecord[] = [];
  for (const [index, { step, outcome }] of written.entries()) {
    const record = records[index];
    const double = doubles.has(keys[index] ?? "");
    if (record === undefined || since.keys.has(record.key)) report("skipped", step, batch, core, "forgotten");
    else if (double) report("skipped", step, batch, core, "duplicate");
    else {
      kept.push(record);
      if (outcome.result !== "done") report(outcome.result, { ...step, key: record.key }, batch, core);
    }
  }
  for (const { step, outcome } of done)
    if (outcome.result === "skipped")
      report("skipped", { ...step, key: outcome.key ?? step.key }, batch, core, outcome.reason);
  return { records: kept, erased: false };
}

function freshOf(written: readonly Done[], items: readonly (Item | null)[]): FreshMemory[] {
  return written.flatMap(({ step, outcome: { result } }, index) => {
    const item = items[index];
    const isFresh = result === "inserted" || result === "updated";
    const contentKey = step.action === "insert" || item == null ? step.key : factKey(item.value);
    return isFresh && item ? [{ result, contentKey, item }] : [];
  });
}

/** A step's memory as far as it decides whether it was forgotten. */
function planned(
  { key, value }: Step,
  { settings }: EngineCore,
): Pick<MemoryRecord, "key" | "categories" | "createdAt"> {
  return { key, categories: value.categories ?? [], createdAt: new Date(settings.now()) };
}

function report(
  type: "inserted" | "updated" | "skipped",
  { key, reason }: Step,
  batch: Batch,
  { reporter }: EngineCore,
  why: string | undefined = reason,
): void {
  reporter.emit({ type, ...batchEvent(batch), key, reason: why });
}
