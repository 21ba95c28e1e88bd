import type { MessageRole } from "./view.ts";

/** Every role name that has a meaning; any other is `other`: kept, never pruned. */
const roles: ReadonlyMap<string, MessageRole> = new Map([
  ["human", "human"],
  ["user", "human"],
  ["ai", "ai"],
  ["assistant", "ai"],
  ["agent", "ai"],
  ["model", "ai"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "function"],
]);

/** The role that a name in a message's `role` or `type` stands for, class names of LangChain included. */
export function roleOf(name: string): MessageRole {
  return roles.get(name) ?? roles.get(classRole(name)) ?? "other";
}

/** `"AIMessageChunk"` → `"ai"`: Python's serialised chunks and `lc: 1` records carry class names. */
function classRole(name: string): string {
  return /Message(?:Chunk)?$/.test(name) ? name.replace(/Message(?:Chunk)?$/, "").toLowerCase() : "";
}

/** The role of a message that names it in `role`, in `type`, or in both (`role` first, where it is known). */
export function roleFrom(role: unknown, type: unknown): MessageRole {
  const byRole = typeof role === "string" ? roleOf(role) : "other";
  if (byRole !== "other" || typeof type !== "string") return byRole;
  return roleOf(type);
}
