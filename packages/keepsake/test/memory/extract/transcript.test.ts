import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { renderMemories, transcriptOf } from "../../../src/memory/index.ts";
import { makeSummaryBlock } from "../../../src/message/index.ts";
import { SHAPES, writeShape } from "../../field-reports/shapes.ts";

const said = (messages: readonly unknown[] | string): [string, string][] =>
  transcriptOf(messages).map(({ role, text }) => [role, text]);

describe("transcriptOf", () => {
  test.each(SHAPES)("reads messages, calls and results, and no system prompt, of %s", (shape) => {
    const lines = said(writeShape("S U A[c1] T(c1) A U", shape));
    expect(lines.map(([role]) => role)).toEqual(["human", "ai", "tool", "ai", "human"]);
    expect(lines[1]?.[1]).toMatch(/^\[call /);
    expect(lines.every(([, text]) => text !== "")).toBe(true);
  });

  test("reads a text as a person's words, and nothing out of nothing", () => {
    expect(transcriptOf("I like tea.")).toEqual([
      { role: "human", name: undefined, text: "I like tea.", id: undefined, at: undefined },
    ]);
    expect(transcriptOf("")).toEqual([]);
    expect(transcriptOf([])).toEqual([]);
    expect(transcriptOf([null, 5, "x", [], { role: "user", content: "" }])).toEqual([]);
  });

  test("keeps name, id and time, as the host wrote them", () => {
    const at = new Date("2026-03-06T10:00:00Z");
    expect(
      transcriptOf([
        { role: "user", name: "Asha", id: "a", content: "Hi", createdAt: at },
        new AIMessage({ id: "b", content: "Hello", additional_kwargs: { timestamp: at.getTime() } }),
        {
          lc: 1,
          type: "constructor",
          id: ["HumanMessage"],
          kwargs: { id: "c", content: "Bye", timestamp: at.toISOString() },
        },
      ]),
    ).toEqual([
      { role: "human", name: "Asha", id: "a", text: "Hi", at },
      { role: "ai", name: undefined, id: "b", text: "Hello", at },
      { role: "human", name: undefined, id: "c", text: "Bye", at },
    ]);
  });

  test("parts results from the words beside them", () => {
    expect(
      said([
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "1", name: "weather", input: { city: "Oslo" } }],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "1", content: "4 degrees" },
            { type: "text", text: "Cold!" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
      ]),
    ).toEqual([
      ["ai", '[call weather {"city":"Oslo"}]'],
      ["tool", "4 degrees"],
      ["human", "Cold!\n[image]"],
    ]);
    expect(
      said([
        {
          id: "u",
          role: "assistant",
          parts: [
            { type: "text", text: "Let me see." },
            { type: "reasoning", text: "secret thoughts" },
            {
              type: "tool-weather",
              toolCallId: "1",
              state: "output-available",
              input: { city: "Oslo" },
              output: "4",
            },
          ],
        },
      ]),
    ).toEqual([
      ["ai", 'Let me see.\n[call weather {"city":"Oslo"}]'],
      ["tool", "4"],
    ]);
  });

  test("gives the name of a person to nobody else", () => {
    const content = [
      { type: "tool_result", tool_use_id: "1", content: "4" },
      { type: "text", text: "Cold!" },
    ];
    expect(transcriptOf([{ role: "user", name: "Asha", content }])).toMatchObject([
      { role: "tool", name: undefined },
      { role: "human", name: "Asha" },
    ]);
  });

  test("leaves out the summary of the conversation, and what was only thought", () => {
    const like = [{ role: "user", content: "x" }];
    const messages = [
      ...makeSummaryBlock("They like tea.", like),
      { role: "user", content: "Go on." },
      { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: "s" }] },
    ];
    expect(said(messages)).toEqual([["human", "Go on."]]);
  });

  test("shortens the arguments of calls", () => {
    const call = { id: "1", type: "function", function: { name: "write", arguments: "x".repeat(10_000) } };
    const [line] = said([{ role: "assistant", content: null, tool_calls: [call] }]);
    expect(line?.[1].length).toBeLessThan(600);
  });
});

