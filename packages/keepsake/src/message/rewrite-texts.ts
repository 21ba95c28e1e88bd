import { canonicalJson, isPlainObject, isRecord } from "../util/index.ts";
import { isBlockKey, partOf } from "./content.ts";
import { mapEntries, placeholderOf, withoutMedia } from "./json-media.ts";
import type { Body } from "./part.ts";
import { type MessageRecord, recordOf } from "./record.ts";

type Visit = (text: string) => string;

/** Where parts with a text, and results, keep it. Reasoning, arguments and ids are under other names, or in parts of another kind. */
const textKeys = [
  "text",
  "refusal",
  "logs",
  "stdout",
  "stderr",
  "content",
  "output",
  "outputs",
  "result",
  "results",
  "response",
  "parts",
  "errorText",
  "json",
  "value",
  "source",
] as const;

/** The property by which a format takes an object in place of JSON that it knows nothing of. */
const wrapper: Readonly<Record<string, (text: string) => unknown>> = {
  response: (output) => ({ output }),
  json: (output) => ({ output }),
};

/**
 * Copies a message with other texts: those of its text and result parts, in order, as `rewrite` gives them back. Reasoning with its
 * signature, calls with their arguments, and ids stay as they are. The copy is of the same kind: instances keep their class and their own
 * properties, and nothing is copied that did not change. The message itself is not changed.
 *
 * @returns the copy; the message itself where no text changed; `undefined` where it has no text, or its class lets none be copied.
 */
