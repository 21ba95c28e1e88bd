import { isPlainObject, isRecord } from "../util/index.ts";
import { isPinned } from "./bedrock.ts";
import { type Call, callsIn } from "./calls.ts";
import { isBlank, partsOf, textOf } from "./content.ts";
import { withOrdinals } from "./gemini.ts";
import { readThoughts } from "./langchain-parts.ts";
import { linksOf } from "./links.ts";
import { idOf, nameIn } from "./names.ts";
import type { PendingPart } from "./nature.ts";
import type { Body, Part } from "./part.ts";
import type { Reading } from "./reading.ts";
import type { MessageRole } from "./view.ts";

const nobody: readonly Call[] = [];

/** Where a message keeps its parts. */
export type ContentKey = "content" | "content_blocks" | "parts";

/** Reads a body whose role is known: its content, and what formats keep beside it. */
export function readBody(body: Body, role: MessageRole, contentKey: ContentKey = "content"): Reading {
  const parts = allParts(body, role, contentKey);
  const name = nameIn(body.tool_name ?? body.name);
  const answer = role === "tool" ? answerOf(body, parts, name) : undefined;
  const links = linksOf(parts, role, role === "ai" ? listedCalls(body) : nobody, answer);
  const { calls, asks, answers, bound, nature } = links;
  const blank = asks.length === 0 && isBlankMessage(body, role, parts);
  return {
    view: {
      role,
      id: idOf(body.id) ?? nameIn(body.trackingId),
      text: textOf(parts),
      name,
      calls: links.open,
      results: links.results,
      bound,
      startsTurn: role === "human" && !blank && (answers.length === 0 || hasWords(parts)),
    },
    body,
    contentKey,
    parts,
    calls,
    blank,
    asks,
    answers,
    nature: isPinned(body) ? { ...nature, pinned: true } : nature,
    pending: isMarked(body) ? [...links.pending, metadataOf(body)] : links.pending,
  };
}

/** What a tool's message answers as a whole: where it has no id, a call of the tool that it names, `weather#0`. */
function answerOf(body: Body, parts: readonly Part[], name = ""): string | undefined {
  const id = idOf(body.tool_call_id ?? body.toolCallId);
  return id ?? (parts.some(({ answers }) => answers !== undefined) ? undefined : `${name}#0`);
}

function allParts(body: Body, role: MessageRole, contentKey: ContentKey): readonly Part[] {
  const parts = partsOf(body[contentKey]);
  if (contentKey === "parts") return withOrdinals(parts);
  if (role !== "ai") return parts;
  const thoughts = readThoughts(additionalOf(body) ?? body);
  const spoken = readSpoken(body);
  if (thoughts === undefined && spoken === undefined) return parts;
  return [thoughts, ...parts, spoken].filter((part) => part !== undefined);
}

/** What an assistant said aloud, which OpenAI keeps beside the content: its transcript, at the cost of audio. */
function readSpoken(body: Body): Part | undefined {
  const audio = body.audio ?? additionalOf(body)?.audio;
  if (!isRecord(audio)) return undefined;
  return { kind: "media", text: nameIn(audio.transcript) ?? "[audio]", medium: "audio" };
}

/** The calls of an assistant's message: where a host keeps several lists of them, they are the same ones. */
function listedCalls(body: Body): readonly Call[] {
  const calls = callsIn(body.tool_calls);
  return calls.length > 0 ? calls : callsIn(additionalOf(body)?.tool_calls);
}

/** True where a message may be pinned by the metadata that Strands keeps in it. */
function isMarked(body: Body): boolean {
  return isRecord(body.metadata) || typeof body.trackingId === "string";
}

function metadataOf(part: Body): PendingPart {
  return { part, key: "metadata", value: part.metadata };
}

/** True where a user message says something of its own beside the results that it holds. */
function hasWords(parts: readonly Part[]): boolean {
  return !isBlank(parts.filter((part) => part.kind !== "result" && part.kind !== "approval"));
}

function isBlankMessage(body: Body, role: MessageRole, parts: readonly Part[]): boolean {
  if (role !== "human" && role !== "ai") return false;
  if (!isBlank(parts) || (parts.length === 0 && mayHoldMore(body))) return false;
  const extra = additionalOf(body);
  const payloads = [body.function_call, body.refusal, body.audio, extra?.function_call, extra?.audio];
  return payloads.every((payload) => (payload ?? "") === "");
}

/** The properties that say nothing of what a message says. */
const labels: ReadonlySet<string> = new Set([
  "role",
  "type",
  "id",
  "name",
  "content",
  "parts",
  "tool_calls",
  "metadata",
]);

/** True where a message without content may carry its words elsewhere: in another property, or in a class of the app's own. */
function mayHoldMore(body: Body): boolean {
  const { content, content_blocks: blocks, parts } = body;
  if (content !== undefined || blocks !== undefined || Array.isArray(parts)) return false;
  return !isPlainObject(body) || Object.keys(body).some((key) => !labels.has(key));
}

function additionalOf(body: Body): Body | undefined {
  const extra = body.additional_kwargs;
  return isRecord(extra) ? extra : undefined;
}
