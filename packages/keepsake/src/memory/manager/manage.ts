import { KeepsakeError } from "../../errors/index.ts";
import { callModel, type ModelCall } from "../models/model-call.ts";
import type { MemoryModel, ModelAnswer, ModelRequest } from "../models/types.ts";
import { dataLine, excerpt, fillPrompt, timeForModel } from "../prompts.ts";
import type { MemorySchema } from "../schemas.ts";
import type { TranscriptMessage } from "../types.ts";
import { readAnswer, shownAnswer } from "./ask.ts";
import { manageParts, managerSystem } from "./prompts.ts";
import { type Permissions, type ReadChange, type ReadReply, readReply, replySchema } from "./reply.ts";
import type { Change, Outcome, WorkingSet } from "./working-set.ts";

/** What a model is asked to do with a working set. */
export interface ManageTask {
  readonly model: MemoryModel;
  readonly schemas: readonly MemorySchema[];
  readonly instructions: string;
  readonly may: Permissions;
  /** None for a task that is about the memories alone. */
  readonly transcript: readonly TranscriptMessage[] | undefined;
  readonly maxSteps: number;
  readonly now: Date;
  readonly signal: AbortSignal | undefined;
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

/** An action that was not carried out, after the model was shown why. */
export interface ManageProblem {
  /** The action as the model wrote it. */
  readonly action: unknown;
  readonly problem: string;
}

/**
 * Lets a model act on a working set: one call per step, one more where something of it could not be carried out. What remains then is
 * returned, and the rest stands.
 *
 * @throws {KeepsakeError} extraction_failed: twice no answer that could be read; and what the provider throws
 */
export async function manage(set: WorkingSet, task: ManageTask): Promise<ManageProblem[]> {
  const problems: ManageProblem[] = [];
  const log: string[] = [];
  if (task.transcript?.length === 0) return problems;
  for (let step = 0; step < task.maxSteps && canAct(set, task.may); step += 1) {
    const { outcomes, isDone, failed } = await takeStep(set, task, log);
    problems.push(...failed);
    log.push(...outcomes.map(({ done, entry }) => `${done} ${entry.label}`));
    if (isDone || outcomes.every(({ done }) => done === "unchanged")) break;
  }
  return problems;
}

type Done = Extract<Outcome, { done: string }>;

interface Applied {
  readonly outcomes: Done[];
  readonly failed: ManageProblem[];
}

async function takeStep(
  set: WorkingSet,
  task: ManageTask,
  log: readonly string[],
): Promise<Applied & { readonly isDone: boolean }> {
  const request = requestFor(set, task, log);
  const answer = await callModel(task.model, request, "manage", task.onCall);
  const reply = readOf(answer, task);
  if (reply === undefined) {
    const again = await askAgain(
      task,
      request,
      manageParts.unreadable,
      answer,
      "it holds no list of actions",
    );
    const second = readOf(again, task);
    if (second === undefined) throw unreadable(task, again);
    return { ...(await applyAll(set, second.changes, task)), isDone: second.isDone };
  }
  const first = await applyEach(set, reply.changes);
  if (first.failed.length === 0) return { ...first, isDone: reply.isDone };
  const lines = first.failed.map(({ action, problem }) => `- ${dataLine(action)}: ${problem}`).join("\n");
  const again = await askAgain(task, requestFor(set, task, log), manageParts.rest, answer, lines);
  const rest = readOf(again, task)?.changes;
  const second =
    rest === undefined ? { outcomes: [], failed: first.failed } : await applyAll(set, rest, task);
  return { outcomes: [...first.outcomes, ...second.outcomes], failed: second.failed, isDone: reply.isDone };
}

/** Carries out what can be, and what then remains as safely as can be. */
async function applyAll(set: WorkingSet, changes: readonly ReadChange[], task: ManageTask): Promise<Applied> {
  const { outcomes, failed } = await applyEach(set, changes);
  const remaining: ManageProblem[] = [];
  for (const failure of failed) {
    const saved = await insertInstead(set, failure, changes, task);
    if (saved === undefined) remaining.push(failure);
    else outcomes.push(saved);
  }
  return { outcomes, failed: remaining };
}

async function applyEach(set: WorkingSet, changes: readonly ReadChange[]): Promise<Applied> {
  const outcomes: Done[] = [];
  const failed: ManageProblem[] = [];
  for (const read of changes) {
    const outcome = "change" in read ? await set.apply(read.change) : read;
    if ("problem" in outcome) failed.push({ action: read.given, problem: outcome.problem });
    else outcomes.push(outcome);
  }
  return { outcomes, failed };
}

/** An update of a memory that is not there is news, if it says enough to be a memory of its own. */
async function insertInstead(
  set: WorkingSet,
  { action }: ManageProblem,
  changes: readonly ReadChange[],
  { schemas, may }: ManageTask,
): Promise<Done | undefined> {
  const read = changes.find(({ given }) => given === action);
  if (!may.inserts || read === undefined || !("change" in read)) return undefined;
  const { change } = read;
  if (change.action !== "update" || isKnown(set, change)) return undefined;
  for (const { name } of schemas) {
    const outcome = await set.apply({ action: "insert", kind: name, content: change.patch });
    if (!("problem" in outcome)) return outcome;
  }
  return undefined;
}

function isKnown(set: WorkingSet, { label }: Extract<Change, { label: string }>): boolean {
  return set.present().some((entry) => entry.label === label || entry.id === label);
}

function canAct(set: WorkingSet, may: Permissions): boolean {
  return may.inserts || ((may.updates || may.deletes) && set.present().length > 0);
}

function readOf(answer: ModelAnswer, { schemas, may }: ManageTask): ReadReply | undefined {
  const read = readAnswer(answer, (value) => readReply(value, schemas, may));
  if (read === undefined || read.isComplete) return read?.value;
  const brokenOff = { given: "the end of the answer", problem: "the answer broke off before its end" };
  return { ...read.value, changes: [...read.value.changes, brokenOff] };
}

async function askAgain(
  task: ManageTask,
  request: ModelRequest,
  part: string,
  answer: ModelAnswer,
  problems: string,
): Promise<ModelAnswer> {
  const note = fillPrompt(part, { answer: shownAnswer(answer), problems });
  return callModel(task.model, { ...request, prompt: `${request.prompt}\n\n${note}` }, "repair", task.onCall);
}

function requestFor(set: WorkingSet, task: ManageTask, log: readonly string[]): ModelRequest {
  const present = set.present();
  const memories = present.map(({ label, kind, fields }) => dataLine({ id: label, kind, content: fields }));
  const { transcript, now, may, schemas, instructions, signal } = task;
  const parts = [
    fillPrompt(manageParts.time, { now: timeForModel(now) }),
    memories.length > 0 ? fillPrompt(manageParts.memories, { memories: memories.join("\n") }) : "",
    transcript === undefined ? "" : transcriptPart(transcript),
    log.length > 0 ? fillPrompt(manageParts.done, { done: log.join("\n") }) : "",
    manageParts.task,
  ];
  return {
    system: `${managerSystem}\n\n${instructions.trim()}`,
    prompt: parts.filter((part) => part !== "").join("\n\n"),
    schema: replySchema(schemas, present, may),
    schemaName: "memory_actions",
    signal,
  };
}

/** A conversation as models are shown it: a line of JSON per message, with its speaker. */
export function transcriptPart(transcript: readonly TranscriptMessage[]): string {
  const speakers: Readonly<Record<string, string>> = { human: "user", ai: "assistant" };
  const lines = transcript.map(({ role, name, at, text }) => {
    return dataLine({ from: speakers[role] ?? role, name, at: at?.toISOString(), text });
  });
  return fillPrompt(manageParts.transcript, { transcript: lines.join("\n") });
}

function unreadable({ model }: ManageTask, answer: ModelAnswer): KeepsakeError {
  const shown = excerpt(shownAnswer(answer), 500);
  return new KeepsakeError(
    "extraction_failed",
    `The model ${model.name} has twice given no answer that could be read, so nothing was remembered of these messages. Offer them again. The last answer was: ${shown}`,
    { data: { model: model.name, answer: shown } },
  );
}
