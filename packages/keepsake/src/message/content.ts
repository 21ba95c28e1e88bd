import { canonicalJson, isRecord } from "../util/index.ts";
import { isResultPart } from "./calls.ts";

/** What a part of a message's content is, whatever its format calls it. */
export type PartKind = "text" | "media" | "reasoning" | "call" | "result" | "marker";

/** A part of a message's content, read. */
export interface Part {
  readonly kind: PartKind;
  /** The text of the part; a placeholder such as `[image]` for media; empty for reasoning and calls. */
  readonly text: string;
  /** The text of reasoning: it costs tokens, and is shown to nobody. */
  readonly thought?: string;
}

/** Kinds of parts without a text of their own, by what their type says. */
const silentKinds: readonly (readonly [RegExp, PartKind])[] = [
  [/reasoning|thinking/, "reasoning"],
  [/^(?:tool_use|tool[_-]call|function_?[cC]all)/, "call"],
  [/cache|guard/, "marker"],
];

/** Reads content as a list of parts: a string, an array of parts, or anything else that a host puts there. */
export function partsOf(content: unknown): readonly Part[] {
  if (content === null || content === undefined) return [];
  if (Array.isArray(content)) return content.map(partOf);
  if (!isRecord(content) || typeof content.type === "string" || textIn(content) !== undefined)
    return [partOf(content)];
  return [{ kind: "text", text: canonicalJson(content) ?? "[object]" }];
}

/** The texts of parts, joined by newlines. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => part.text)
    .filter((text) => text !== "")
    .join("\n");
}

/** True where nothing in the content would reach a provider: no text but white space, no media, no call, no result. */
export function isBlank(parts: readonly Part[]): boolean {
  return parts.every((part) =>
    part.kind === "text" ? part.text.trim() === "" : part.kind === "reasoning" || part.kind === "marker",
  );
}

function partOf(part: unknown): Part {
  if (!isRecord(part)) return { kind: "text", text: String(part ?? "") };
  const type = typeof part.type === "string" ? part.type : "";
  if (isResultPart(part)) return { kind: "result", text: textOf(partsOf(resultIn(part))) };
  const kind = silentKinds.find(([pattern]) => pattern.test(type))?.[1];
  if (kind !== undefined) return { kind, text: "", thought: kind === "reasoning" ? thoughtIn(part) : "" };
  const text = textIn(part);
  if (text !== undefined) return { kind: "text", text };
  return { kind: "media", text: `[${mediaIn(type || Object.keys(part).join(" ")) ?? (type || "part")}]` };
}

/** What a part is a picture of, say, by its type or the names of its properties. */
function mediaIn(names: string): string | undefined {
  return /image|audio|video/.exec(names)?.[0] ?? (/file|document|media/.test(names) ? "file" : undefined);
}

/** What a tool gave: Anthropic's `content`, the AI SDK's `output` or `result`. */
function resultIn(part: Readonly<Record<string, unknown>>): unknown {
  const output = part.content ?? part.output ?? part.result;
  return isRecord(output) && "value" in output ? output.value : output;
}

/** What a model thought: the text of a reasoning part, under the names that providers give it. */
function thoughtIn(part: Readonly<Record<string, unknown>>): string {
  return [part.thinking, part.reasoning, part.text].find((text) => typeof text === "string") ?? "";
}

function textIn(part: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof part.text === "string") return part.text;
  return typeof part.refusal === "string" ? part.refusal : undefined;
}
