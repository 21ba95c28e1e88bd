import { isRecord } from "../../util/index.ts";
import { answerValues } from "../models/answer-values.ts";
import type { ModelAnswer } from "../models/types.ts";
import type { SalvagedValue } from "../salvage.ts";
import type { Fact, TranscriptMessage } from "../types.ts";
import { eventDateOf } from "./event-date.ts";
import type { Kind } from "./fact-schema.ts";
import { labelled } from "./transcript-lines.ts";

/** What an answer holds. Without problems it is all that the model had to say. */
export interface ReadFacts {
  readonly facts: readonly Fact[];
  /** What is wrong with the rest of it, in sentences for the model. */
  readonly problems: readonly string[];
  /** The same for reports: they quote nothing of the answer. */
  readonly reasons: readonly string[];
  /** False where nothing in the answer is a list of facts. */
  readonly isReadable: boolean;
}

/** Reads the facts of an answer. Where nothing in it is a list of facts, that is a problem, never an empty list. */
export async function readFacts(
  answer: ModelAnswer,
  kinds: readonly Kind[],
  transcript: readonly TranscriptMessage[],
): Promise<ReadFacts> {
  const found = listsIn(answerValues(answer), kinds.length > 0);
  if (found.length === 0) {
    const problem = nothingProblem(answer);
    return { facts: [], problems: [problem], reasons: [problem], isReadable: false };
  }
  const items = found.flatMap(({ items }) => items);
  const read = await Promise.all(items.map((item) => readFact(item, kinds, transcript)));
  const refused = read.flatMap((fact, index) =>
    "problem" in fact ? [{ problem: fact.problem, item: items[index], index }] : [],
  );
  const cut = found.every(({ complete }) => complete) ? [] : [cutProblem];
  return {
    facts: read.flatMap((fact) => ("problem" in fact ? [] : [fact])),
    problems: [
      ...refused.map(({ problem, item, index }) => `facts[${index}] ${problem}: ${shown(item)}`),
      ...cut,
    ],
    reasons: [...refused.map(({ problem }) => `it ${problem}`), ...cut],
    isReadable: true,
  };
}

/** The text of an answer as a model can be shown it again. */
export function answerText({ value, text }: ModelAnswer): string {
  return (value === undefined ? text : JSON.stringify(value)) ?? "";
}

const cutProblem = "The answer breaks off, or goes on with what is not JSON: facts are missing.";

function nothingProblem(answer: ModelAnswer): string {
  const hasJson = answerValues(answer).some(({ value }) => typeof value === "object");
  return hasJson
    ? 'The answer holds no list of facts. It must be {"facts": […]}; {"facts": []} where there are none.'
    : 'The answer holds no JSON. It must be {"facts": […]} and nothing else; {"facts": []} where there are no facts.';
}

interface FoundList {
  readonly items: readonly unknown[];
  readonly complete: boolean;
}

const listNames: readonly string[] = ["facts", "memories", "fact", "memory", "items", "results"];
const contentNames: readonly string[] = ["content", "fact", "memory", "text", "statement"];
/** What nothing but a fact has beside its content. */
const detailNames: readonly string[] = [
  "kind",
  "messages",
  "subject",
  "attribute",
  "categories",
  "importance",
];

/** The lists of facts among the values. Those that are named so come first; only without any is a bare list or a single fact taken for one. */
function listsIn(values: readonly SalvagedValue[], typed: boolean): readonly FoundList[] {
  const named = values.flatMap(({ value, complete }) => {
    const items = namedList(value, 2);
    return items === undefined ? [] : [{ items, complete }];
  });
  if (named.length > 0) return named;
  return values.flatMap(({ value, complete, alone }) => {
    if (Array.isArray(value)) return isFactList(value, typed, alone) ? [{ items: value, complete }] : [];
    const isFact = complete && (isSingleFact(value) || (typed && isRecord(value)));
    return isFact ? [{ items: [value], complete }] : [];
  });
}

