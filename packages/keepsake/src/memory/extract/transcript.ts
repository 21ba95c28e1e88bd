import { findSummaryBlocks, type MessageRecord, recordOf } from "../../message/index.ts";
import { parsedJson } from "../../schema/index.ts";
import { canonicalJson, isRecord } from "../../util/index.ts";
import { stripRendered } from "../render/marker.ts";
import type { TranscriptMessage } from "../types.ts";
import { isoTime, timestampIn } from "../verbatim/timestamp.ts";

const memoryTools: ReadonlySet<string> = new Set(["search_memory", "manage_memory"]);
const callLength = 500;

/**
 * The messages that facts can be drawn from, whatever their format: what people and the assistant said, calls of tools, and their results
 * as messages of the role `tool`. Left out are system messages, summaries of the conversation, reasoning, and what keepsake itself
 * recalled: rendered memories, and what the memory tools were asked and answered. A text is one message of a person.
 */
export function transcriptOf(messages: readonly unknown[] | string): TranscriptMessage[] {
  const list = typeof messages === "string" ? [{ role: "user", content: messages }] : messages;
  const summaries = new Set(findSummaryBlocks(list).flatMap(({ indices }) => indices));
  const tools = toolNames(list);
  return list.flatMap((message, index) => {
    const record = summaries.has(index) ? undefined : recordOf(message);
    return record === undefined || record.view.role === "system" ? [] : read(message, record, tools);
  });
}

/** The names of tools by the ids of their calls. */
function toolNames(messages: readonly unknown[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) => recordOf(message)?.calls ?? []);
  return new Map(calls.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])));
}

interface Piece {
  readonly role: string;
  readonly text: string;
}

function read(
  message: unknown,
  record: MessageRecord,
  tools: ReadonlyMap<string, string>,
): TranscriptMessage[] {
  const { id, name, role: speaker } = record.view;
  const at = isoTime(timestampIn(message) ?? timestampIn(record.body));
  return piecesOf(record, tools).map(({ role, text }) => ({
    role,
    name: role === speaker ? name : undefined,
    text,
    id,
    at: at === undefined ? undefined : new Date(at),
  }));
}

/** What a message says, its calls, and the results in it, which some formats put into a user's or an assistant's message. */
function piecesOf(record: MessageRecord, tools: ReadonlyMap<string, string>): Piece[] {
  const { view, parts, calls } = record;
  const isResult = view.role === "tool" || view.role === "function";
  if (isResult && parts.every(({ kind }) => kind !== "result")) {
    const isOurs = isMemoryTool([view.name, ...toolsOf(view.results[0], tools)]);
    return pieces([{ role: "tool", text: isOurs ? "" : resultText(view.text) }]);
  }
  const said = parts.filter(({ kind }) => kind === "text" || kind === "media").map(({ text }) => text);
  const made = calls.filter(({ name }) => !memoryTools.has(name)).map(callLine);
  const results = parts
    .filter(({ kind }) => kind === "result")
    .filter(({ call, tool, answers }) => !isMemoryTool([call?.name, tool, ...toolsOf(answers, tools)]))
    .map(({ text }) => ({ role: "tool", text: resultText(text) }));
  const own = {
    role: isResult ? "tool" : view.role,
    text: stripRendered([...said, ...made].filter((line) => line.trim() !== "").join("\n")),
  };
  return pieces(view.role === "human" ? [...results, own] : [own, ...results]);
}

function pieces(list: readonly Piece[]): Piece[] {
  return list.filter(({ text }) => text.trim() !== "");
}

/** What the tool may be called whose call has this id: made-up ids are its name and a number. */
function toolsOf(id: string | undefined, tools: ReadonlyMap<string, string>): (string | undefined)[] {
  return id === undefined ? [] : [tools.get(id), id.replace(/#\d+$/, "")];
}

function isMemoryTool(names: readonly (string | undefined)[]): boolean {
  return names.some((name) => name !== undefined && memoryTools.has(name));
}

function callLine({ name, input }: { readonly name: string; readonly input: unknown }): string {
  const text = typeof input === "string" ? input : (canonicalJson(input) ?? "");
  return `[call ${name} ${text.length > callLength ? `${text.slice(0, callLength)}…` : text}]`;
}

function resultText(text: string): string {
  return isMemoryResult(text) ? "" : stripRendered(text);
}

/** True for what the memory tools answer, under whatever name the app gave them. */
function isMemoryResult(text: string): boolean {
  const bare = text.trim();
  if (/^(?:created|updated|deleted) memory [\w-]{1,80}$/i.test(bare)) return true;
  if (!bare.startsWith("[")) return false;
  const items = parsedJson(bare);
  return Array.isArray(items) && items.length > 0 && items.every(isFoundItem) && items.some(hasNamespace);
}

function isFoundItem(item: unknown): boolean {
  return hasNamespace(item) || (isRecord(item) && ("omitted" in item || "error" in item));
}

function hasNamespace(item: unknown): boolean {
  return isRecord(item) && Array.isArray(item.namespace) && typeof item.key === "string" && "value" in item;
}
