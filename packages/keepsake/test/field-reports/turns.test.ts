import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { MessageReducer } from "../../src/index.ts";
import { deepFreeze } from "../reducer-invariants/formats.ts";
import { reduceReport, SHAPES, wordsAt } from "./shapes.ts";

describe("langchain-ai/langmem #111 and #77: the current user message is summarised away", () => {
  describe.each(SHAPES)("%s", (shape) => {
    it.each([
      ["U A[c1] T(c1){4000}", "U A[c1] T(c1){4000}", true],
      ["S U A[c1] T(c1){4000}", "S U A[c1] T(c1){4000}", true],
      ["U A U A[c1] T(c1){4000}", "U A[c1] T(c1){4000}", true],
      ["U A U A[c1] T(c1){4000} A", "U A", false],
      ["U A U{4000}", "U{4000}", true],
      ["U A U A[c1] T(c1){600} A[c2] T(c2){600}", "U A[c2] T(c2){600}", false],
    ] as const)("%s leaves %s", async (history, window, over) => {
      const reduced = await reduceReport(history, shape, { maxTokens: 1000, preserveFirst: false });
      expect(reduced?.overBudget).toBe(over);
      expect(wordsAt(history, reduced?.stays ?? [])).toBe(window);
    });
  });
});

describe("langchain-ai/langchainjs #9272, gemini-cli #11814, ChatdollKit #371: a turn of calls must follow the user's", () => {
  describe.each(SHAPES)("%s", (shape) => {
    it.each([
      ["U A U A[c1] T(c1) A U", 4, "U"],
      ["U A[c1] T(c1) A U A", 5, "U A"],
      ["S U A[c1] T(c1) A U A", 5, "S U A"],
      ["S A U A[c1] T(c1) A U A", 5, "S U A"],
      ["A U A[c1] T(c1) A U A", 5, "A U A"],
    ])("%s cut to %i leaves %s", async (history, maxMessages, window) => {
      const preserveFirst = !history.startsWith("U");
      const settings = { maxMessages, minMessages: maxMessages - 1, preserveFirst };
      const reduced = await reduceReport(history, shape, settings);
      expect(wordsAt(history, reduced?.stays ?? [])).toBe(window);
    });
  });
});

describe("langchain-ai/langchain #33856: the system prompt in the state disappears at the first summary", () => {
  describe.each(SHAPES)("%s", (shape) => {
    it.each([
      ["S U A U A", "S U A"],
      ["U A S U A", "S U A"],
      ["S U A S U A", "S S U A"],
    ])("%s keeps its system messages and never summarises them", async (history, window) => {
      const summarised: unknown[] = [];
      const summarize = (messages: unknown[]): string => {
        summarised.push(...messages);
        return "so far";
      };
      const settings = { maxMessages: 4, minMessages: 1, preserveFirst: false } as const;
      const stays = (await reduceReport(history, shape, settings, { summarize }))?.stays ?? [];
      expect(wordsAt(history, stays)).toBe(window);
      expect(summarised).toHaveLength(history.split(" ").length - stays.length);
    });
  });
});

describe("anthropics/claude-code #63835 and #13007: thinking blocks of the latest assistant message are modified", () => {
  const thinking = (text: string) => ({ type: "thinking", thinking: text, signature: `sig-${text}` });
  const history = () => [
    new HumanMessage({ id: "u1", content: "first" }),
    new AIMessage({
      id: "a1",
      content: [thinking("old"), { type: "text", text: "let me look" }],
      tool_calls: [{ id: "c1", name: "f", args: {} }],
    }),
    new ToolMessage({ id: "t1", content: "found", tool_call_id: "c1" }),
    new HumanMessage({ id: "u2", content: "second" }),
    new AIMessage({
      id: "a2",
      content: [thinking("new"), { type: "text", text: "again" }],
      tool_calls: [{ id: "c2", name: "f", args: {} }],
    }),
    new ToolMessage({ id: "t2", content: "found", tool_call_id: "c2" }),
  ];

  it("keeps the message that holds them untouched, and lets older ones go only as whole exchanges", async () => {
    for (let maxMessages = 1; maxMessages <= 6; maxMessages++) {
      const messages = history();
      const before = JSON.stringify(messages);
      for (const message of messages) deepFreeze(message);
      const reducer = new MessageReducer<unknown>({ maxMessages, minMessages: 0, preserveFirst: false });
      const { surviving, pruned } = await reducer.reduce({ existing: messages });
      expect(surviving.slice(-3)).toEqual(messages.slice(-3));
      expect(surviving.every((message) => messages.includes(message as HumanMessage))).toBe(true);
      expect([0, 3]).toContain(pruned.length);
      expect(JSON.stringify(messages)).toBe(before);
    }
  });
});

describe("vercel/ai #13430: assistant messages with nothing but reasoning are left behind", () => {
  const reasoningOnly = [
    new AIMessage({ id: "r", content: [{ type: "thinking", thinking: "hm", signature: "s" }] }),
    new AIMessage({ id: "r", content: [{ type: "reasoning", reasoning: "hm" }] }),
    { role: "assistant", id: "r", content: [{ type: "reasoning", text: "hm" }] },
    {
      type: "ai",
      id: "r",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: " " },
      ],
    },
  ];

  it.each(reasoningOnly)("prunes such a message where it stands: %#", async (message) => {
    const user = { role: "user", id: "u", content: "hello" };
    const last = { role: "assistant", id: "a", content: "hi" };
    const { surviving, pruned } = await new MessageReducer<unknown>().reduce({
      existing: [user, message, last],
    });
    expect(surviving).toEqual([user, last]);
    expect(pruned).toEqual([message]);
  });
});
