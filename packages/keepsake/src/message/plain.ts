import { isPlainObject, isRecord } from "../util/index.ts";
import { type Call, callIds, callsIn, isCallPart, resultIdsIn } from "./calls.ts";
import { isBlank, type Part, partsOf, textOf } from "./content.ts";
import { idOf, nameIn } from "./names.ts";
import type { Nature, PendingPart, Reading } from "./reading.ts";
import { roleFrom } from "./role.ts";
import type { MessageRole, MessageView } from "./view.ts";

type Body = Readonly<Record<string, unknown>>;

const none: readonly string[] = [];
const nothing: readonly PendingPart[] = [];
const ordinary: Nature = {};

/**
 * Reads a message whose own properties are those of OpenAI's chat format (`role`, `content`, `tool_calls`, `tool_call_id`): plain objects,
 * LangChain's message objects, any class instance with `role` or `type`, getters included.
 */
export function readPlain(message: Body): Reading {
  return readBody(message, roleFrom(message.role, message.type));
}

/** Reads a body whose role is known from elsewhere, such as the envelope around it. */
export function readBody(body: Body, role: MessageRole): Reading {
  const parts = partsOf(body.content);
  const calls = role === "ai" ? callsOf(body) : [];
  const ids = callIds(calls);
  const results = role === "tool" || role === "human" ? resultsOf(body, role) : none;
  const blank = isBlankMessage(body, role, parts, ids);
  const view: MessageView = {
    role,
    id: idOf(body.id),
    text: textOf(parts),
    name: nameIn(body.name),
    calls: ids,
    results,
    bound: none,
    startsTurn: role === "human" && !blank && (results.length === 0 || hasWords(parts)),
  };
  return {
    view,
    body,
    contentKey: "content",
    parts,
    calls,
    blank,
    asks: ids,
    answers: results,
    nature: ordinary,
    pending: nothing,
  };
}

/** The calls of an assistant's message: where a host keeps several lists of them, they are the same ones. */
function callsOf(body: Body): readonly Call[] {
  const lists = [
    callsIn(body.tool_calls),
    callsIn(additionalOf(body)?.tool_calls),
    callsIn(body.content, isCallPart),
  ];
  return lists.find((calls) => calls.length > 0) ?? [];
}

/** What a tool message answers, or the result parts of a user message. */
function resultsOf(body: Body, role: MessageRole): readonly string[] {
  const id = role === "tool" ? nameIn(body.tool_call_id ?? body.toolCallId) : undefined;
  return id === undefined ? resultIdsIn(body.content) : [id];
}

/** True where a user message says something of its own beside the results that it holds. */
function hasWords(parts: readonly Part[]): boolean {
  return !isBlank(parts.filter((part) => part.kind !== "result"));
}

function isBlankMessage(
  body: Body,
  role: MessageRole,
  parts: readonly Part[],
  calls: readonly string[],
): boolean {
  if (role !== "human" && role !== "ai") return false;
  if (calls.length > 0 || !isBlank(parts) || (body.content === undefined && mayHoldMore(body))) return false;
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
  "tool_calls",
  "metadata",
]);

/** True where a message without `content` may carry its words elsewhere: in another property, or in a class of the app's own. */
function mayHoldMore(body: Body): boolean {
  return !isPlainObject(body) || Object.keys(body).some((key) => !labels.has(key));
}

function additionalOf(body: Body): Body | undefined {
  const extra = body.additional_kwargs;
  return isRecord(extra) ? extra : undefined;
}
