import type { Refusal } from "./format.ts";
import { list, raw } from "./refusals-chat.ts";

type Part = Readonly<Record<string, unknown>>;

const partsOf = (content: unknown): readonly Part[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : list(content);

function says({ type, text }: Part): boolean {
  if (type === "reasoning" || type === "step-start" || type === "reasoning-file") return false;
  return type !== "text" || String(text).trim() !== "";
}

/** What the providers refuse in the prompt that the AI SDK makes of `ModelMessage`s. */
export function modelMessageRefusals(messages: readonly unknown[]): Refusal[] {
  const refusals: Refusal[] = [];
  const sent = messages.map((value, index) => ({ ...raw(value), index }) as Part & { index: number });
  const waiting = new Map<string, number>();
  let answered = false;
  for (const { role, content, index } of sent) {
    const refuse = (rule: Refusal["rule"], why: string, at = index): void =>
      void refusals.push({ rule, index: at, says: why });
    if (!["user", "assistant", "system", "tool"].includes(String(role))) continue;
    const parts = partsOf(content);
    const answers = parts.flatMap(({ type, toolCallId, approvalId }) =>
      type === "tool-result"
        ? [String(toolCallId)]
        : type === "tool-approval-response"
          ? [String(approvalId)]
          : [],
    );
    const isOwnAnswer = role === "assistant" && answers.some((id) => waiting.has(id));
    if (role !== "tool" && !isOwnAnswer && !(role === "assistant" && !answered)) {
      for (const [id, at] of waiting) refuse("pair", `nothing answers ${id}`, at);
      waiting.clear();
      answered = false;
    }
    for (const { type, toolCallId, approvalId } of role === "assistant" ? parts : []) {
      if (type === "tool-call") waiting.set(String(toolCallId), index);
      if (type === "tool-approval-request") waiting.set(String(approvalId), index);
    }
    // What a provider ran itself it may have given twice: nobody else reads that.
    const own = new Set(parts.map(({ type, toolCallId }) => type === "tool-call" && String(toolCallId)));
    for (const id of answers)
      if (!waiting.delete(id) && !own.has(id)) refuse("pair", `${id} is answered without being asked`);
    if (role === "tool") answered = true;
    if ((role === "user" || role === "assistant") && !parts.some(says))
      refuse("empty", `${role} without content`);
  }
  return refusals;
}

/** What the AI SDK makes an invalid prompt of: tool parts without an output before the end, messages without parts that say something. */
export function uiMessageRefusals(messages: readonly unknown[]): Refusal[] {
  const end = messages.findLastIndex((value) => ["user", "system"].includes(String(raw(value).role)));
  return messages.flatMap((value, index): Refusal[] => {
    const { role, parts } = raw(value);
    if (role !== "user" && role !== "assistant") return [];
    const open = list(parts).filter(
      ({ state, type }) => /^tool-|^dynamic-tool$/.test(String(type)) && !/^output-/.test(String(state)),
    );
    return [
      ...(open.length > 0 && index < end
        ? [{ rule: "pair", index, says: `tool part ${open[0]?.toolCallId} has no output` } as const]
        : []),
      ...(list(parts).some(says) ? [] : [{ rule: "empty", index, says: `${role} without content` } as const]),
    ];
  });
}
