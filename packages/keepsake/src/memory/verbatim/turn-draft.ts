import { contentHashOf, recordOf, viewOf } from "../../message/index.ts";
import { canonicalJson, hash128 } from "../../util/index.ts";
import { dateInWords, isoTime } from "./timestamp.ts";

/** A message as it will be stored, before it has a place in the conversation. */
export interface TurnDraft {
  readonly key: string;
  readonly role: string;
  readonly content: string;
  readonly name?: string;
  readonly at?: string;
  readonly date?: string;
  readonly threadId?: string;
}

/** Where a message comes from: its thread, its delivery, and its place in that delivery. */
export interface Origin {
  readonly threadId: string | undefined;
  readonly deliveryId: string;
  readonly index: number;
}

/** Reads a message for storing. `time` is what the app says of when it was made. */
export function turnDraft(message: unknown, time: unknown, origin: Origin): TurnDraft {
  const { role, name } = viewOf(message);
  const at = isoTime(time);
  return {
    key: turnKey(message, origin),
    role,
    content: contentOf(message),
    ...(name === undefined ? {} : { name }),
    ...(at === undefined ? {} : { at, date: dateInWords(at) }),
    ...(origin.threadId === undefined ? {} : { threadId: origin.threadId }),
  };
}

/**
 * The key of a message, 32 hex digits: from its identity, so that it is stored once however often it is delivered; without an id from the
 * delivery and its place there, so that two messages that say the same stay two.
 */
function turnKey(message: unknown, { threadId, deliveryId, index }: Origin): string {
  const { id } = viewOf(message);
  const parts = id === undefined ? [deliveryId, index] : [threadId ?? null, id, contentHashOf(message)];
  return hash128(JSON.stringify(parts));
}

/** The text of a message and a line for each of its tool calls. What cannot be read as a message is kept as JSON. */
function contentOf(message: unknown): string {
  const record = recordOf(message);
  if (record === undefined) return canonicalJson(message) ?? String(message);
  const calls = record.calls.map(({ name, input }) => `[call ${name} ${inputText(input)}]`);
  return [record.view.text, ...calls].filter((text) => text !== "").join("\n");
}

function inputText(input: unknown): string {
  return typeof input === "string" ? input : (canonicalJson(input) ?? "");
}
