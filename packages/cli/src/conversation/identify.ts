import { viewOf } from "keepsake";
import { isObject } from "./is-object.ts";
import type { Message } from "./parse-conversation.ts";

/**
 * The same messages, each with an id of its own, so that a second replay of a file writes over what the first one wrote. A message without
 * an id gets one from its place; so does one whose id was used before: two messages that say the same stay two.
 */
export function identified(messages: readonly Message[]): Message[] {
  const seen = new Set<string>();
  return messages.map((message, index) => {
    const own = idOf(message);
    const id = own === undefined || seen.has(own) ? freeId(own, index, seen) : own;
    seen.add(id);
    return viewOf(message).id === id ? message : withId(message, id);
  });
}

function freeId(own: string | undefined, index: number, seen: ReadonlySet<string>): string {
  let id = own === undefined ? `#${index}` : `${own}#${index}`;
  while (seen.has(id)) id = `${id}#`;
  return id;
}

function idOf(message: Message): string | undefined {
  const { id } = bodyOf(message);
  if (typeof id === "number") return String(id);
  return viewOf(message).id;
}

/** LangChain's serialised messages hold theirs inside: `kwargs` or `data`. */
function bodyOf(message: Message): Message {
  const inside = insideOf(message);
  const body = inside === undefined ? undefined : message[inside];
  return isObject(body) ? body : message;
}

function withId(message: Message, id: string): Message {
  const inside = insideOf(message);
  if (inside === undefined) return { ...message, id };
  return { ...message, [inside]: { ...bodyOf(message), id } };
}

function insideOf(message: Message): "kwargs" | "data" | undefined {
  if (message.lc === 1 && Array.isArray(message.id) && isObject(message.kwargs)) return "kwargs";
  const isEnvelope = message.role === undefined && message.content === undefined && isObject(message.data);
  return isEnvelope ? "data" : undefined;
}
