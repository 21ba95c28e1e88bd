import {
  type HostStore,
  isKeepsakeStore,
  type NamespaceTemplate,
  placeIn,
  type StoredMemory,
} from "../../store/index.ts";
import { transcriptParts } from "../extract/transcript-parts.ts";
import type { MemoryModel } from "../models/types.ts";
import { memoryText } from "../record.ts";
import type { TranscriptMessage } from "../types.ts";
import { type DefaultMemory, defaultKey, type MakeDefault } from "./default-memory.ts";
import { findMemories, idOf, proposedQueries, queriesOf } from "./find.ts";
import { type ManageProblem, manage } from "./manage.ts";
import { type ManagerInput, type ManagerSettings, readInput, runTask } from "./memory-manager.ts";
import { type ManagerConfig, type OpenRun, openRun } from "./open-run.ts";
import { defaultPhaseInstructions, defaultSearchPrompt } from "./prompts.ts";
import { storedMemory } from "./stored-value.ts";
import { createWorkingSet, type WorkingSet } from "./working-set.ts";
import { changeNames, epochsOf, type PlannedWrite, type WriteOutcome, write } from "./write.ts";
import { type PlanBook, planBook, type WritePlan } from "./write-plan.ts";

/** A further pass over the memories of a run, after the messages were read and before anything is written. */
export interface MemoryPhase {
  /** Default: merge and complete what overlaps. */
  readonly instructions?: string;
  /** Show the messages again. Default false. */
  readonly includeMessages?: boolean;
  /** Default true. */
  readonly enableInserts?: boolean;
  /** Default true. */
  readonly enableDeletes?: boolean;
}

/** A memory that was written. */
export interface MemoryPut {
  readonly namespace: string[];
  readonly key: string;
  /** `{ kind, content }`, and what stood beside them. */
  readonly value: Record<string, unknown>;
}

/** What a run has done. */
export interface StoreManagerResult {
  readonly puts: MemoryPut[];
  readonly deletes: { readonly namespace: string[]; readonly key: string }[];
  /** What the model asked for and could not be done, though it was shown why, or because the memory has changed meanwhile. */
  readonly problems: ManageProblem[];
}

/** What a manager with a store is made of, once checked. */
export interface StoreManagerParts {
  readonly settings: ManagerSettings;
  readonly phases: readonly MemoryPhase[];
  readonly store: HostStore | undefined;
  readonly template: NamespaceTemplate;
  readonly queryLimit: number;
  readonly queryModel: MemoryModel | undefined;
  readonly makeDefault: MakeDefault;
}

const nothing: StoreManagerResult = { puts: [], deletes: [], problems: [] };

/** One run: find, ask, write. A delivery that comes again goes on where its plan was left. */
export async function runStoreManager(
  input: ManagerInput,
  config: ManagerConfig | undefined = {},
  parts: StoreManagerParts,
): Promise<StoreManagerResult> {
  const run = openRun("createMemoryStoreManager", parts, config);
  const book = bookOf(run, config, parts);
  const earlier = await book?.load();
  if (earlier === "done") return nothing;
  const { transcript, maxSteps } = readInput(input);
  if (earlier === undefined && transcript.length === 0) return nothing;
  const decided =
    earlier === undefined ? await decide({ transcript, maxSteps, config, run }, parts) : undefined;
  const plan = await settled(earlier ?? decided, book);
  if (plan === undefined) return nothing;
  const written = await carryOut(plan, run, config, parts);
  await book?.finish();
  return { ...written, problems: [...(decided?.problems ?? []), ...written.problems] };
}

/** The plan that holds: another worker of the same delivery may have made one meanwhile. */
async function settled(
  plan: WritePlan | undefined,
  book: PlanBook | undefined,
): Promise<WritePlan | undefined> {
  if (plan === undefined || book === undefined) return plan;
  const { writes, epochs } = plan;
  const holds = await book.settle({ writes, epochs });
  return holds === "done" ? undefined : holds;
}

function bookOf(
  { store, namespace }: OpenRun,
  { deliveryId }: ManagerConfig,
  parts: StoreManagerParts,
): PlanBook | undefined {
  if (deliveryId === undefined || !isKeepsakeStore(store)) return undefined;
  const { schemas, instructions } = parts.settings;
  return planBook(store, namespace, [deliveryId, instructions, ...schemas.map(({ name }) => name)]);
}

interface Turn {
  readonly transcript: readonly TranscriptMessage[];
  readonly maxSteps: number;
  readonly config: ManagerConfig;
  readonly run: OpenRun;
}

interface Decided extends WritePlan {
  readonly problems: ManageProblem[];
}

