import { isRecord } from "../util/index.ts";
import { aiSdkParts, isToolPart, readToolPart } from "./ai-sdk.ts";
import { anthropicParts, readToolResult } from "./anthropic.ts";
import { bedrockBlocks, blockKey } from "./bedrock.ts";
import { geminiParts } from "./gemini.ts";
import { langChainParts } from "./langchain-parts.ts";
import { nameIn } from "./names.ts";
import {
  type Body,
  jsonPart,
  marker,
  mediaPart,
  type Part,
  type PartReader,
  sealedPart,
  textPart,
  thoughtPart,
} from "./part.ts";

/** How parts are read whose `type` says what they are. */
const byType: ReadonlyMap<string, PartReader> = new Map(
  Object.entries({
    ...anthropicParts,
    ...aiSdkParts,
    ...langChainParts,
    output_text: (part: Body) => ({ ...textPart(part.text), nature: { item: true } }),
    computer_screenshot: () => mediaPart("image"),
  }),
);

/** How parts are read whose only property says what they are. */
const byKey: ReadonlyMap<string, PartReader> = new Map(Object.entries({ ...bedrockBlocks, ...geminiParts }));

/** Kinds of parts that have no reader of their own, by what their type says. */
const byPattern: readonly (readonly [RegExp, PartReader])[] = [
  [/_tool_result$/, readToolResult],
  [/reasoning|thinking/, (part) => sealedPart(part.data, part.thinking, part.reasoning, part.text)],
  [/^(?:invalid_|server_)?(?:tool_use|tool[_-]call|function_?call)/i, () => ({ kind: "call", text: "" })],
  [/cache|guard|^(?:data|source)-/, () => marker],
];

/** Reads content as a list of parts: a string, an array of parts, or anything else that a host puts there. */
export function partsOf(content: unknown): readonly Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (Array.isArray(content)) return content.map(partOf);
  if (!isRecord(content) || typeof content.type === "string" || typeof content.text === "string")
    return [partOf(content)];
  return [jsonPart(content)];
}

/** The texts of parts, joined by newlines. */
export function textOf(parts: readonly Part[]): string {
  const [first] = parts;
  if (parts.length < 2) return first?.text ?? "";
  return parts
    .map((part) => part.text)
    .filter((text) => text !== "")
    .join("\n");
}

/** The text of content, whatever it is. */
export function textIn(content: unknown): string {
  return typeof content === "string" ? content : textOf(partsOf(content));
}

/** True where nothing in the content would reach a provider: no text but white space, no media, no call, no result. */
export function isBlank(parts: readonly Part[]): boolean {
  return parts.every(({ kind, text, nature }) =>
    kind === "text" ? text.trim() === "" && !nature?.pinned : kind === "reasoning" || kind === "marker",
  );
}

/** Reads one part of a content. */
export function partOf(part: unknown): Part {
  if (!isRecord(part)) return textPart(String(part ?? ""));
  const { type } = part;
  const read = typeof type === "string" ? readTyped(part, type) : readKeyed(part);
  const options = part.providerOptions ?? part.providerMetadata ?? part.callProviderMetadata;
  const bound = options === undefined ? undefined : boundIn(options);
  return bound === undefined ? read : { ...read, bound };
}

/** True for a property that says what a part is. */
export function isBlockKey(key: string): boolean {
  return byKey.has(key);
}

function readTyped(part: Body, type: string): Part {
  if (type === "text" && typeof part.text === "string") return { kind: "text", text: part.text };
  if (isToolPart(part)) return readToolPart(part, textIn);
  const read = byType.get(type) ?? byKey.get(blockKey(type));
  const readLike = read ?? byPattern.find(([pattern]) => pattern.test(type))?.[1];
  if (readLike !== undefined) return readLike(part, textIn);
  if (type === "non_standard" && isRecord(part.value)) return partOf(part.value);
  const text = ownText(part);
  if (text !== undefined) return textPart(text);
  return mediaLike(part, type, type || "part");
}

function readKeyed(part: Body): Part {
  if (part.thought === true) return thoughtPart(part.text);
  const text = ownText(part);
  if (text !== undefined) return textPart(text);
  if (ArrayBuffer.isView(part)) return mediaPart("file");
  for (const key in part) {
    const inner = key === "json" ? part : part[key];
    const read = byKey.get(key);
    if (read !== undefined && isRecord(inner)) return read(inner, textIn);
  }
  return mediaLike(part, Object.keys(part).slice(0, 8).join(" "), "part");
}

/** The text that a part has as a property: words, or what a command wrote. */
function ownText({ text, refusal, logs, stdout, stderr }: Body): string | undefined {
  const own = text ?? refusal ?? logs;
  if (typeof own === "string") return own;
  if (stdout === undefined && stderr === undefined) return undefined;
  return [stdout, stderr].filter((stream) => typeof stream === "string" && stream !== "").join("\n");
}

/** A medium that is told by its MIME type or by a name; else a placeholder of that name. */
function mediaLike(part: Body, names: string, placeholder: string): Part {
  const mime = nameIn(part.mediaType ?? part.mimeType ?? part.mime_type) ?? "";
  const isMedia = mime !== "" || /image|audio|video|file|document|media/.test(names);
  return isMedia ? mediaPart(`${mime} ${names}`) : { kind: "media", text: `[${placeholder}]` };
}

/** The id by which OpenAI keeps a part, as the AI SDK hands it on: `{ openai: { itemId } }`. */
function boundIn(options: unknown): string | undefined {
  const { openai, azure } = isRecord(options) ? options : {};
  const kept = openai ?? azure;
  return isRecord(kept) ? nameIn(kept.itemId) : undefined;
}
