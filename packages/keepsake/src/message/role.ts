import type { MessageRole } from "./view.ts";

/** Every role name that has a meaning; any other is `other`: kept, never pruned. */
const roles: ReadonlyMap<string, MessageRole> = new Map(
  Object.entries({
    human: "human",
    user: "human",
    ai: "ai",
    assistant: "ai",
    agent: "ai",
    model: "ai",
    system: "system",
    developer: "system",
    tool: "tool",
    function: "function",
  }),
);

/** The role that the first name with a meaning stands for: what a message has in `role`, in `type`, or as the name of its class. */
export function roleFrom(...names: readonly unknown[]): MessageRole {
  for (const name of names) {
    const role = typeof name === "string" && (roles.get(name) ?? roles.get(classRole(name)));
    if (role) return role;
  }
  return "other";
}

/** `"AIMessageChunk"` → `"ai"`: Python's serialised chunks and `lc: 1` records carry class names. */
function classRole(name: string): string {
  return /^(.*)Message(?:Chunk)?$/.exec(name)?.[1]?.toLowerCase() ?? "";
}
