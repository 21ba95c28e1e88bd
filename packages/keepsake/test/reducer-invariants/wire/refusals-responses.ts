import type { Refusal } from "./format.ts";
import { list, raw } from "./refusals-chat.ts";

const outputs = /_(?:call_output|call_result|approval_response)$/;

/** What an item asks for or answers: the id that a call and its output share. */
function keyOf(item: Readonly<Record<string, unknown>>): { asks?: string; answers?: string } {
  const { type, providerData } = item;
  const inner = raw(providerData);
  if (inner.type === "mcp_approval_request" || type === "mcp_approval_request")
    return { asks: String(inner.id ?? item.id) };
  if (inner.type === "mcp_approval_response" || type === "mcp_approval_response")
    return { answers: String(inner.approval_request_id ?? item.approval_request_id) };
  const id = item.call_id ?? item.callId;
  if (id === undefined) return {};
  return outputs.test(String(type)) ? { answers: String(id) } : { asks: String(id) };
}

const isOfAnswer = (item: Readonly<Record<string, unknown>>): boolean =>
  item.role === "assistant" ||
  (item.role === undefined && /_call$|^mcp_approval_request$/.test(String(item.type)));

/**
 * What OpenAI's Responses endpoint refuses: outputs without their call, calls without their output, reasoning without the item that it led
 * to, messages without content, and an id that two items have.
 */
export function responsesRefusals(items: readonly unknown[]): Refusal[] {
  const refusals: Refusal[] = [];
  const waiting = new Map<string, number>();
  const used = new Set<unknown>();
  let lastBreak = -1;
  items.forEach((value, index) => {
    const item = raw(value);
    const refuse = (rule: Refusal["rule"], says: string, at = index): void =>
      void refusals.push({ rule, index: at, says });
    const isGiven = isOfAnswer(item) || item.type === "reasoning";
    if (isGiven && item.id !== undefined && used.has(item.id)) refuse("unique", `${item.id} is there twice`);
    if (isGiven) used.add(item.id);
    const { asks, answers } = keyOf(item);
    if (answers !== undefined && !waiting.delete(answers))
      refuse("pair", `output of ${answers} without its call`);
    if (asks !== undefined) {
      if (waiting.has(asks)) refuse("pair", `no output for ${asks}`);
      waiting.set(asks, index);
    }
    if (item.type === "reasoning") {
      // Reasoning at the end has its item yet to come; unknown roles are taken out before the list is sent.
      const next = items
        .slice(index + 1)
        .map(raw)
        .find((one) => isKnown(one) && one.type !== "reasoning");
      if (next !== undefined && !isOfAnswer(next))
        refuse("reasoning", "reasoning without the item it led to");
    }
    if (item.role === "user" || item.role === "assistant") {
      if (!says(item.content)) refuse("empty", `${item.role} message without content`);
    }
    if (item.role === "user" || item.role === "system" || item.role === "developer") lastBreak = index;
  });
  for (const [id, index] of waiting)
    if (index < lastBreak) refusals.push({ rule: "pair", index, says: `no output for ${id}` });
  return refusals;
}

const isKnown = ({ role, type }: Readonly<Record<string, unknown>>): boolean =>
  role === undefined
    ? type !== undefined
    : ["user", "assistant", "system", "developer"].includes(String(role));

function says(content: unknown): boolean {
  if (!Array.isArray(content)) return String(content ?? "").trim() !== "";
  return list(content).some(
    (part) => !/text$/.test(String(part.type)) || String(part.text ?? "").trim() !== "",
  );
}