function namedList(value: unknown, depth: number): readonly unknown[] | undefined {
  if (!isRecord(value) || isSingleFact(value)) return undefined;
  const entries = Object.entries(value);
  for (const name of listNames) {
    const held = entries.find(([key]) => key.toLowerCase() === name)?.[1];
    if (Array.isArray(held)) return held;
    if (isFactLike(held)) return [held];
  }
  if (depth === 0) return undefined;
  return entries.map(([, inner]) => namedList(inner, depth - 1)).find((items) => items !== undefined);
}

/** A bare list is one of facts where each of them looks like one; texts, or none at all, only where the list is not part of a sentence. */
function isFactList(list: readonly unknown[], typed: boolean, alone: boolean): boolean {
  if (alone && list.every((item) => typeof item === "string")) return !typed || list.length === 0;
  return list.length > 0 && list.every((item) => isFactLike(item) || (typed && isRecord(item)));
}

function isFactLike(value: unknown): boolean {
  return isRecord(value) && contentNames.some((name) => typeof value[name] === "string");
}

/** True for a fact that stands where a list should. `{"content":"Sorry, I cannot"}` is none. */
function isSingleFact(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (typeof value.fact === "string" || typeof value.memory === "string") return true;
  return "content" in value && detailNames.some((name) => Object.hasOwn(value, name));
}

type Problem = { readonly problem: string };

async function readFact(
  item: unknown,
  kinds: readonly Kind[],
  transcript: readonly TranscriptMessage[],
): Promise<Fact | Problem> {
  if (kinds.length > 0) return readRecord(item, kinds, transcript);
  const content = typeof item === "string" ? item : contentIn(item);
  if (typeof content !== "string" || content.trim() === "") return { problem: "needs a content, a sentence" };
  return { content: content.trim(), ...detailsOf(item, transcript) };
}

function contentIn(item: unknown): unknown {
  if (!isRecord(item)) return undefined;
  const name = contentNames.find((name) => item[name] !== undefined && item[name] !== null);
  return name === undefined ? undefined : item[name];
}

/** A fact whose content is a record: of the kind that it names, else of the first whose schema it follows. */
async function readRecord(
  item: unknown,
  kinds: readonly Kind[],
  transcript: readonly TranscriptMessage[],
): Promise<Fact | Problem> {
  if (!isRecord(item)) return { problem: "must be an object with kind and content" };
  const named = kinds.filter(({ name }) => name === item.kind);
  const candidates = named.length > 0 ? named : kinds;
  const { kind: _kind, ...bare } = item;
  const content = item.content ?? bare;
  const problems: string[] = [];
  for (const { name, check } of candidates) {
    const checked = await check(content);
    if ("content" in checked) return { content: checked.content, kind: name, ...detailsOf(item, transcript) };
    problems.push(`is no ${name} (${checked.problems.slice(0, 8).join("; ")})`);
  }
  return { problem: problems.join(", ") };
}

/** What is said of a fact beside its content. What cannot be right is left out; who said it is told by the messages, not by the model. */
function detailsOf(item: unknown, transcript: readonly TranscriptMessage[]): Omit<Fact, "content"> {
  const given = isRecord(item) ? item : {};
  const cited = labelled(given.messages ?? given.messageIds ?? given.sources, transcript);
  const ids = cited.flatMap(({ id }) => id ?? []);
  const details = {
    categories: categoriesOf(given.categories ?? given.category),
    importance: importanceOf(given.importance),
    role: cited[0]?.role,
    name: cited[0]?.name,
    subject: wordsOf(given.subject),
    attribute: wordsOf(given.attribute),
    eventDate: eventDateOf(given.date ?? given.eventDate),
    messageIds: ids.length > 0 ? [...new Set(ids)] : undefined,
  };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

const mostCategories = 10;

function categoriesOf(given: unknown): string[] | undefined {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const categories = list.flatMap((category) => wordsOf(category) ?? []);
  return categories.length > 0 ? [...new Set(categories)].slice(0, mostCategories) : undefined;
}

function importanceOf(given: unknown): number | undefined {
  const importance = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
  if (typeof importance !== "number" || Number.isNaN(importance)) return undefined;
  return Math.min(1, Math.max(0, importance));
}

function wordsOf(given: unknown): string | undefined {
  return typeof given === "string" && given.trim() !== "" ? given.trim() : undefined;
}

function shown(item: unknown): string {
  const text = JSON.stringify(item) ?? String(item);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
