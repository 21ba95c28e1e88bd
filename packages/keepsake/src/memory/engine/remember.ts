import { KeepsakeError } from "../../errors/index.ts";
import {
  checkOptions,
  isBoolean,
  isObject,
  isRecord,
  type OptionKind,
  untilAborted,
} from "../../util/index.ts";
import { messagesIn } from "../extract/messages-in.ts";
import { transcriptOf } from "../extract/transcript.ts";
import type { Fact, MemoryRecord, TranscriptMessage } from "../types.ts";
import { applyPlan } from "./apply-plan.ts";
import { type Batch, batchEvent, type EngineCore, modelContext } from "./core.ts";
import { draftsOf } from "./drafts.ts";
import { makePlan } from "./make-plan.ts";
import { currentEpoch } from "./marks.ts";
import { dropPlan, finishPlan, loadPlan, type Plan, type StoredPlan, settlePlan } from "./plan.ts";
import type { RememberOptions } from "./types.ts";

const isText: OptionKind = ["a string", (value) => typeof value === "string"];
const isName: OptionKind = [
  "a string that is not empty",
  (value) => typeof value === "string" && value !== "",
];

const kinds: Readonly<Record<keyof RememberOptions, OptionKind>> = {
  categories: [
    "a list of strings",
    (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  ],
  importance: ["a number from 0 to 1", (value) => typeof value === "number" && value >= 0 && value <= 1],
  source: isName,
  private: isBoolean,
  metadata: ["an object", isRecord],
  extract: isBoolean,
  threadId: isText,
  deliveryId: isName,
  signal: ["an AbortSignal", (value) => isObject(value) && "aborted" in value],
};

/** Remembers what messages or texts say; gives the memories that were written. */
export async function rememberContent(
  core: EngineCore,
  content: unknown,
  namespace: readonly string[],
  options: RememberOptions,
): Promise<readonly MemoryRecord[]> {
  checkOptions("remember", options, kinds);
  const { threadId, deliveryId, signal } = options;
  const batch: Batch = { namespace, threadId, deliveryId, signal };
  signal?.throwIfAborted();
  const messages = messagesIn("remember", content);
  const earlier = deliveryId === undefined ? undefined : await loadPlan(core.store, namespace, deliveryId);
  if (earlier !== undefined) core.reporter.emit({ type: "replayed", ...batchEvent(batch) });
  const plan = earlier ?? (await planOf(messages, batch, options, core));
  if (plan === "done") return [];
  return carryOut(plan, batch, core);
}

async function planOf(
  messages: readonly unknown[],
  batch: Batch,
  options: RememberOptions,
  core: EngineCore,
): Promise<StoredPlan> {
  const epoch = await currentEpoch(core.store, batch.namespace);
  const transcript = transcriptOf(messages);
  const { extract = true } = options;
  const facts = extract ? await extracted(transcript, batch, core) : transcript.map((said) => asFact(said));
  const drafts = await draftsOf(facts, transcript, batch, options, core);
  const plan = await makePlan(drafts, epoch, batch, core, { consolidate: extract });
  const { deliveryId } = batch;
  return deliveryId === undefined ? plan : settlePlan(core.store, batch.namespace, deliveryId, plan);
}

async function extracted(
  transcript: readonly TranscriptMessage[],
  batch: Batch,
  core: EngineCore,
): Promise<readonly unknown[]> {
  if (transcript.length === 0) return [];
  try {
    const found = Promise.resolve(core.extract(transcript, modelContext(batch, core)));
    const facts: unknown = await untilAborted(found, batch.signal);
    if (!Array.isArray(facts))
      throw new KeepsakeError("invalid_input", "The extractor gave no list of facts.");
    core.reporter.emit({ type: "extracted", ...batchEvent(batch), count: facts.length });
    return facts;
  } catch (error) {
    core.reporter.emit({ type: "failed", ...batchEvent(batch), phase: "extract", error });
    throw error;
  }
}

/** What was said, as it was said. */
function asFact({ text, role, name, id }: TranscriptMessage): Fact {
  return { content: text, role, name, messageIds: id === undefined ? undefined : [id] };
}

async function carryOut(plan: Plan, batch: Batch, core: EngineCore): Promise<readonly MemoryRecord[]> {
  const { namespace, deliveryId } = batch;
  try {
    const { records, erased } = await applyPlan(plan, batch, core);
    if (deliveryId !== undefined && erased) await dropPlan(core.store, namespace, deliveryId, plan);
    else if (deliveryId !== undefined) await finishPlan(core.store, namespace, deliveryId);
    core.reporter.countBatch();
    return records;
  } catch (error) {
    core.reporter.emit({ type: "failed", ...batchEvent(batch), phase: "write", error });
    throw error;
  }
}
