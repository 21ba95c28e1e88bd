import type { Item } from "../../store/index.ts";
import { memoryRecord } from "../record.ts";
import type { MemoryRecord } from "../types.ts";
import { applyStep, type StepOutcome } from "./apply-step.ts";
import { type Batch, batchEvent, type EngineCore } from "./core.ts";
import { removeMemories, removeTraces } from "./forget.ts";
import { factKey, isSameFact } from "./identity.ts";
import { itemsAt, movedTo } from "./known.ts";
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
    const outcomes = await Promise.all(some.map((step) => applyStep(step, batch, core)));
    some.forEach((step, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined) done.push({ step, outcome });
    });
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
  const doomed = items.filter((item) => item !== null && (since.erased || since.keys.has(item.key)));
  await removeMemories(
    core,
    namespace,
    doomed.filter((item) => item !== null),
    "purge",
  );
  if (since.erased) {
    await removeTraces(core, namespace, plan.steps);
    return { records: [], erased: true };
  }
  const doubles = await doublesOf(written, items, batch, core);
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

/**
 * The insertions that say what another memory was changed to say meanwhile. The change is noted before it is made and the insertion is looked
 * at behind it, so that one of the two engines sees the other. Removed only where nobody has touched them since.
 */
async function doublesOf(
  written: readonly Done[],
  items: readonly (Item | null)[],
  { namespace }: Batch,
  core: EngineCore,
): Promise<ReadonlySet<string>> {
  const contents = items.map((item) => (item === null ? "" : factKey(item.value)));
  const inserted = items.map((item, index) => (written[index]?.outcome.result === "inserted" ? item : null));
  const updated = items.map((item, index) => (written[index]?.outcome.result === "updated" ? item : null));
  const moved = await movedAmong(inserted, contents, namespace, core);
  const present = await presentAmong(updated, contents, namespace, core);
  const pairs = [
    ...inserted.flatMap((item, index) => pairOf(item, moved[index])),
    ...updated.flatMap((item, index) => pairOf(present[index], item)),
  ];
  const gone = new Set<string>();
  for (const [double, kept] of pairs) {
    if (double.key === kept.key || double.version > 1 || !isSameFact(double.value, kept.value)) continue;
    // A conditional deletion: what expires at once is gone, and only where its version is still the one that was read.
    const options = { index: false, ttlMs: 1 } as const;
    const version = await core.store.compareAndSet(
      namespace,
      double.key,
      double.version,
      double.value,
      options,
    );
    if (version !== null) gone.add(double.key);
  }
  return gone;
}

function pairOf(double: Item | null | undefined, kept: Item | null | undefined): [Item, Item][] {
  return double && kept ? [[double, kept]] : [];
}

async function movedAmong(
  inserted: readonly (Item | null)[],
  contents: readonly string[],
  namespace: readonly string[],
  { store }: EngineCore,
): Promise<(Item | undefined)[]> {
  const places = inserted.flatMap((item, index) => (item === null ? [] : [index]));
  const found = await movedTo(
    store,
    namespace,
    places.map((index) => contents[index] ?? ""),
  );
  return inserted.map((_, index) => found[places.indexOf(index)]);
}

async function presentAmong(
  updated: readonly (Item | null)[],
  contents: readonly string[],
  namespace: readonly string[],
  { store }: EngineCore,
): Promise<(Item | null | undefined)[]> {
  const places = updated.flatMap((item, index) => (item === null ? [] : [index]));
  const found = await itemsAt(
    store,
    namespace,
    places.map((index) => contents[index] ?? ""),
  );
  return updated.map((_, index) => found[places.indexOf(index)]);
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
