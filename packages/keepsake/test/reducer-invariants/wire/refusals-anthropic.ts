import type { Refusal } from "./format.ts";
import { list, raw } from "./refusals-chat.ts";

/** A turn of one role: messages of the same role that follow each other are one to the provider. */
export interface Merged {
  readonly role: string;
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  /** The index of the first message of it. */
  readonly index: number;
}

/** Merges what the provider merges; messages of other roles are not sent as messages. */
export function merge(
  messages: readonly unknown[],
  roles: readonly string[],
  partsOf: (message: Readonly<Record<string, unknown>>) => Merged["parts"],
): Merged[] {
  const turns: Merged[] = [];
  messages.forEach((value, index) => {
    const message = raw(value);
    const role = String(message.role);
    if (!roles.includes(role)) return;
    const last = turns.at(-1);
    const parts = partsOf(message);
    if (last?.role === role) turns[turns.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    else turns.push({ role, parts, index });
  });
  return turns;
}

/** What each format calls its blocks. */
export interface BlockNames {
  call(part: Readonly<Record<string, unknown>>): string | undefined;
  result(part: Readonly<Record<string, unknown>>): string | undefined;
}

/** Results that do not directly follow their call, and calls that are not all answered by the turn behind them. */
export function pairRefusals(turns: readonly Merged[], { call, result }: BlockNames): Refusal[] {
  const ids = (turn: Merged | undefined, of: BlockNames["call"]): string[] =>
    turn?.parts.flatMap((part) => of(part) ?? []) ?? [];
  return turns.flatMap((turn, at) => {
    const refuse = (says: string): Refusal => ({ rule: "pair", index: turn.index, says });
    // Without ids two calls of one tool have one name: each result answers one of them.
    const missing = ids(turns[at - 1], call);
    const answered = ids(turn, result);
    const refusals = answered.flatMap((id) => {
      const place = missing.indexOf(id);
      if (place < 0) return [refuse(`a result for ${id} that no call in the turn before waits for`)];
      missing.splice(place, 1);
      return [];
    });
    // What is open at the end is yet to be answered.
    const isOpen = at === turns.length - 1 && answered.length === turn.parts.length;
    return [...refusals, ...(isOpen ? [] : missing.map((id) => refuse(`no result for ${id}`)))];
  });
}

function says(part: Readonly<Record<string, unknown>>): boolean {
  if (part.type === "thinking" || part.type === "redacted_thinking") return false;
  return part.type !== "text" || String(part.text).trim() !== "";
}

/** What Anthropic's Messages endpoint refuses. */
export function anthropicRefusals(messages: readonly unknown[]): Refusal[] {
  const refusals: Refusal[] = [];
  const partsOf = (message: Readonly<Record<string, unknown>>): Merged["parts"] =>
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : list(message.content);
  const turns = merge(messages, ["user", "assistant"], partsOf);
  if (turns[0]?.role === "assistant")
    refusals.push({ rule: "start", index: turns[0].index, says: "starts with the assistant" });
  messages.forEach((value, index) => {
    const { role } = raw(value);
    if ((role === "user" || role === "assistant") && !partsOf(raw(value)).some(says))
      refusals.push({ rule: "empty", index, says: `${role} message without content` });
  });
  const used = new Set<unknown>();
  for (const { parts, index } of turns) {
    for (const { type, id } of parts) {
      if (type !== "tool_use" && type !== "server_tool_use") continue;
      if (used.has(id)) refusals.push({ rule: "unique", index, says: `tool_use id ${id} is used again` });
      used.add(id);
    }
  }
  return [
    ...refusals,
    ...serverRefusals(turns),
    ...pairRefusals(turns, {
      call: ({ type, id }) => (type === "tool_use" ? String(id) : undefined),
      result: (part) => (part.type === "tool_result" ? String(part.tool_use_id) : undefined),
    }),
  ];
}

/** Tools that Anthropic runs: their result comes in the assistant's turn, or in the next one where the client's tools ran in between. */
function serverRefusals(turns: readonly Merged[]): Refusal[] {
  const refusals: Refusal[] = [];
  const waiting = new Map<unknown, number>();
  for (const { role, parts, index } of turns) {
    const isRun = role === "user" && parts.every(({ type }) => type === "tool_result");
    if (role === "user" && !isRun) {
      for (const [id, at] of waiting) refusals.push({ rule: "pair", index: at, says: `no result of ${id}` });
      waiting.clear();
    }
    for (const { type, id, tool_use_id: answered } of parts) {
      if (type === "server_tool_use") waiting.set(id, index);
      const isResult = type !== "tool_result" && /_tool_result$/.test(String(type));
      if (isResult && !waiting.delete(answered))
        refusals.push({ rule: "pair", index, says: `a result of ${answered}, which was not called` });
    }
  }
  return refusals;
}
