import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { Draft } from "./draft.ts";

/** The wire formats in which a history is written; `mixed` takes another for each message. */
export const FORMATS = [
  "plain",
  "openai",
  "langchain",
  "langchain-dict",
  "langchain-json",
  "getters",
  "mixed",
] as const;
export type Format = (typeof FORMATS)[number];

/** A history written out: frozen through and through, with the way back from each object to its draft. */
export interface Written {
  readonly messages: readonly unknown[];
  readonly draftOf: ReadonlyMap<unknown, Draft>;
}

/** Writes each draft once, so that a draft that occurs twice is the same object twice. */
export function writeHistory(drafts: readonly Draft[], format: Format): Written {
  const written = new Map<Draft, unknown>();
  const draftOf = new Map<unknown, Draft>();
  for (const draft of drafts) {
    if (written.has(draft)) continue;
    const message = deepFreeze(writeMessage(draft, format));
    written.set(draft, message);
    draftOf.set(message, draft);
  }
  return { messages: drafts.map((draft) => written.get(draft)), draftOf };
}

const UNREADABLE: readonly (() => unknown)[] = [
  () => null,
  () => 42,
  () => [],
  () => ["user", "hi"],
  () => undefined,
  () => true,
];

function writeMessage(draft: Draft, format: Format): unknown {
  if (draft.role === "unreadable") return UNREADABLE[draft.variant % UNREADABLE.length]?.();
  switch (format) {
    case "plain":
      return plainMessage(draft);
    case "openai":
      return openAiMessage(draft);
    case "langchain":
      return langChainMessage(draft);
    case "langchain-dict":
      return langChainMessage(draft).toDict();
    case "langchain-json":
      return JSON.parse(JSON.stringify(langChainMessage(draft)));
    case "getters":
      return new GetterMessage(draft);
    case "mixed": {
      const others = FORMATS.filter((one) => one !== "mixed");
      return writeMessage(draft, others[draft.variant % others.length] ?? "plain");
    }
  }
}

const ROLE_WORDS: Readonly<Record<Exclude<Draft["role"], "unreadable">, readonly string[]>> = {
  human: ["user", "human"],
  ai: ["assistant", "ai", "agent", "model"],
  system: ["system", "developer"],
  tool: ["tool"],
  function: ["function"],
  other: ["critic", "narrator", "remove"],
};

function roleWord(draft: Draft): string {
  if (draft.role === "unreadable") return "";
  const words = ROLE_WORDS[draft.role];
  return words[draft.variant % words.length] ?? "";
}

function textOf(draft: Draft): string {
  return `text of ${draft.label}`;
}

function contentOf(draft: Draft): unknown {
  switch (draft.content) {
    case "string":
      return textOf(draft);
    case "parts":
      return [{ type: "text", text: textOf(draft) }];
    case "image":
      return [{ type: "image_url", image_url: { url: `https://example.org/${draft.label}.png` } }];
    case "blank":
      return draft.variant % 3 === 0 ? "" : draft.variant % 3 === 1 ? " \n\t" : [{ type: "text", text: " " }];
    case "no-parts":
      return [];
    case "absent":
      return null;
  }
}

function ids(draft: Draft): { id?: string } {
  return draft.id === undefined ? {} : { id: draft.id };
}

/** `{ role | type, content }`; calls as LangChain's or OpenAI's, as people write them by hand. */
function plainMessage(draft: Draft): Record<string, unknown> {
  const key = draft.variant % 5 === 4 ? "type" : "role";
  const calls = draft.calls.map((id) =>
    draft.variant % 2 === 0 ? { id, name: "look_up", args: { of: draft.label } } : openAiCall(id, draft),
  );
  return {
    [key]: roleWord(draft),
    ...(draft.content === "absent" && draft.variant % 4 < 2 ? {} : { content: contentOf(draft) }),
    ...ids(draft),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(draft.answers === undefined ? {} : { tool_call_id: draft.answers }),
  };
}

const openAiCall = (id: string, draft: Draft): Record<string, unknown> => ({
  id,
  type: "function",
  function: { name: "look_up", arguments: JSON.stringify({ of: draft.label }) },
});

function openAiMessage(draft: Draft): Record<string, unknown> {
  const roles = { human: "user", ai: "assistant", system: draft.variant % 2 === 0 ? "system" : "developer" };
  const role =
    draft.role === "human" || draft.role === "ai" || draft.role === "system"
      ? roles[draft.role]
      : roleWord(draft);
  return {
    role,
    content: contentOf(draft),
    ...ids(draft),
    ...(draft.calls.length > 0 ? { tool_calls: draft.calls.map((id) => openAiCall(id, draft)) } : {}),
    ...(draft.answers === undefined ? {} : { tool_call_id: draft.answers }),
    ...(draft.role === "function" ? { name: "look_up" } : {}),
  };
}

function langChainMessage(draft: Draft): BaseMessage {
  const fields = { content: (contentOf(draft) ?? "") as string, ...ids(draft) };
  switch (draft.role) {
    case "human":
      return new HumanMessage(fields);
    case "ai":
      return new AIMessage({
        ...fields,
        tool_calls: draft.calls.map((id) => ({ id, name: "look_up", args: { of: draft.label } })),
      });
    case "system":
      return new SystemMessage(fields);
    case "tool":
      return new ToolMessage({ ...fields, tool_call_id: draft.answers ?? "" });
    case "function":
      return new FunctionMessage({ ...fields, name: "look_up" });
    default:
      return new ChatMessage({ ...fields, role: "critic" });
  }
}

/** A framework's own class: everything behind getters on the prototype. */
class GetterMessage {
  readonly #draft: Draft;
  constructor(draft: Draft) {
    this.#draft = draft;
  }
  get role(): string {
    return roleWord(this.#draft);
  }
  get content(): unknown {
    return contentOf(this.#draft);
  }
  get id(): string | undefined {
    return this.#draft.id;
  }
  get tool_calls(): unknown {
    const { calls } = this.#draft;
    return calls.length === 0 ? undefined : calls.map((id) => ({ id, name: "look_up", args: {} }));
  }
  get tool_call_id(): string | undefined {
    return this.#draft.answers;
  }
}

/** Makes every later write to an input throw, wherever it is attempted. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
