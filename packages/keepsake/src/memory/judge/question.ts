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
}

/** Characters shown of a fact or a memory. */
const shownLength = 1500;
/** Characters of all that is shown, about 25 000 tokens. */
const questionLength = 100_000;

/**
 * Puts facts and their nearest memories under short labels. Facts with nothing near are not asked about. Where all together would be too much, each
 * fact is shown with fewer memories, and if that is not enough, the last facts are not asked about.
 */
export function questionOf(proposals: readonly Proposal[]): Question {
  const most = Math.max(0, ...proposals.map(({ nearest }) => nearest.length));
  for (let candidates = most; candidates > 1; candidates -= 1) {
    const question = ask(proposals, candidates, Number.POSITIVE_INFINITY);
    if (question.factLines.length + question.memoryLines.length <= questionLength) return question;
  }
  return ask(proposals, 1, questionLength);
}

function ask(proposals: readonly Proposal[], candidates: number, limit: number): Question {
  const facts = new Map<string, ShownFact>();
  const labels = new Map<string, string>();
  const lines = { facts: [] as string[], memories: [] as string[] };
  let left = limit;
  for (const [index, { fact, nearest }] of proposals.entries()) {
    const near = nearest.slice(0, candidates);
    if (near.length === 0) continue;
    const fresh = near.filter((record) => !labels.has(idOf(record)));
    const named = new Map(fresh.map((record, place) => [idOf(record), `m${labels.size + place + 1}`]));
    const labelOf = (record: MemoryRecord): string =>
      labels.get(idOf(record)) ?? named.get(idOf(record)) ?? "";
    const shown = textOf(fact.content);
    const line = dataLine({
      id: `f${index + 1}`,
      ...factView(fact, shown.text),
      nearest: near.map(labelOf),
    });
    const memories = [...new Map(fresh.map((record) => [idOf(record), record])).values()].map((record) =>
      dataLine({ id: labelOf(record), ...memoryView(record) }),
    );
    left -= [line, ...memories].reduce((sum, { length }) => sum + length + 1, 0);
    if (left < 0) break;
    for (const [id, label] of named) labels.set(id, label);
    lines.facts.push(line);
    lines.memories.push(...memories);
    const byLabel = near.map(
      (record) => [labelOf(record), { record, whole: textOf(record.content).whole }] as const,
    );
    facts.set(`f${index + 1}`, { index, fact, whole: shown.whole, nearest: new Map(byLabel) });
  }
  return { facts, factLines: lines.facts.join("\n"), memoryLines: lines.memories.join("\n") };
}

function idOf({ namespace, key }: MemoryRecord): string {
  return JSON.stringify([namespace, key]);
}

function factView({ kind, subject, attribute, role, name, eventDate }: Fact, content: string): object {
  return { content, ...known({ kind, subject, attribute, saidBy: name ?? role, date: eventDate }) };
}

function memoryView({ kind, content, subject, attribute, role, name, eventDate, at }: MemoryRecord): object {
  return {
    content: textOf(content).text,
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
  const short = (value: string): string => excerpt(value, 100);
  return Object.fromEntries(
    Object.entries(view).flatMap(([key, value]) => (value ? [[key, short(value)]] : [])),
  );
}

function textOf(content: unknown): { text: string; whole: boolean } {
  const text = typeof content === "string" ? content : (canonicalJson(content) ?? String(content));
  return { text: excerpt(text, shownLength), whole: text.length <= shownLength };
}
