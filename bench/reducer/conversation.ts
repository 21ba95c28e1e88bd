import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ModelMessage } from "ai";

/** One message of the benchmark's conversation, apart from any library's type. */
export interface Line {
  readonly id: string;
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  /** The tool call that an assistant message makes and a tool message answers. */
  readonly call: string | undefined;
}

/** An OpenAI chat message: what keepsake reads beside LangChain's objects. */
export interface ChatMessage {
  readonly id: string;
  readonly role: Line["role"];
  readonly content: string;
  readonly tool_calls?: readonly unknown[];
  readonly tool_call_id?: string;
}

const WORDS =
  "the flight to Lisbon leaves at nine and the seat by the window is free while rain is expected all day".split(
    " ",
  );

/** A conversation of `length` messages: a system prompt, then turns of question, tool call, result and answer. */
export function conversation(length: number): Line[] {
  const next = pseudoRandom(42);
  const text = (): string =>
    Array.from({ length: 8 + (next() % 60) }, () => WORDS[next() % WORDS.length]).join(" ");
  return Array.from({ length }, (_, index) => lineAt(index, text()));
}

/** The message that follows a conversation of `length` messages: the user's. */
export function nextQuestion(length: number, repetition: number): Line {
  return {
    id: `new-${length}-${repetition}`,
    role: "user",
    text: `And what about day ${repetition}?`,
    call: undefined,
  };
}

const TURN = ["user", "assistant", "tool", "assistant"] as const;

function lineAt(index: number, text: string): Line {
  if (index === 0) return { id: "m0", role: "system", text, call: undefined };
  const place = (index - 1) % TURN.length;
  const turn = Math.floor((index - 1) / TURN.length);
  return {
    id: `m${index}`,
    role: TURN[place] ?? "user",
    text,
    call: place === 1 || place === 2 ? `call-${turn}` : undefined,
  };
}

/** A linear congruential generator: the same conversation on every machine. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

export function toChatMessage({ id, role, text, call }: Line): ChatMessage {
  if (role === "tool") return { id, role, content: text, tool_call_id: call ?? "" };
  if (call === undefined) return { id, role, content: text };
  return {
    id,
    role,
    content: text,
    tool_calls: [{ id: call, type: "function", function: { name: "look_up", arguments: "{}" } }],
  };
}

export function toLangChainMessage({ id, role, text, call }: Line): BaseMessage {
  switch (role) {
    case "system":
      return new SystemMessage({ id, content: text });
    case "user":
      return new HumanMessage({ id, content: text });
    case "tool":
      return new ToolMessage({ id, content: text, tool_call_id: call ?? "" });
    case "assistant":
      return new AIMessage({
        id,
        content: text,
        tool_calls: call === undefined ? [] : [{ id: call, name: "look_up", args: {} }],
      });
  }
}

export function toModelMessage({ role, text, call }: Line): ModelMessage {
  const toolCallId = call ?? "";
  switch (role) {
    case "system":
    case "user":
      return { role, content: text };
    case "tool":
      return {
        role,
        content: [
          { type: "tool-result", toolCallId, toolName: "look_up", output: { type: "text", value: text } },
        ],
      };
    case "assistant":
      return call === undefined
        ? { role, content: text }
        : {
            role,
            content: [
              { type: "text", text },
              { type: "tool-call", toolCallId, toolName: "look_up", input: {} },
            ],
          };
  }
}
