import { canonicalJson, isRecord } from "../util/index.ts";
import type { Call } from "./calls.ts";
import { withoutMedia } from "./json-media.ts";
import { idOf, nameIn } from "./names.ts";
import type { Nature, PendingPart } from "./nature.ts";

/** An object of which nothing is known yet. */
export type Body = Readonly<Record<string, unknown>>;

/** What a part of a message's content is, whatever its format calls it. */
export type PartKind = "text" | "media" | "reasoning" | "call" | "result" | "approval" | "marker";

/** A part of a message's content, read. */
export interface Part {
  readonly kind: PartKind;
  /** The text of the part; a placeholder such as `[image]` for media; empty for reasoning and calls. */
  readonly text: string;
  /** The kind of a medium whose text is no placeholder. */
  readonly medium?: "audio";
  /** The characters of reasoning that only the provider can read. */
  readonly sealed?: number;
  /** True where the text is JSON, which may hold media. */
  readonly isJson?: boolean;
  /** The text of reasoning: it costs tokens, and is shown to nobody. */
  readonly thought?: string;
  /** The call that it makes; a tool part of a `UIMessage` holds its result as well. */
  readonly call?: Call;
  /** The id of the call, or of the request for approval, that must be answered. */
  readonly asks?: string | undefined;
  /** The id of the call, or of the request for approval, that it answers. */
  readonly answers?: string | undefined;
  /** The id of a call that may be answered, and may be left. */
  readonly offers?: string | undefined;
  /** The id of a call that its approval frees from being answered, where the provider runs it. */
  readonly frees?: string | undefined;
  /** The name of the tool, where calls and results may have no ids. */
  readonly tool?: string | undefined;
  /** The id by which the provider keeps the part. */
  readonly bound?: string | undefined;
  readonly nature?: Nature;
  /** What a host may change in place. */
  readonly pending?: readonly PendingPart[];
}

/** Reads one kind of part; `textIn` gives the text of the content inside of it. */
export type PartReader = (part: Body, textIn: (content: unknown) => string) => Part;

/** A part that costs nothing: where a prompt may be cached, where a step begins, what only a user interface shows. */
export const marker: Part = { kind: "marker", text: "" };

/** The nature of a message whose provider refuses a call id that it has seen before. */
export const unique: Nature = { uniqueCalls: true };

/** A part with a text of its own. */
export function textPart(text: unknown): Part {
  return { kind: "text", text: typeof text === "string" ? text : "" };
}

/** The text of a value: itself, or its JSON with placeholders for media; empty for none. */
export function jsonText(value: unknown): string {
  if (typeof value === "string" || value === undefined) return value ?? "";
  try {
    return canonicalJson(withoutMedia(value)) ?? "[object]";
  } catch {
    return "[object]";
  }
}

/** A part whose text is a value's JSON. */
export function jsonPart(value: unknown): Part {
  return { ...textPart(jsonText(value)), isJson: true };
}

/** A picture, a sound, a film or a file, told by its type or MIME type. */
export function mediaPart(hint: unknown): Part {
  const name = /image|audio|video/.exec(String(hint))?.[0] ?? "file";
  return { kind: "media", text: `[${name}]` };
}

/** What a model thought, under the first name that has a text. */
export function thoughtPart(...texts: readonly unknown[]): Part {
  return { kind: "reasoning", text: "", thought: texts.map(nameIn).find((text) => text) ?? "" };
}

/** What a model thought, as the provider sealed it. */
export function sealedPart(data: unknown, ...texts: readonly unknown[]): Part {
  const sealed = typeof data === "string" ? data.length : ArrayBuffer.isView(data) ? data.byteLength : 0;
  return sealed > 0 ? { ...thoughtPart(...texts), sealed } : thoughtPart(...texts);
}

/** The texts of a list of objects, a line each: a summary of reasoning. */
export function linesOf(list: unknown): string {
  if (!Array.isArray(list)) return "";
  return list.flatMap((entry) => (isRecord(entry) ? (nameIn(entry.text) ?? []) : [])).join("\n");
}

/** A call that a result must answer. */
export function callPart(id: unknown, name: unknown, input: unknown): Part {
  const call = { id: idOf(id), name: nameIn(name) ?? "", input };
  return { kind: "call", text: "", call, asks: call.id };
}

/** A call that nobody else must answer. */
export function ownCallPart(id: unknown, name: unknown, input: unknown): Part {
  const { asks: offers, ...part } = callPart(id, name, input);
  return { ...part, offers };
}

/** What a tool gave. */
export function resultPart(id: unknown, text: string): Part {
  return { kind: "result", text, answers: idOf(id) };
}

/** A request for approval, or the answer to one. */
export function approvalPart({ asks, answers }: { asks?: unknown; answers?: unknown }): Part {
  const idOfApproval = (id: unknown): string | undefined => (nameIn(id) ? `approval:${id}` : undefined);
  return { kind: "approval", text: "", asks: idOfApproval(asks), answers: idOfApproval(answers) };
}

/** The call from within which a call is made, where a program that the provider runs makes it. */
export function callerIn(part: Body): Nature {
  const { caller } = part;
  const id =
    isRecord(caller) && nameIn(caller.tool_id ?? caller.caller_id ?? caller.callerId ?? caller.toolId);
  return id ? { caller: id } : {};
}
