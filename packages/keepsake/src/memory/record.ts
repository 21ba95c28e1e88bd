import type { Item } from "../store/index.ts";
import { canonicalJson, isRecord, type Json } from "../util/index.ts";
import type { MemoryRecord } from "./types.ts";

/** What a memory counts as where its value does not say. */
export interface RecordDefaults {
  /** From 0 to 1. */
  readonly defaultImportance: number;
}

/**
 * The memory that a store item holds, whoever wrote it: the engine, the memory tools (`{ content }`), langmem (`{ kind, content }`), or an
 * app with a value of its own, which then is the content as a whole. A field of an unexpected type counts as missing.
 */
export function memoryRecord(item: Item, { defaultImportance }: RecordDefaults): MemoryRecord {
  const { value } = item;
  return {
    namespace: [...item.namespace],
    key: item.key,
    kind: text(value.kind) ?? "memory",
    content: Object.hasOwn(value, "content") ? value.content : value,
    categories: texts(value.categories),
    importance: share(value.importance) ?? defaultImportance,
    source: text(value.source) ?? null,
    private: value.private === true,
    metadata: isJsonRecord(value.metadata) ? value.metadata : {},
    role: text(value.role),
    name: text(value.name),
    at: date(value.at),
    eventDate: text(value.eventDate),
    subject: text(value.subject),
    attribute: text(value.attribute),
    threadId: text(value.threadId),
    messageIds: texts(value.messageIds),
    createdAt: date(value.created_at) ?? item.createdAt,
    updatedAt: item.updatedAt,
    lastAccessedAt: date(value.last_accessed),
    version: item.version,
  };
}

/** What a memory says, in words: its text, the text of langmem's `{ content }`, else its fields as JSON. */
export function memoryText(content: unknown): string {
  if (typeof content === "string") return content;
  if (isRecord(content)) {
    const { content: inner, ...others } = content;
    if (typeof inner === "string" && Object.keys(others).length === 0) return inner;
  }
  return canonicalJson(content) ?? String(content);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((part): part is string => typeof part === "string") : [];
}

function share(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
}

function date(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** What a store returns is JSON throughout. */
function isJsonRecord(value: unknown): value is Record<string, Json> {
  return isRecord(value);
}
