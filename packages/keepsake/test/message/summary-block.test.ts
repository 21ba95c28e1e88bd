import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { Message as BedrockMessage } from "@aws-sdk/client-bedrock-runtime";
import type { Content } from "@google/genai";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import type { AgentInputItem } from "@openai/agents-core";
import { Message as StrandsMessage, TextBlock } from "@strands-agents/sdk";
import type { ModelMessage, UIMessage } from "ai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { findSummaryBlocks, makeSummaryBlock, viewOf } from "../../src/message/index.ts";

const summary = "Asha lives in Lisbon.";
const wrapped = `Summary of the conversation so far:\n<conversation_summary>\n${summary}\n</conversation_summary>`;

const responses = [
  { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
  { type: "reasoning", id: "rs_1", summary: [] },
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "hi", annotations: [] }],
  },
  { role: "user", content: "again" },
] satisfies ResponseInputItem[];
const agents = [
  { role: "user", content: [{ type: "input_text", text: "hello" }] },
  { type: "function_call", callId: "c", name: "f", arguments: "{}" },
  { type: "function_call_result", callId: "c", name: "f", status: "completed", output: "x" },
  { role: "assistant", status: "completed", content: [{ type: "output_text", text: "hi" }] },
  { role: "user", content: [{ type: "input_text", text: "again" }] },
] satisfies AgentInputItem[];
const anthropic = [
  { role: "user", content: [{ type: "text", text: "hello" }] },
  { role: "assistant", content: [{ type: "text", text: "hi" }] },
  { role: "user", content: "again" },
] satisfies MessageParam[];
const aiSdk = [
  { role: "user", content: [{ type: "text", text: "hello" }] },
  { role: "assistant", content: [{ type: "text", text: "hi" }] },
  { role: "user", content: "again" },
] satisfies ModelMessage[];
const ui = [
  { id: "1", role: "user", parts: [{ type: "text", text: "hello" }] },
  { id: "2", role: "assistant", parts: [{ type: "step-start" }, { type: "text", text: "hi" }] },
  { id: "3", role: "user", parts: [{ type: "text", text: "again" }] },
] satisfies UIMessage[];
const gemini = [
  { role: "user", parts: [{ text: "hello" }] },
  { role: "model", parts: [{ text: "hi" }] },
  { role: "user", parts: [{ text: "again" }] },
] satisfies Content[];
const bedrock = [
  { role: "user", content: [{ text: "hello" }] },
  { role: "assistant", content: [{ text: "hi" }] },
  { role: "user", content: [{ text: "again" }] },
] satisfies BedrockMessage[];
const strands = bedrock.map(
  ({ role, content }) =>
    new StrandsMessage({ role: role as "user", content: content.map(({ text }) => new TextBlock(text)) }),
);
const langChain = [new HumanMessage("hello"), new AIMessage("hi"), new HumanMessage("again")];

const lists: readonly (readonly [string, readonly unknown[]])[] = [
  ["Responses", responses],
  ["Agents", agents],
  ["Anthropic", anthropic],
  ["AI SDK", aiSdk],
  ["UIMessage", ui],
  ["Gemini", gemini],
  ["Bedrock", bedrock],
  ["Strands", strands],
  ["LangChain", langChain],
  ["LangChain's toDict", langChain.map((message) => message.toDict())],
  ["LangChain's toJSON", langChain.map((message) => JSON.parse(JSON.stringify(message)))],
  [
    "OpenAI chat",
    [
      { role: "user", content: "hello" },
      { role: "assistant", content: "hi" },
      { role: "user", content: "again" },
    ],
  ],
];

describe.each(lists)("a summary block in %s", (_, list) => {
  const block = makeSummaryBlock(summary, list);

  it("is the user's message and the assistant's answer", () => {
    expect(block.map((message) => viewOf(message))).toMatchObject([
      { role: "human", text: wrapped, startsTurn: true },
      { role: "ai", text: "OK", calls: [] },
    ]);
  });

  it("is found, also after a trip through JSON", () => {
    const found = [{ indices: [0, 1], text: summary }];
    expect(findSummaryBlocks([...block, ...list])).toEqual(found);
    expect(findSummaryBlocks(JSON.parse(JSON.stringify([...block, ...list])))).toEqual(found);
    expect(findSummaryBlocks(list)).toEqual([]);
  });

  it("is made the same from the same text", () => {
    const again = makeSummaryBlock(summary, list).map((message) => viewOf(message));
    for (const [index, message] of block.entries()) {
      const { id: __, ...view } = viewOf(message);
      expect(again[index]).toMatchObject(view);
    }
  });
});

it("has the shapes of its formats", () => {
  expect(makeSummaryBlock(summary, responses)).toEqual([
    { type: "message", role: "user", content: [{ type: "input_text", text: wrapped }] },
    {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "OK", annotations: [] }],
    },
  ]);
  const [user, answer] = makeSummaryBlock(summary, ui) as UIMessage[];
  expect(user).toEqual({ id: expect.any(String), role: "user", parts: [{ type: "text", text: wrapped }] });
  expect(answer?.id).not.toBe(user?.id);
  expect(makeSummaryBlock(summary, ui)).toEqual([user, answer]);
  expect(makeSummaryBlock("other", ui)[0]).not.toMatchObject({ id: user?.id });
  expect(makeSummaryBlock(summary, gemini)).toEqual([
    { role: "user", parts: [{ text: wrapped }] },
    { role: "model", parts: [{ text: "OK" }] },
  ]);
  expect(makeSummaryBlock(summary, bedrock)).toEqual([
    { role: "user", content: [{ text: wrapped }] },
    { role: "assistant", content: [{ text: "OK" }] },
  ]);
  for (const message of makeSummaryBlock(summary, strands)) expect(message).toBeInstanceOf(StrandsMessage);
  expect(makeSummaryBlock(summary, langChain)).toMatchObject([
    expect.any(HumanMessage),
    expect.any(AIMessage),
  ]);
});

describe.each([
  ["Bedrock", bedrock],
  ["Strands", strands],
] as const)("in %s, where roles alternate", (_, list) => {
  it("is the assistant's alone behind a user's message", () => {
    const block = makeSummaryBlock(summary, list, "human");
    expect(block.map((message) => viewOf(message))).toMatchObject([{ role: "ai", text: wrapped }]);
    const whole = [list[0], ...block, list[2]];
    const found = [{ indices: [1], text: summary }];
    expect(findSummaryBlocks(whole)).toEqual(found);
    expect(findSummaryBlocks(JSON.parse(JSON.stringify(whole)))).toEqual(found);
  });

  it("is both elsewhere", () => {
    expect(makeSummaryBlock(summary, list, "ai")).toHaveLength(2);
    expect(makeSummaryBlock(summary, gemini, "human")).toHaveLength(2);
  });

  it("is none where the assistant's message answers nobody, or is the last", () => {
    const [alone] = makeSummaryBlock(summary, list, "human");
    expect(findSummaryBlocks([alone, list[2]])).toEqual([]);
    expect(findSummaryBlocks([list[0], alone])).toEqual([]);
  });
});
