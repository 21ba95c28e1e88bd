import { hash128, isObject, isRecord } from "../util/index.ts";
import { idOf } from "./names.ts";
import { readMessage } from "./read-message.ts";
import type { Reading } from "./reading.ts";
import type { MessageRole, MessageView } from "./view.ts";

/** What decides where a message may stand in a window, as bits: a list is judged by them without touching its messages. */
export const trait = {
  startsTurn: 1,
  human: 2,
  ai: 4,
  /** Makes calls that a later message must answer. */
  calls: 8,
  /** Answers calls. */
  result: 16,
  /** Never leaves by itself: system, function, or of an unknown role. */
  fixed: 32,
  /** Of a user or an assistant, and without any content. */
  blank: 64,
  /** Seen by no provider: of an unknown role, or blank. */
  hidden: 128,
  /** A reasoning item: it goes with the items of the same answer that follow it. */
  binds: 256,
  /** One of the items that an assistant's answer consists of. */
  item: 512,
  /** Pinned by the format's own mark. */
  pinned: 1024,
  /** The ids of its calls must be unlike those of every other message. */
  uniqueCalls: 2048,
} as const;

const traitsOfRole: Readonly<Record<MessageRole, number>> = {
  human: trait.human,
  ai: trait.ai,
  tool: trait.result,
  system: trait.fixed,
  function: trait.fixed,
  other: trait.fixed | trait.hidden,
};

/** All that is known of one message: kept as long as its content stays the same. */
export interface MessageRecord extends Reading {
  view: MessageView;
  /** The id as the host wrote it. */
  id: unknown;
  /** The {@link trait}s of the message, as bits. */
  readonly traits: number;
  readonly content: unknown;
  readonly contentLength: number;
  readonly toolCalls: unknown;
  /** Hash of role, text, calls and results, once it was asked for. */
  contentHash: string | undefined;
  /** The counter that `tokens` came from, so that no message is counted twice. */
  counter: unknown;
  tokens: number;
}

const records = new WeakMap<object, MessageRecord>();

/**
 * The record of a message; `undefined` for what cannot be read: a primitive, `null`, an array, an object that throws.
 *
 * Cached per object. The id is read live, since hosts set ids late; content and calls are compared by identity and length, since hosts
 * stream into messages.
 */
export function recordOf(message: unknown): MessageRecord | undefined {
  if (!isObject(message)) return undefined;
  const known = records.get(message);
  try {
    if (known !== undefined && isCurrent(known, message)) return known;
    return isRecord(message) ? remember(message) : undefined;
  } catch {
    return undefined;
  }
}

/** What a message held when it was read, kept apart from its record: what a list is compared by at every call. */
export interface Stamps {
  readonly contents: unknown[];
  /** How much the contents held; -1 where that cannot tell. */
  readonly sizes: number[];
  readonly toolCalls: unknown[];
  readonly ids: unknown[];
}

/** Notes what a message holds, at the end. */
export function stamp({ contents, sizes, toolCalls, ids }: Stamps, record: MessageRecord | undefined): void {
  contents.push(record?.content);
  sizes.push(record?.pending.length === 0 ? record.contentLength : -1);
  toolCalls.push(record?.toolCalls);
  ids.push(record?.id);
}

/** True where the message at an index still holds what it held; looks at its record only where that cannot tell. */
export function isStamped(stamps: Stamps, index: number, message: unknown): boolean {
  if (!isRecord(message)) return false;
  const { content: own } = message;
  const content = own === undefined ? (message.parts ?? message.output ?? message.arguments) : own;
  if (content === undefined || content !== stamps.contents[index]) return false;
  if (typeof content === "object" && lengthOf(content) !== stamps.sizes[index]) return false;
  return message.tool_calls === stamps.toolCalls[index] && message.id === stamps.ids[index];
}

/** True where the record still says all that there is to say of the message. */
export function isUnchanged(record: MessageRecord | undefined, message: unknown): boolean {
  if (record === undefined || !isObject(message)) return record === undefined && !isObject(message);
  try {
    return record.body.id === record.id && isCurrent(record, message);
  } catch {
    return false;
  }
}

function isCurrent(record: MessageRecord, message: object): boolean {
  const { body, content, contentKey, pending } = record;
  if (body !== message && !holds(message, body)) return false;
  const current = contentKey === "content" ? body.content : body[contentKey];
  if (current !== content || body.tool_calls !== record.toolCalls) return false;
  if (typeof content === "object" && lengthOf(content) !== record.contentLength) return false;
  if (pending.length > 0 && pending.some(({ part, key, value }) => part[key] !== value)) return false;
  if (body.id !== record.id) {
    record.id = body.id;
    record.view = { ...record.view, id: idOf(body.id) };
  }
  return true;
}

/** True while an envelope still holds the body that was read. */
function holds(message: object, body: unknown): boolean {
  return isRecord(message) && (message.data === body || message.kwargs === body);
}

function remember(message: Record<string, unknown>): MessageRecord {
  const reading = readMessage(message);
  const { body, contentKey } = reading;
  const { [contentKey]: content, tool_calls: toolCalls } = body;
  // Written out, and what is compared at every call first: a spread makes records whose fields are slow to read.
  const record: MessageRecord = {
    body,
    content,
    toolCalls,
    id: body.id,
    contentLength: lengthOf(content),
    contentKey,
    pending: reading.pending,
    traits: traitsOf(reading),
    counter: undefined,
    tokens: 0,
    view: reading.view,
    parts: reading.parts,
    calls: reading.calls,
    blank: reading.blank,
    asks: reading.asks,
    answers: reading.answers,
    nature: reading.nature,
    contentHash: undefined,
  };
  records.set(message, record);
  return record;
}

function traitsOf({ view, blank, asks, answers, nature }: Reading): number {
  let traits = traitsOfRole[view.role];
  if (view.startsTurn) traits |= trait.startsTurn;
  if (asks.length > 0 || nature.offers !== undefined) traits |= trait.calls;
  if (answers.length > 0) traits |= trait.result;
  if (nature.binds) traits |= trait.binds;
  if (nature.item) traits |= trait.item;
  if (nature.pinned) traits |= trait.pinned;
  if (nature.uniqueCalls) traits |= trait.uniqueCalls;
  return blank ? traits | trait.blank | trait.hidden : traits;
}

/** How much a list of parts holds: it grows with each part, and with the text that is streamed into the last one. */
function lengthOf(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  const last: unknown = content[content.length - 1];
  const text = isObject(last) && "text" in last ? last.text : undefined;
  return content.length * 2 ** 32 + (typeof text === "string" ? text.length : 0);
}

/** The hash of a message's role, text, calls and results: the content part of its identity. */
export function contentHashOf(message: unknown): string {
  const record = recordOf(message);
  if (record === undefined) return hash128("");
  if (record.contentHash === undefined) {
    const { role, text, calls, results } = record.view;
    record.contentHash = hash128(JSON.stringify([role, text, calls, results]));
  }
  return record.contentHash;
}