export function rewriteTexts(
  message: unknown,
  rewrite: (texts: readonly string[]) => readonly string[],
): unknown | undefined {
  try {
    const record = recordOf(message);
    if (record === undefined || !isRecord(message)) return undefined;
    const texts: string[] = [];
    mapMessage(message, record, (text) => {
      texts.push(text);
      return text;
    });
    if (texts.length === 0) return undefined;
    const rewritten = rewrite(texts);
    let next = 0;
    const copy = mapMessage(message, record, (text) => rewritten[next++] ?? text);
    return isLike(recordOf(copy), record) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** True where a copy reads like what it was copied from: a class with private fields cannot be copied. */
function isLike(copy: MessageRecord | undefined, { view, asks, answers }: MessageRecord): boolean {
  return (
    copy?.view.role === view.role &&
    copy.asks.join() === asks.join() &&
    copy.answers.join() === answers.join()
  );
}

function mapMessage(message: Body, record: MessageRecord, visit: Visit): Body {
  const { body, contentKey, nature, parts } = record;
  const isItem = nature.item === true && body.content === undefined;
  if (isItem && parts.every(({ kind }) => kind !== "result")) return message;
  const copy = isItem ? mapTexts(body, visit) : mapContent(body, contentKey, visit);
  if (body === message) return copy;
  return copyWith(message, message.data === body ? "data" : "kwargs", copy, body);
}

/** A message's content; LangChain's classes write themselves from a second copy of it. */
function mapContent(body: Body, key: string, visit: Visit): Body {
  const content = mapParts(body[key], visit);
  const copy = copyWith(body, key, content, body[key]);
  const { lc_kwargs: kwargs } = body;
  const second = ["content", "contentBlocks", "content_blocks"].find(
    (name) => isRecord(kwargs) && name in kwargs,
  );
  if (copy === body || !isRecord(kwargs) || second === undefined) return copy;
  return copyWith(copy, "lc_kwargs", { ...kwargs, [second]: content }, kwargs);
}

function mapParts(content: unknown, visit: Visit): unknown {
  if (typeof content === "string") return visit(content);
  if (!Array.isArray(content))
    return isObject(content) ? mapJson(content, "", visit) : mapPart(content, visit);
  const parts = content.map((part) => mapPart(part, visit));
  return parts.some((part, index) => part !== content[index]) ? parts : content;
}

/** True for content that is read as its JSON. */
function isObject(content: unknown): boolean {
  return isRecord(content) && typeof content.type !== "string" && typeof content.text !== "string";
}

function mapPart(part: unknown, visit: Visit): unknown {
  if (typeof part === "string") return visit(part);
  if (!isRecord(part)) return part;
  const { kind } = partOf(part);
  return kind === "text" || kind === "result" ? mapTexts(part, visit) : part;
}

/** The texts of a part under the names that formats give them; of one that is wrapped, those of the object in it. */
function mapTexts(part: Body, visit: Visit): Body {
  let copy = part;
  const keys = textKeys.filter((key) => part[key] !== undefined && part[key] !== null);
  for (const key of keys) copy = copyWith(copy, key, mapValue(part[key], key, visit), part[key]);
  if (keys.length > 0) return copy;
  for (const key in part) {
    const inner = part[key];
    if (isBlockKey(key) && isRecord(inner)) return copyWith(part, key, mapTexts(inner, visit), inner);
  }
  return part;
}

function mapValue(value: unknown, key: string, visit: Visit): unknown {
  if (typeof value === "string") return visit(value);
  if (key === "source") return isRecord(value) ? mapSource(value, visit) : value;
  if (Array.isArray(value) && value.every((part) => isRecord(part) && isPart(part)))
    return mapParts(value, visit);
  if (!isRecord(value)) return Array.isArray(value) ? mapJson(value, key, visit) : value;
  if (key === "text" || key === "content" || (key === "response" && hasOutput(value)))
    return mapTexts(value, visit);
  const { type, value: output } = value;
  if (typeof type === "string" && output !== undefined) return mapOutput(value, type, visit);
  return isPart(value) ? mapPart(value, visit) : mapJson(value, key, visit);
}

/** The AI SDK's `{ type, value }`. */
function mapOutput(output: Body, type: string, visit: Visit): Body {
  const { value } = output;
  if (!type.endsWith("json")) return copyWith(output, "value", mapParts(value, visit), value);
  const text = mapJson(value, "value", visit);
  if (typeof text !== "string") return copyWith(output, "value", text, value);
  return text === value ? output : { ...output, type: type.replace("json", "text"), value: text };
}

/** A document's own text. */
function mapSource(source: Body, visit: Visit): Body {
  const { type, data } = source;
  if (type !== "text") return mapTexts(source, visit);
  return typeof data === "string" ? copyWith(source, "data", visit(data), data) : source;
}

/** JSON is read as its text, and stays as it is where that text stays. Where it holds media, only its own long texts are others. */
function mapJson(value: unknown, key: string, visit: Visit): unknown {
  if (withoutMedia(value) !== value) return mapLeaves(value, visit);
  const json = canonicalJson(value);
  if (json === undefined) return value;
  const text = visit(json);
  return text === json ? value : (wrapper[key]?.(text) ?? text);
}

/** Strings of JSON that may be names rather than texts have at most so many characters. */
const maxNameLength = 50;

function mapLeaves(value: unknown, visit: Visit): unknown {
  if (placeholderOf(value) !== undefined) return value;
  if (typeof value === "string") return value.length > maxNameLength ? visit(value) : value;
  return mapEntries(value, (entry) => mapLeaves(entry, visit));
}

/** True for a Gemini response in words. */
function hasOutput({ output, result }: Body): boolean {
  const text = output ?? result;
  return typeof text === "string" && placeholderOf(text) === undefined;
}

/** True for what is read as a part, and is not JSON. */
function isPart(value: Body): boolean {
  const { kind, text } = partOf(value);
  return kind !== "media" || text !== "[part]";
}

/** A copy with another value of a property, of the same class; the object itself where the value is the same. */
function copyWith(object: Body, key: string, value: unknown, current: unknown): Body {
  if (value === current) return object;
  if (isPlainObject(object)) return { ...object, [key]: value };
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(object);
  const enumerable = descriptors[key]?.enumerable ?? true;
  return Object.create(Object.getPrototypeOf(object), {
    ...descriptors,
    [key]: { value, enumerable, writable: true, configurable: true },
  });
}
