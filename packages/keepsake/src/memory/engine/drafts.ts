import { isRecord } from "../../util/index.ts";
import { memoryText } from "../record.ts";
import type { Fact, MemoryValue, TranscriptMessage } from "../types.ts";
import { type Batch, batchEvent, type EngineCore } from "./core.ts";
import { dateInWords } from "./date-in-words.ts";
import { defined } from "./defined.ts";
import { factKey, isSameFact, topicOf } from "./identity.ts";
import type { RememberOptions } from "./types.ts";

/** A fact as a memory of its own, before it is known whether it will be one. */
export interface Draft {
  /** Where it goes if no other fact is there. */
  readonly key: string;
  readonly value: MemoryValue;
}

/** The facts of a batch as memories, each once. What is no fact is reported and left out. */
export async function draftsOf(
  facts: readonly unknown[],
  transcript: readonly TranscriptMessage[],
  batch: Batch,
  options: RememberOptions,
  core: EngineCore,
): Promise<Draft[]> {
  const drafts: Draft[] = [];
  const byKey = new Map<string, Draft[]>();
  for (const given of facts) {
    const fact = await checkedFact(given, core);
    if (typeof fact === "string") {
      core.reporter.emit({ type: "fact_refused", ...batchEvent(batch), reason: fact });
      continue;
    }
    const value = valueFor(fact, transcript, batch, options);
    const draft = { key: factKey(value), value };
    const alike = byKey.get(draft.key) ?? [];
    if (alike.some((other) => isSameFact(other.value, value))) continue;
    byKey.set(draft.key, [...alike, draft]);
    drafts.push(draft);
  }
  return drafts;
}

/** The fact, or why it is none. */
async function checkedFact(given: unknown, { schemas, checksFacts }: EngineCore): Promise<Fact | string> {
  const fact: unknown = typeof given === "string" ? { content: given } : given;
  if (!isFact(fact)) return `it is of type ${given === null ? "null" : typeof given}, not a fact`;
  const { kind, content } = fact;
  if (content === undefined || content === null) return "it has no content";
  if (memoryText(content).trim() === "") return "its content is empty";
  const schema = kind === undefined ? undefined : schemas.get(kind);
  if (schema === undefined || !checksFacts) return fact;
  const checked = await schema.check(content);
  if ("problems" in checked) return `it is no ${schema.name}: ${checked.problems.join("; ")}`;
  return { ...fact, content: checked.content };
}

function isFact(value: unknown): value is Fact {
  return isRecord(value);
}

function valueFor(
  fact: Fact,
  transcript: readonly TranscriptMessage[],
  { threadId }: Batch,
  options: RememberOptions,
): MemoryValue {
  const ids = fact.messageIds ?? [];
  const said = transcript.find(({ id }) => id !== undefined && id === ids[0]);
  const at = said?.at?.toISOString();
  const categories = [...new Set([...(fact.categories ?? []), ...(options.categories ?? [])])];
  const date = fact.eventDate === undefined ? undefined : dateInWords(fact.eventDate);
  return {
    kind: fact.kind ?? "memory",
    content: fact.content,
    ...defined({
      role: fact.role ?? said?.role,
      name: fact.name ?? said?.name,
      at,
      eventDate: fact.eventDate,
      date,
      subject: fact.subject,
      attribute: fact.attribute,
      topic: topicOf(fact),
      threadId,
      categories: categories.length > 0 ? categories : undefined,
      importance: options.importance ?? fact.importance,
      source: options.source,
      private: options.private === true ? true : undefined,
      metadata: options.metadata && { ...options.metadata },
      messageIds: ids.length > 0 ? [...ids] : undefined,
    }),
  };
}
