import type { JsonSchema } from "../../schema/index.ts";
import { isRecord } from "../../util/index.ts";
import { answerValues } from "../models/answer-values.ts";
import type { ModelAnswer } from "../models/types.ts";
import type { Decision } from "../types.ts";
import type { Question, ShownFact } from "./question.ts";

/** What a model has to answer. Everything is required and "" means none: the form that every provider can hold a model to. */
export const decisionSchema: JsonSchema = {
  type: "object",
  properties: {
    decisions: {
      type: "array",
      items: {
        type: "object",
        properties: {
          fact: { type: "string", description: 'The id of the fact, such as "f1"' },
          action: { type: "string", enum: ["insert", "update", "skip"] },
          memory: {
            type: "string",
            description: 'The id of the memory to update, or that says the same; ""',
          },
          content: { type: "string", description: 'For update: the sentence that is to stand; ""' },
          reason: { type: "string", description: "Why, in a few words" },
        },
        required: ["fact", "action", "memory", "content", "reason"],
        additionalProperties: false,
      },
    },
  },
  required: ["decisions"],
  additionalProperties: false,
};

/** A decision that cannot be followed, and why; nothing of it that could hold words of a memory. */
export interface RefusedDecision {
  /** `fact` is -1 where there is no such fact, `action` "insert" where there is no such action: that is what is done. */
  readonly decision: Pick<Decision, "fact" | "action" | "target">;
  readonly reason: string;
}

/** What an answer says of the facts. */
export interface ReadDecisions {
  /** Those that can be followed, in the order of the facts. */
  readonly decisions: readonly Decision[];
  /** Why the others cannot, and what else is missing. */
  readonly problems: readonly string[];
  readonly refused: readonly RefusedDecision[];
}

/** The decisions of an answer. */
export function readDecisions(answer: ModelAnswer, question: Question): ReadDecisions {
  const items = itemsIn(answer);
  const read = items.map((item) => readDecision(item, question));
  const wrong = read.flatMap((outcome) => ("problem" in outcome ? [outcome] : []));
  const problems = wrong.map(({ problem }) => problem);
  const refused: RefusedDecision[] = wrong.map(({ decision, reason }) => ({ decision, reason }));
  const decisions = new Map<number, Decision>();
  const disputed = new Set<number>();
  for (const decision of read) {
    if ("problem" in decision) continue;
    const other = decisions.get(decision.fact);
    if (other !== undefined && !isSame(other, decision)) disputed.add(decision.fact);
    else decisions.set(decision.fact, other ?? decision);
  }
  for (const fact of disputed) {
    const { action = "insert", target } = decisions.get(fact) ?? {};
    decisions.delete(fact);
    refused.push({ decision: { fact, action, target }, reason: "there are two decisions about the fact" });
    problems.push(`There are two decisions about f${fact + 1}.`);
  }
  const undecided = [...question.facts].filter(([, { index }]) => !decisions.has(index));
  if (undecided.length > 0 && problems.length === 0)
    problems.push(`There is no decision about ${undecided.map(([label]) => label).join(", ")}.`);
  if (question.leftOut > 0) problems.push(`There was no room to ask about ${question.leftOut} of the facts.`);
  if (items.length === 0 && !holdsList(answer))
    refused.push({ decision: noDecision, reason: "the answer holds no decisions" });
  const inOrder = [...decisions.values()].sort((left, right) => left.fact - right.fact);
  return { decisions: inOrder, problems, refused };
}

const noDecision: RefusedDecision["decision"] = { fact: -1, action: "insert", target: undefined };

/** True for `{"decisions":[]}`, which says that all facts are news. */
function holdsList(answer: ModelAnswer): boolean {
  return answerValues(answer).some(({ value }) =>
    [value, ...(isRecord(value) ? Object.values(value) : [])].some(Array.isArray),
  );
}

function itemsIn(answer: ModelAnswer): readonly unknown[] {
  return answerValues(answer).flatMap(({ value }) => {
    if (Array.isArray(value)) return value.filter(isDecisionLike);
    if (!isRecord(value)) return [];
    const list = Object.values(value).find((held) => Array.isArray(held) && held.some(isDecisionLike));
    return Array.isArray(list) ? list : isDecisionLike(value) ? [value] : [];
  });
}

function isDecisionLike(item: unknown): boolean {
  return isRecord(item) && "action" in item && "fact" in item;
}

interface WrongDecision extends RefusedDecision {
  readonly problem: string;
}

/** A decision, or what is wrong with it. */
function readDecision(item: unknown, question: Question): Decision | WrongDecision {
  const wrong = (
    problem: string,
    reason: string,
    decision: RefusedDecision["decision"] = noDecision,
  ): WrongDecision => ({ problem, reason, decision });
  if (!isRecord(item)) return wrong("One decision is no object.", "it is none");
  const label = labelIn(item.fact, "f");
  const shown = question.facts.get(label);
  if (shown === undefined) return wrong(`No fact is called ${quoted(item.fact)}.`, "there is no such fact");
  const fact = shown.index;
  const action = String(item.action).trim().toLowerCase();
  const reason = wordsOf(item.reason);
  const why = reason === undefined ? {} : { reason };
  if (action === "insert") return { fact, action, ...why };
  if (action !== "update" && action !== "skip") {
    const problem = `${label}: there is no action ${quoted(item.action)}.`;
    return wrong(problem, "there is no such action", { ...noDecision, fact });
  }
  const memory = shown.nearest.get(labelIn(item.memory, "m"));
  if (memory === undefined) {
    const problem = `${label}: no memory near it is called ${quoted(item.memory)}.`;
    const rule = "its target is none of the memories shown for the fact";
    return wrong(problem, rule, { fact, action, target: undefined });
  }
  const target = memory.record.key;
  // On what it saw in part, a model can only be trusted to add.
  if (!shown.whole || (action === "update" && !memory.whole))
    return wrong(`${label}: it was shown in part only.`, "it was shown in part only", {
      fact,
      action,
      target,
    });
  if (action === "skip") return { fact, action, target, ...why };
  return { fact, action, target, ...contentOf(item, shown), ...why };
}

/** Records are merged by the engine; only a sentence can be written anew. */
function contentOf(item: Readonly<Record<string, unknown>>, { fact }: ShownFact): { content?: string } {
  const content = typeof fact.content === "string" ? wordsOf(item.content) : undefined;
  return content === undefined ? {} : { content };
}

function isSame(left: Decision, right: Decision): boolean {
  return left.action === right.action && left.target === right.target && left.content === right.content;
}

/** A label as it was given out, whatever a model wrote around it. */
function labelIn(label: unknown, letter: string): string {
  const number = /^\s*\[?([a-z]?)(\d{1,9})\]?\s*$/i.exec(String(label));
  const [, prefix = "", digits = ""] = number ?? [];
  return prefix === "" || prefix.toLowerCase() === letter ? `${letter}${digits}` : "";
}

function wordsOf(given: unknown): string | undefined {
  return typeof given === "string" && given.trim() !== "" ? given.trim() : undefined;
}

function quoted(given: unknown): string {
  return (JSON.stringify(given) ?? "nothing").slice(0, 60);
}
