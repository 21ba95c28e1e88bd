import { KeepsakeError } from "../errors/index.ts";
import { contentHashOf, viewOf } from "../message/index.ts";
import { isPlainObject, isRecord, type Json } from "../util/index.ts";

/** How messages become JSON for an outbox, and become messages again for the hook. */
export interface MessageCodec<M = unknown> {
  encode(message: M): Json;
  decode(body: Json): M;
}

/**
 * A message as JSON that is read like the message: plain messages as they are, message objects of a framework as their fields, without
 * what LangChain keeps of how they were made. Dates and URLs become text, bytes base64.
 *
 * @throws {KeepsakeError} `unserialisable_message`, with the id of the message and the path of what has no JSON
 */
export function messageJson(message: unknown): Json {
  const id = viewOf(message).id;
  const json = jsonAt(isLangChain(message) ? fieldsOf(message) : message, "", [], id) ?? null;
  const isTheSame = isPlainObject(message) || readsAlike(message, json);
  if (!isTheSame) throw unserialisable(id, "", "reads otherwise when it is stored as its fields");
  return json;
}

/**
 * A message as a codec of the app's makes it.
 *
 * @throws {KeepsakeError} `unserialisable_message` where the codec fails, or makes what is no JSON
 */
export function encodedBy<M>(codec: MessageCodec<M>, message: M): Json {
  const id = viewOf(message).id;
  let encoded: unknown;
  try {
    encoded = codec.encode(message);
  } catch (error) {
    if (KeepsakeError.isInstance(error)) throw error;
    throw unserialisable(id, "", "failed in the codec", error);
  }
  return jsonAt(encoded, "", [], id) ?? null;
}

function isLangChain(message: unknown): message is Record<string, unknown> {
  return isRecord(message) && Array.isArray(message.lc_namespace);
}

function fieldsOf(message: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !name.startsWith("lc_")));
}

function readsAlike(message: unknown, json: Json): boolean {
  return contentHashOf(message) === contentHashOf(json) && viewOf(message).id === viewOf(json).id;
}

/** The JSON of a value, as a copy; `undefined` for a part that JSON leaves out. `above` holds what it is in. */
function jsonAt(
  value: unknown,
  path: string,
  above: readonly unknown[],
  id: string | undefined,
): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  // Within a message it is left out; in its place it would be the loss of one.
  if (value === undefined && path !== "") return undefined;
  if (typeof value !== "object") throw unserialisable(id, path, `is ${typeof value}`);
  if (above.includes(value)) throw unserialisable(id, path, "holds itself");
  if (above.length > 200) throw unserialisable(id, path, "is nested too deeply");
  const within = [...above, value];
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (ArrayBuffer.isView(value))
    return base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if ("toJSON" in value && typeof value.toJSON === "function")
    return jsonAt(value.toJSON(), path, within, id);
  if (Array.isArray(value))
    return Array.from(value, (item, index) => jsonAt(item, `${path}[${index}]`, within, id) ?? null);
  const kind = Object.prototype.toString.call(value);
  if (kind !== "[object Object]") throw unserialisable(id, path, `is a ${kind.slice(8, -1)}`);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const json = jsonAt(part, path === "" ? name : `${path}.${name}`, within, id);
      return json === undefined ? [] : [[name, json]];
    }),
  );
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8_192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return btoa(text);
}

function unserialisable(
  id: string | undefined,
  path: string,
  problem: string,
  cause?: unknown,
): KeepsakeError {
  const message = id === undefined ? "A message without an id" : `The message "${id}"`;
  const place = path === "" ? "it" : path;
  return new KeepsakeError(
    "unserialisable_message",
    `${message} cannot be kept in an outbox: ${place} ${problem}. Leave that out with redact, or give durable a codec.`,
    { cause, data: { id, path } },
  );
}
