import { canonicalJson } from "../../util/index.ts";
import { dataLine, excerpt } from "../prompts.ts";
import type { Fact, MemoryRecord, Proposal } from "../types.ts";

/** A fact as it was shown. */
export interface ShownFact {
  /** Its place among the proposals. */
  readonly index: number;
  readonly fact: Fact;
  /** False where only an excerpt was shown. */
  readonly whole: boolean;
  /** The memories that may be named for it, by their labels. */
  readonly nearest: ReadonlyMap<string, ShownMemory>;
}

/** A memory as it was shown. */
export interface ShownMemory {
  readonly record: MemoryRecord;
  /** False where only an excerpt was shown. */
  readonly whole: boolean;
}

/** What a model is asked, and what its labels stand for. */
export interface Question {
  readonly facts: ReadonlyMap<string, ShownFact>;
  readonly factLines: string;
  readonly memoryLines: string;
  /** How many facts with memories near them are not asked about, as there was no room. */
  readonly leftOut: number;
}

/** Characters shown of a fact or a memory. */
const shownLength = 1500;
/** Characters of all that is shown: by `estimateTokens` about 20 000 tokens of English, 70 000 of Chinese. */
const questionLength = 100_000;

/**
 * Puts facts and their nearest memories under short labels. Facts with nothing near are not asked about. Where all together would be too
 * much, each fact is shown with fewer memories, and if that is not enough, the last facts are not asked about.
 */
export function questionOf(proposals: readonly Proposal[]): Question {
  let candidates = proposals.reduce((most, { nearest }) => Math.max(most, nearest.length), 1);
  let question = ask(proposals, candidates);
  while (question.leftOut > 0 && candidates > 1) {
    candidates -= 1;
    question = ask(proposals, candidates);
  }
  return question;
}

function ask(proposals: readonly Proposal[], candidates: number): Question {
  const facts = new Map<string, ShownFact>();
  const memories = new Map<string, LabelledMemory>();
  const lines: string[] = [];
  let left = questionLength;
  for (const [index, { fact, nearest }] of proposals.entries()) {
    if (nearest.length === 0) continue;
    const near = nearest.slice(0, candidates).map((record) => labelledMemory(record, memories));
    const label = `f${index + 1}`;
    const { text, whole } = textOf(fact.content);
    const line = dataLine({ id: label, ...factView(fact, text), nearest: near.map(({ label }) => label) });
    const fresh = near.filter(({ isShown }) => !isShown);
    left -= [line, ...fresh.map((memory) => memory.line)].reduce((sum, { length }) => sum + length + 1, 0);
    if (left < 0) break;
    for (const memory of near) memory.isShown = true;
    lines.push(line);
    facts.set(label, { index, fact, whole, nearest: new Map(near.map((memory) => [memory.label, memory])) });
  }
  const shown = [...memories.values()].filter(({ isShown }) => isShown);
  return {
    facts,
    factLines: lines.join("\n"),
    memoryLines: shown.map(({ line }) => line).join("\n"),
    leftOut: proposals.filter(({ nearest }) => nearest.length > 0).length - facts.size,
  };
}

interface LabelledMemory extends ShownMemory {
  readonly label: string;
  readonly line: string;
  isShown: boolean;
}

/** A memory under the label that it has, or under a new one. */
function labelledMemory(record: MemoryRecord, known: Map<string, LabelledMemory>): LabelledMemory {
  const id = JSON.stringify([record.namespace, record.key]);
  const old = known.get(id);
  if (old !== undefined) return old;
  const label = `m${known.size + 1}`;
  const { text, whole } = textOf(record.content);
  const line = dataLine({ id: label, ...memoryView(record, text) });
  const memory = { record, whole, label, line, isShown: false };
  known.set(id, memory);
  return memory;
}

function factView({ kind, subject, attribute, role, name, eventDate }: Fact, content: string): object {
  return { content, ...known({ kind, subject, attribute, saidBy: name ?? role, date: eventDate }) };
}

function memoryView(record: MemoryRecord, content: string): object {
  const { kind, subject, attribute, role, name, eventDate, at } = record;
  return {
    content,
    ...known({
      kind: kind === "memory" ? undefined : kind,
      subject,
      attribute,
      saidBy: name ?? role,
      date: eventDate,
      said: at?.toISOString().slice(0, 10),
    }),
  };
}

function known(view: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(
    Object.entries(view).flatMap(([key, value]) => (value ? [[key, excerpt(value, 100)]] : [])),
  );
}

function textOf(content: unknown): { readonly text: string; readonly whole: boolean } {
  const text = typeof content === "string" ? content : (canonicalJson(content) ?? String(content));
  return { text: excerpt(text, shownLength), whole: text.length <= shownLength };
}