/** Everything that a model takes part in; nothing is written. */
async function decide(turn: Turn, parts: StoreManagerParts): Promise<Decided> {
  const { settings, makeDefault } = parts;
  const { run, config, transcript, maxSteps } = turn;
  const own = await epochsOf(run.store, [run.namespace]);
  const stored = await recall(turn, parts);
  const begun = stored.some((item) => idOf(item) === defaultId(run))
    ? undefined
    : await makeDefault?.(config);
  const found = await epochsOf(
    run.store,
    stored.map(({ namespace }) => namespace),
  );
  const epochs = [...new Map([...found, ...own])];
  const set = await createWorkingSet(
    [
      ...(begun === undefined ? [] : [{ id: defaultId(run), ...begun }]),
      ...stored.map((item) => ({ id: idOf(item), ...readItem(item) })),
    ],
    settings.schemas,
  );
  const { signal } = config;
  const shownParts = transcriptParts(transcript);
  const problems = await runTask(settings, async (task) => {
    const found: ManageProblem[] = [];
    for (const part of shownParts)
      found.push(...(await manage(set, { ...task, transcript: part, maxSteps, signal })));
    for (const phase of parts.phases) {
      const { instructions = defaultPhaseInstructions, includeMessages = false } = phase;
      const may = {
        inserts: phase.enableInserts ?? true,
        updates: true,
        deletes: phase.enableDeletes ?? true,
      };
      for (const shown of includeMessages ? shownParts : [undefined])
        found.push(
          ...(await manage(set, { ...task, instructions, may, transcript: shown, maxSteps: 1, signal })),
        );
    }
    return found;
  });
  return { writes: writesOf(set, stored, begun, run), epochs, problems };
}

function readItem({ value }: StoredMemory): { kind: string | undefined; content: unknown } {
  const { kind, shape } = storedMemory(value);
  return { kind, content: shape.isWrapped ? shape.fields.content : shape.fields };
}

/** The memories that bear on the messages; in a profile's place it is looked for by its key first. */
async function recall({ transcript, config, run }: Turn, parts: StoreManagerParts): Promise<StoredMemory[]> {
  const { settings, queryModel, queryLimit, makeDefault } = parts;
  const proposed =
    queryModel === undefined
      ? []
      : await proposedQueries({
          ...{ model: queryModel, transcript, prompt: defaultSearchPrompt, signal: config.signal },
          onCall: (call) => settings.tell({ type: "model_call", ...call }),
        });
  const shownParts = transcriptParts(transcript);
  const queries = proposed.length > 0 ? proposed : shownParts.flatMap(queriesOf);
  const [profile, found] = await Promise.all([
    makeDefault === undefined ? null : placeIn(run.store, run.namespace).get(defaultKey),
    findMemories({ ...run, queries, limit: queryLimit * shownParts.length }),
  ]);
  const first = profile === null ? [] : [{ ...profile, namespace: run.namespace }];
  return [...first, ...found.filter((item) => first.length === 0 || idOf(item) !== defaultId(run))];
}

function defaultId({ namespace }: OpenRun): string {
  return idOf({ namespace, key: defaultKey });
}

/** What the working set has become, as writes; what is as it was is not written. */
function writesOf(
  set: WorkingSet,
  stored: readonly StoredMemory[],
  begun: DefaultMemory | undefined,
  run: OpenRun,
): PlannedWrite[] {
  const byId = new Map(stored.map((item) => [idOf(item), item]));
  return set.all().flatMap((entry): PlannedWrite[] => {
    const { kind, fields, patches, isRemoved, isNew, id } = entry;
    if (isNew) return isRemoved ? [] : [{ action: "insert", kind, fields }];
    const item = byId.get(id);
    if (item === undefined) {
      if (isRemoved || begun === undefined || id !== defaultId(run)) return [];
      return [{ action: "begin", key: defaultKey, kind, fields, patches }];
    }
    const { namespace, key, version = null } = item;
    if (isRemoved) return [{ action: "delete", namespace, key, version }];
    return patches.length === 0 ? [] : [{ action: "update", namespace, key, patches }];
  });
}

async function carryOut(
  { writes, epochs }: WritePlan,
  { store, namespace }: OpenRun,
  { deliveryId, signal }: ManagerConfig,
  { settings }: StoreManagerParts,
): Promise<StoreManagerResult> {
  const { schemas, now } = settings;
  const texts = writes.flatMap((planned) =>
    planned.action === "insert" ? [memoryText(planned.fields).slice(0, 500)] : [],
  );
  const alike =
    texts.length === 0
      ? []
      : await findMemories({ store, namespace, queries: texts, limit: 5 * texts.length });
  const run = {
    store,
    namespace,
    schemas,
    now,
    epochs: new Map(epochs),
    alike,
    changeOf: changeNames(deliveryId),
  };
  const outcomes: WriteOutcome[] = [];
  const problems: ManageProblem[] = [];
  for (const [place, planned] of writes.entries()) {
    signal?.throwIfAborted();
    const outcome = await write(planned, place, run);
    tellOf(outcome, planned, settings);
    if (outcome.done === "failed") problems.push({ action: planned, problem: outcome.problem });
    outcomes.push(outcome);
  }
  return {
    problems,
    puts: outcomes.flatMap((outcome) => {
      if (outcome.done !== "inserted" && outcome.done !== "updated") return [];
      const { namespace: labels, key, value } = outcome;
      return [{ namespace: labels, key, value }];
    }),
    deletes: outcomes.flatMap(({ done, namespace: labels, key }) =>
      done === "deleted" ? [{ namespace: labels, key }] : [],
    ),
  };
}

function tellOf(outcome: WriteOutcome, planned: PlannedWrite, { tell }: ManagerSettings): void {
  const { done, namespace, key } = outcome;
  if (done === "failed") tell({ type: "failed", action: planned, problem: outcome.problem });
  else tell({ type: done, namespace, key, ...("reason" in outcome ? { reason: outcome.reason } : {}) });
}
