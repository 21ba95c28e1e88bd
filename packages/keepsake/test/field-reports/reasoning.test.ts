import { describe, expect, it } from "vitest";
import { MessageReducer, validateWindow, type WindowProvider } from "../../src/index.ts";
import { deepFreeze } from "../reducer-invariants/formats.ts";

/** A turn with reasoning and a call, in one format: the question, the call, its result. */
interface Shape {
  readonly provider: WindowProvider;
  readonly user: (text: string) => unknown;
  readonly assistant: (parts: readonly unknown[]) => unknown;
  readonly thought: (text: string) => unknown;
  readonly text: (text: string) => unknown;
  readonly call: (id: string) => unknown;
  readonly result: (id: string) => unknown;
}

const content =
  (role: string) =>
  (parts: readonly unknown[]): unknown => ({ role, content: parts });

const SHAPES: Readonly<Record<string, Shape>> = {
  anthropic: {
    provider: "anthropic",
    user: (text) => ({ role: "user", content: text }),
    assistant: content("assistant"),
    thought: (text) => ({ type: "thinking", thinking: text, signature: `sig-${text}` }),
    text: (text) => ({ type: "text", text }),
    call: (id) => ({ type: "tool_use", id, name: "f", input: {} }),
    result: (id) => content("user")([{ type: "tool_result", tool_use_id: id, content: "21" }]),
  },
  "anthropic, redacted": {
    provider: "anthropic",
    user: (text) => ({ role: "user", content: text }),
    assistant: content("assistant"),
    thought: (text) => ({ type: "redacted_thinking", data: `sealed ${text}` }),
    text: (text) => ({ type: "text", text }),
    call: (id) => ({ type: "tool_use", id, name: "f", input: {} }),
    result: (id) => content("user")([{ type: "tool_result", tool_use_id: id, content: "21" }]),
  },
  "AI SDK": {
    provider: "gemini",
    user: (text) => ({ role: "user", content: text }),
    assistant: content("assistant"),
    thought: (text) => ({ type: "reasoning", text, providerOptions: { anthropic: { signature: text } } }),
    text: (text) => ({ type: "text", text }),
    call: (id) => ({ type: "tool-call", toolCallId: id, toolName: "f", input: {} }),
    result: (id) =>
      content("tool")([
        { type: "tool-result", toolCallId: id, toolName: "f", output: { type: "text", value: "21" } },
      ]),
  },
  "AI SDK, reasoning as a file": {
    provider: "gemini",
    user: (text) => ({ role: "user", content: text }),
    assistant: content("assistant"),
    thought: (text) => ({ type: "reasoning-file", data: text, mediaType: "text/plain" }),
    text: (text) => ({ type: "text", text }),
    call: (id) => ({ type: "tool-call", toolCallId: id, toolName: "f", input: {} }),
    result: (id) =>
      content("tool")([
        { type: "tool-result", toolCallId: id, toolName: "f", output: { type: "text", value: "21" } },
      ]),
  },
  gemini: {
    provider: "gemini",
    user: (text) => ({ role: "user", parts: [{ text }] }),
    assistant: (parts) => ({ role: "model", parts }),
    thought: (text) => ({ text, thought: true, thoughtSignature: `sig-${text}` }),
    text: (text) => ({ text }),
    call: (id) => ({ functionCall: { id, name: "f", args: {} } }),
    result: (id) => ({ role: "user", parts: [{ functionResponse: { id, name: "f", response: {} } }] }),
  },
  bedrock: {
    provider: "bedrock",
    user: (text) => content("user")([{ text }]),
    assistant: content("assistant"),
    thought: (text) => ({ reasoningContent: { reasoningText: { text, signature: `sig-${text}` } } }),
    text: (text) => ({ text }),
    call: (id) => ({ toolUse: { toolUseId: id, name: "f", input: {} } }),
    result: (id) => content("user")([{ toolResult: { toolUseId: id, content: [{ text: "21" }] } }]),
  },
};

describe.each(Object.entries(SHAPES))(
  "%s",
  (_, { provider, user, assistant, thought, text, call, result }) => {
    const history = (): unknown[] => [
      user("first"),
      assistant([thought("old"), text("let me look"), call("c1")]),
      result("c1"),
      assistant([thought("then"), text("21")]),
      user("second"),
      assistant([thought("new"), text("again"), call("c2")]),
      result("c2"),
    ];

    it("claude-code #63835 and #13007: reasoning of the latest answer stays as it is, older goes as whole exchanges", () => {
      const messages = history();
      const before = JSON.stringify(messages);
      for (const message of messages) deepFreeze(message);
      for (let maxMessages = 1; maxMessages <= messages.length; maxMessages += 1) {
        const reducer = new MessageReducer<unknown>({ maxMessages, minMessages: 0, preserveFirst: false });
        const { surviving } = reducer.reduceSync({ existing: messages });
        expect(surviving.slice(-3)).toEqual(messages.slice(-3));
        expect(surviving.every((message) => messages.includes(message))).toBe(true);
        expect(surviving.includes(messages[1])).toBe(surviving.includes(messages[2]));
        expect(validateWindow(surviving, { provider })).toEqual([]);
      }
      expect(JSON.stringify(messages)).toBe(before);
      const again = JSON.parse(before) as unknown[];
      expect(new MessageReducer<unknown>().reduceSync({ existing: again }).surviving).toEqual(messages);
    });

    it("vercel/ai #13430 and #21102: no message is left with nothing but reasoning", () => {
      const alone = [assistant([thought("hm")]), assistant([thought("hm"), thought("well")])];
      const blank = assistant([thought("hm"), text(" ")]);
      for (const message of [...alone, blank]) {
        const list = [user("first"), message, assistant([text("hi")]), user("second")];
        const { surviving, pruned } = new MessageReducer<unknown>().reduceSync({ existing: list });
        expect(pruned).toEqual([message]);
        expect(validateWindow(surviving, { provider })).toEqual([]);
        expect(validateWindow(list, { provider })).toEqual([
          expect.objectContaining({ rule: "empty-message", index: 1 }),
        ]);
      }
    });
  },
);
