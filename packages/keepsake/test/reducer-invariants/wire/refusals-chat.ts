import type { Refusal } from "./format.ts";

type Raw = Readonly<Record<string, unknown>>;

/** A value as an object whose properties may be asked for. */
export const raw = (value: unknown): Raw =>
  typeof value === "object" && value !== null ? (value as Raw) : {};
/** A value as a list. */
export const list = (value: unknown): readonly Raw[] => (Array.isArray(value) ? value.map(raw) : []);

/**
 * What OpenAI's chat endpoint refuses: tool messages that do not follow their call, calls that are not all answered by the tool messages
 * behind them, assistant messages without content. Adjacent assistant messages count as one, as hosts merge them before they send.
 */
export function chatRefusals(messages: readonly unknown[]): Refusal[] {
  const refusals: Refusal[] = [];
  let waiting = new Map<unknown, number>();
  let results = 0;
  messages.forEach((value, index) => {
    const { role, content, tool_calls: calls, tool_call_id: answers } = raw(value);
    const refuse = (rule: Refusal["rule"], says: string): void => void refusals.push({ rule, index, says });
    if (!["system", "developer", "user", "assistant", "tool", "function"].includes(role as string)) {
      // Unknown roles are the app's: it takes them out before it sends.
      return;
    }
    if (role === "tool") {
      if (!waiting.delete(answers)) refuse("pair", `tool message for ${answers} without a call before it`);
      results += 1;
      return;
    }
    const isRow = role === "assistant" && list(calls).length > 0 && results === 0;
    if (!isRow) {
      for (const [id, at] of waiting)
        refusals.push({ rule: "pair", index: at, says: `call ${id} has no tool message` });
      waiting = new Map();
      results = 0;
    }
    for (const call of list(calls)) waiting.set(call.id, index);
    const saysNothing =
      list(content).length > 0
        ? list(content).every(
            (part) =>
              ["text", "reasoning", undefined].includes(part.type as string) &&
              (part.type === "reasoning" || String(part.text ?? "").trim() === ""),
          )
        : String(content ?? "").trim() === "";
    if ((role === "user" || role === "assistant") && saysNothing && list(calls).length === 0)
      refuse("empty", `${role} message without content`);
  });
  return refusals;
}
