import type { Refusal } from "./format.ts";
import { type Merged, merge, pairRefusals } from "./refusals-anthropic.ts";
import { list, raw } from "./refusals-chat.ts";

function says(part: Readonly<Record<string, unknown>>): boolean {
  if (part.thought === true) return false;
  return typeof part.text === "string" ? part.text.trim() !== "" : Object.keys(part).length > 0;
}

/** A call or a response by its id, else by its name. */
function nameOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const { id, name } = raw(value);
  return String(id ?? name);
}

/** What Gemini's generateContent refuses. */
export function geminiRefusals(messages: readonly unknown[]): Refusal[] {
  const refusals: Refusal[] = [];
  messages.forEach((value, index) => {
    const { role, parts } = raw(value);
    if ((role === "user" || role === "model") && !list(parts).some(says))
      refusals.push({ rule: "empty", index, says: `${role} content without parts that say something` });
  });
  const turns: Merged[] = merge(messages, ["user", "model"], ({ parts }) => list(parts));
  if (turns[0]?.role === "model")
    refusals.push({ rule: "start", index: turns[0].index, says: "starts with the model" });
  return [
    ...refusals,
    ...pairRefusals(turns, {
      call: ({ functionCall }) => nameOf(functionCall),
      result: ({ functionResponse }) => nameOf(functionResponse),
    }),
  ];
}
