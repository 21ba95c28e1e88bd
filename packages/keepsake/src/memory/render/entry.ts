import { isRecord } from "../../util/index.ts";
import { memoryText } from "../record.ts";
import { oneLine } from "./one-line.ts";

/** What is shown of a memory. */
export interface Entry {
  readonly text: string;
  /** When it was said, else when it was last changed: `2023-05-08`. */
  readonly day: string | undefined;
  readonly speaker: string | undefined;
  /** What day, month or year it is about. */
  readonly eventDate: string | undefined;
  readonly source: string | undefined;
  /** The name of a typed memory's schema. */
  readonly kind: string | undefined;
}

const speakers: Readonly<Record<string, string>> = { human: "user", ai: "assistant" };
const labelLength = 60;

/** Reads a match of `recall`, a memory, an item of any store, the value of one, or a text. */
export function entryOf(given: unknown): Entry {
  const item = isRecord(given) && isRecord(given.record) ? given.record : given;
  const value = isRecord(item) && isRecord(item.value) ? item.value : item;
  if (!isRecord(value)) return { ...nothing, text: memoryText(value) };
  const times = [value.at, ...[item, value].flatMap(changesOf)];
  return {
    text: textIn(Object.hasOwn(value, "content") ? value.content : value),
    day: times.map(dayOf).find((day) => day !== undefined),
    speaker: speakerOf(label(value.role), label(value.name)),
    eventDate: label(value.eventDate),
    source: label(value.source),
    kind: value.kind === "memory" || value.kind === "turn" ? undefined : label(value.kind),
  };
}

/** Of an item that holds nothing there is nothing to show. */
function textIn(content: unknown): string {
  const isNothing = content === null || (isRecord(content) && Object.keys(content).length === 0);
  return isNothing ? "" : memoryText(content);
}

/** The words before a memory's text: `2023-05-08, Asha (user), about 2023-03`. */
export function describeEntry({ day, speaker, eventDate, source, kind }: Entry): string {
  const about = eventDate === undefined ? undefined : `about ${eventDate}`;
  const from = source === undefined ? undefined : `source ${source}`;
  const parts = [day ?? "undated", speaker, kind, about, from];
  return parts.filter((part) => part !== undefined).join(", ");
}

const nothing: Omit<Entry, "text"> = {
  day: undefined,
  speaker: undefined,
  eventDate: undefined,
  source: undefined,
  kind: undefined,
};

function changesOf(holder: unknown): unknown[] {
  return isRecord(holder) ? [holder.updatedAt, holder.updated_at, holder.createdAt, holder.created_at] : [];
}

function dayOf(time: unknown): string | undefined {
  if (!(time instanceof Date) && typeof time !== "string") return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}

function speakerOf(role: string | undefined, name: string | undefined): string | undefined {
  const who = role && (speakers[role] ?? role);
  return name && who ? `${name} (${who})` : (name ?? who);
}

/** A short text that ends no bracket. */
function label(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = oneLine(value.slice(0, labelLength).replace(/[[\]]/g, " ")).trim();
  return text === "" ? undefined : text;
}
