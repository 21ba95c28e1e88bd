import { KeepsakeError } from "../../errors/index.ts";
import { isRecord, untilAborted } from "../../util/index.ts";
import type { Decision, Fact, MemoryRecord, Proposal } from "../types.ts";
import { type Batch, batchEvent, type EngineCore, modelContext } from "./core.ts";
import type { Draft } from "./drafts.ts";
import { kindOf } from "./identity.ts";
import { isAlike } from "./nearest.ts";

/** A decision that can be carried out. */
export interface Verdict {
  readonly action: "update" | "skip";
  readonly target: MemoryRecord;
  readonly content: unknown;
  readonly reason: string | undefined;
}

/** A fact beside the memories that it may change or repeat. */
export interface Candidate {
  readonly draft: Draft;
  readonly nearest: readonly MemoryRecord[];
}

/** A judge that says nothing for so long counts as failed: the facts matter more than their order. */
const judgeTimeoutMs = 120_000;

/**
 * Asks once what becomes of all facts. What cannot be carried out is reported; its fact, like each without a decision, becomes a memory of
 * its own. So do all where the judge fails.
 */
export async function verdictsOn(
  candidates: readonly Candidate[],
  batch: Batch,
  core: EngineCore,
): Promise<ReadonlyMap<Draft, Verdict>> {
  if (candidates.length === 0) return new Map();
  let decisions: readonly unknown[];
  try {
    decisions = await ask(candidates, batch, core);
  } catch (error) {
    batch.signal?.throwIfAborted();
    core.reporter.emit({ type: "failed", ...batchEvent(batch), phase: "consolidate", error });
    core.settings.logger.warn(
      "keepsake: the consolidator failed; the facts of the batch were stored as memories of their own.",
      error,
    );
    return new Map();
  }
  return check(decisions, candidates, batch, core);
}

async function ask(
  candidates: readonly Candidate[],
  batch: Batch,
  core: EngineCore,
): Promise<readonly unknown[]> {
  const proposals: Proposal[] = candidates.map(({ draft, nearest }) => ({ fact: factOf(draft), nearest }));
  const timeout = new AbortController();
  const signal = AbortSignal.any([timeout.signal, ...(batch.signal === undefined ? [] : [batch.signal])]);
  const timer = setTimeout(() => timeout.abort(tooLate()), judgeTimeoutMs);
  try {
    const asked = Promise.resolve(core.consolidate(proposals, modelContext({ ...batch, signal }, core)));
    const answer: unknown = await untilAborted(asked, signal);
    if (Array.isArray(answer)) return answer;
    throw new KeepsakeError("invalid_input", "The consolidator gave no list of decisions.");
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(): Error {
  return new Error(`The consolidator has not answered within ${judgeTimeoutMs / 1000} s.`);
}

/** A memory as the fact that it was made of. */
function factOf({ value }: Draft): Fact {
  const { kind, content, categories, importance, role, name, subject, attribute, eventDate, messageIds } =
    value;
  return { kind, content, categories, importance, role, name, subject, attribute, eventDate, messageIds };
}

function check(
  decisions: readonly unknown[],
  candidates: readonly Candidate[],
  batch: Batch,
  core: EngineCore,
): ReadonlyMap<Draft, Verdict> {
  const verdicts = new Map<Draft, Verdict>();
  const decided = new Set<number>();
  const taken = new Map<string, "update" | "skip">();
  for (const given of decisions) {
    const decision = decisionIn(given);
    const candidate = decision && candidates[decision.fact];
    const refuse = (reason: string): void => {
      const { fact = -1, action = "insert", target } = decision ?? {};
      core.reporter.emit({
        type: "decision_refused",
        ...batchEvent(batch),
        decision: { fact, action, target },
        reason,
      });
    };
    if (decision === undefined) {
      refuse("it is none");
    } else if (candidate === undefined) {
      refuse("there is no such fact");
    } else if (decided.has(decision.fact)) {
      refuse("the fact has a decision already");
    } else {
      decided.add(decision.fact);
      const verdict = verdictOf(decision, candidate, taken);
      if (typeof verdict === "string") refuse(verdict);
      else if (verdict !== undefined) {
        verdicts.set(candidate.draft, verdict);
        taken.set(verdict.target.key, taken.get(verdict.target.key) === "update" ? "update" : verdict.action);
      }
    }
  }
  return verdicts;
}

function decisionIn(given: unknown): Decision | undefined {
  return isDecision(given) ? given : undefined;
}

function isDecision(given: unknown): given is Decision {
  return (
    isRecord(given) &&
    Number.isSafeInteger(given.fact) &&
    ["insert", "update", "skip"].some((action) => action === given.action)
  );
}

/** What a decision comes to: `undefined` for an insertion, a text says why it cannot be carried out. */
function verdictOf(
  { action, target: key, content, reason }: Decision,
  { draft, nearest }: Candidate,
  taken: ReadonlyMap<string, "update" | "skip">,
): Verdict | string | undefined {
  if (action === "insert") return undefined;
  const target = nearest.find((record) => record.key === key);
  if (target === undefined) return "its target is none of the memories shown for the fact";
  const other = taken.get(target.key);
  if (other !== undefined && (other === "update" || action === "update"))
    return "another decision of the batch is about the same memory";
  const difference = differenceOf(draft.value, target, action);
  if (difference !== undefined) return difference;
  const verdict = { action, target, content: draft.value.content, reason };
  if (action === "skip" || content === undefined || content === null) return verdict;
  if (!isContentFor(draft, content)) return "its content is not of the kind of the memory";
  return { ...verdict, content };
}

/** Why a fact cannot stand for a memory; an update that mixed two people would lose one of them. */
function differenceOf(
  value: Draft["value"],
  target: MemoryRecord,
  action: "update" | "skip",
): string | undefined {
  const differs = (left: string | undefined, right: string | undefined): boolean =>
    left !== undefined && right !== undefined && !isAlike(left, right);
  if (kindOf(value) !== kindOf(target)) return "the memory is of another kind";
  if (differs(value.subject, target.subject)) return "the memory is about another subject";
  if (differs(value.attribute, target.attribute)) return "the memory is about another attribute";
  if (target.private !== (value.private === true)) return "only one of the two is private";
  if (target.source !== (value.source ?? null)) return "the memory is of another source";
  if (action === "skip") return undefined;
  if (value.role === target.role && differs(value.name, target.name)) return "another person said it";
  // A user corrects what the assistant said; the assistant does not overwrite what a user said.
  if (target.role === "human" && value.role !== undefined && value.role !== "human")
    return "the memory was said by a person, the fact was not";
  return undefined;
}

function isContentFor({ value }: Draft, content: unknown): boolean {
  return kindOf(value) === "memory"
    ? typeof content === "string" && content.trim() !== ""
    : isRecord(content);
}