describe("what was recalled into a prompt", () => {
  const block = renderMemories([
    "Asha likes tea. </recalled_memories> Not the end.",
    {
      key: "k",
      namespace: ["m"],
      value: { content: "Asha lives in Oslo.", role: "human", at: "2026-01-02T00:00:00Z" },
    },
  ]);
  const changed: [string, (text: string) => string][] = [
    ["as it was", (text) => text],
    ["with other line ends", (text) => text.replaceAll("\n", "\r\n")],
    ["indented", (text) => text.replaceAll("\n", "\n    ")],
    ["trimmed", (text) => text.trim()],
    ["with blank lines", (text) => text.replaceAll("\n", "\n\n")],
    ["on one line", (text) => text.replaceAll("\n", " ")],
    [
      "with spaces in its tags",
      (text) => text.replaceAll("<recalled", "< recalled").replaceAll("</", "< / "),
    ],
    ["as HTML", (text) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")],
  ];

  test.each(changed)("is taken out of what anybody says: %s", (_name, change) => {
    const text = `Before.\n${change(block)}\nAfter: Asha moved to Bergen.`;
    const lines = said([
      { role: "system", content: text },
      { role: "user", content: text },
      { role: "assistant", content: text },
      new HumanMessage(text),
      new ToolMessage({ content: text, tool_call_id: "1" }),
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: text }] },
    ]);
    expect(lines.map(([role]) => role)).toEqual(["human", "ai", "human", "tool", "tool"]);
    for (const [, words] of lines) {
      expect(words).not.toMatch(/tea|Oslo|Notes from/);
      expect(words).toContain("Before.");
      expect(words).toContain("After: Asha moved to Bergen.");
    }
  });

  test("leaves no message where it was all that was said", () => {
    expect(said([{ role: "user", content: block }])).toEqual([]);
  });

  const found = JSON.stringify([
    {
      namespace: ["m", "a"],
      key: "k1",
      value: { content: "Likes tea." },
      created_at: "x",
      updated_at: "y",
      score: 1,
    },
    { omitted: 3, next_offset: 1 },
  ]);

  test.each<[string, unknown[]]>([
    [
      "OpenAI",
      [
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "1", type: "function", function: { name: "search_memory", arguments: '{"query":"tea"}' } },
          ],
        },
        { role: "tool", tool_call_id: "1", content: "Likes tea." },
      ],
    ],
    [
      "Anthropic",
      [
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "1", name: "manage_memory", input: { content: "Likes tea." } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "created memory 1" }] },
      ],
    ],
    [
      "LangChain",
      [
        new AIMessage({
          content: "",
          tool_calls: [{ id: "1", name: "search_memory", args: { query: "tea" } }],
        }),
        new ToolMessage({ content: found, tool_call_id: "1", name: "search_memory" }),
      ],
    ],
    [
      "UI messages",
      [
        {
          id: "u",
          role: "assistant",
          parts: [
            {
              type: "tool-search_memory",
              toolCallId: "1",
              state: "output-available",
              input: { query: "tea" },
              output: "Likes tea.",
            },
          ],
        },
      ],
    ],
    [
      "Gemini",
      [
        { role: "model", parts: [{ functionCall: { name: "search_memory", args: { query: "tea" } } }] },
        {
          role: "user",
          parts: [{ functionResponse: { name: "search_memory", response: { output: "Likes tea." } } }],
        },
      ],
    ],
    [
      "items",
      [
        { type: "function_call", call_id: "1", name: "search_memory", arguments: '{"query":"tea"}' },
        { type: "function_call_output", call_id: "1", output: "Likes tea." },
      ],
    ],
    [
      "a result without its call",
      [new ToolMessage({ content: "Likes tea.", tool_call_id: "9", name: "search_memory" })],
    ],
    ["a tool under another name", [{ role: "tool", tool_call_id: "9", content: found }]],
    [
      "an answer under another name",
      [{ role: "tool", tool_call_id: "9", content: "created memory 0b7c-11" }],
    ],
  ])("is left out where a memory tool gave it: %s", (_name, messages) => {
    expect(said(messages)).toEqual([]);
  });

  test.each([
    "[1,2]",
    "[]",
    '[{"namespace":"x"}]',
    '{"namespace":["a"],"key":"k","value":1}',
    "created memory of the trip: it rained",
  ])("other results stay: %s", (content) => {
    expect(said([{ role: "tool", tool_call_id: "9", content }])).toEqual([["tool", content]]);
  });
});
