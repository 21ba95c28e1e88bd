import type { Refusal } from "./format.ts";
import { type Merged, merge, pairRefusals } from "./refusals-anthropic.ts";
import { list, raw } from "./refusals-chat.ts";

function says(part: Readonly<Record<string, unknown>>): boolean {
  if ("reasoningContent" in part || "reasoning" in part || "cachePoint" in part) return false;
  return typeof part.text === "string" ? part.text.trim() !== "" : Object.keys(part).length > 0;
}

/** What Bedrock's Converse refuses, but for roles that do not alternate: those are judged by where they come from. */
export function bedrockRefusals(messages: readonly unknown[]): Refusal[] {
  const refusals: Refusal[] = [];
  messages.forEach((value, index) => {
    const { role, content } = raw(value);
    if ((role === "user" || role === "assistant") && !list(content).some(says))
      refusals.push({ rule: "empty", index, says: `${role} message without content` });
  });
  const turns: Merged[] = merge(messages, ["user", "assistant"], ({ content }) => list(content));
  if (turns[0]?.role === "assistant")
    refusals.push({ rule: "start", index: turns[0].index, says: "starts with the assistant" });
  const used = new Set<unknown>();
  for (const { parts, index } of turns) {
    for (const { toolUse } of parts) {
      const id = toolUse === undefined ? undefined : raw(toolUse).toolUseId;
      if (id !== undefined && used.has(id))
        refusals.push({ rule: "unique", index, says: `${id} is used again` });
      used.add(id);
    }
  }
  const idOf = (value: unknown): string | undefined =>
    value === undefined ? undefined : String(raw(value).toolUseId);
  return [
    ...refusals,
    ...pairRefusals(turns, {
      call: ({ toolUse }) => idOf(toolUse),
      result: ({ toolResult }) => idOf(toolResult),
    }),
  ];
}
