import { hash128, isRecord } from "../util/index.ts";
import { readMessage } from "./read-message.ts";
import { idOf, type Reading } from "./reading.ts";
import type { MessageView } from "./view.ts";

/** All that is known of one message: kept as long as its content stays the same. */
export interface MessageRecord extends Reading {
  view: MessageView;
  /** The id as the host wrote it. */
  id: unknown;
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
  if (typeof message !== "object" || message === null) return undefined;
  const known = records.get(message);
  try {
    if (known !== undefined && isCurrent(known, message)) return known;
    return isRecord(message) ? remember(message) : undefined;
  } catch {
    return undefined;
  }
}

function isCurrent(record: MessageRecord, message: object): boolean {
  const { body, content } = record;
  if (body !== message && !holds(message, body)) return false;
  if (body.content !== content || body.tool_calls !== record.toolCalls) return false;
  if (typeof content === "object" && lengthOf(content) !== record.contentLength) return false;
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

function remember(message: Record<string, unknown>): MessageRecord | undefined {
  const reading = readMessage(message);
  if (reading === undefined) return undefined;
  const { content, tool_calls: toolCalls } = reading.body;
  const record: MessageRecord = {
    ...reading,
    id: reading.body.id,
    content,
    contentLength: lengthOf(content),
    toolCalls,
    contentHash: undefined,
    counter: undefined,
    tokens: 0,
  };
  records.set(message, record);
  return record;
}

function lengthOf(content: unknown): number {
  return Array.isArray(content) ? content.length : 0;
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
