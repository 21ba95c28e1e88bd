import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { Message as BedrockMessage } from "@aws-sdk/client-bedrock-runtime";
import type { Content } from "@google/genai";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ModelMessage, UIMessage } from "ai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { viewOf } from "../../src/message/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";
import { validateWindow, type WindowProvider } from "../../src/window/index.ts";

const providers: Readonly<Record<string, WindowProvider>> = {
  Responses: "openai-responses",
  Anthropic: "anthropic",
  Gemini: "gemini",
  Bedrock: "bedrock",
};
const user = { role: "user", content: "hello" } as const;
const answer = { role: "assistant", content: "there" } as const;

const rs = (id: string): ResponseInputItem => ({ type: "reasoning", id, summary: [] });
const fc = (id: string, callerId?: string): ResponseInputItem => ({
  type: "function_call",
  call_id: id,
  name: "f",
  arguments: "{}",
  ...(callerId === undefined ? {} : { caller: { type: "program" as const, caller_id: callerId } }),
});
const fco = (id: string): ResponseInputItem => ({ type: "function_call_output", call_id: id, output: "ok" });
const msg = (id: string): ResponseInputItem => ({
  type: "message",
  id,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "there", annotations: [] }],
});

const call = (toolCallId: string, providerExecuted = false) =>
  ({ type: "tool-call", toolCallId, toolName: "f", input: {}, providerExecuted }) as const;
const result = (toolCallId: string) =>
  ({ type: "tool-result", toolCallId, toolName: "f", output: { type: "text", value: "ok" } }) as const;
const asks = (toolCallId: string, providerExecuted = false): ModelMessage => ({
  role: "assistant",
  content: [
    call(toolCallId, providerExecuted),
    { type: "tool-approval-request", approvalId: `p-${toolCallId}`, toolCallId },
  ],
});
const approves = (toolCallId: string, approved = true): ModelMessage => ({
  role: "tool",
  content: [{ type: "tool-approval-response", approvalId: `p-${toolCallId}`, approved }],
});

const calls = (...functionCalls: readonly { id?: string; name: string }[]): Content => ({
  role: "model",
  parts: functionCalls.map((functionCall) => ({ functionCall })),
});
const responds = (...responses: readonly { id?: string; name: string }[]): Content => ({
  role: "user",
  parts: responses.map((response) => ({ functionResponse: { ...response, response: { output: "ok" } } })),
});
/** Ollama's own format, whose package is not at hand: calls without ids, results that name their tool. */
const ollamaCalls = (...names: readonly string[]) => ({
  role: "assistant",
  content: "",
  tool_calls: names.map((name) => ({ function: { name, arguments: { city: "Lisbon" } } })),
});
const ollamaResult = (tool_name: string) => ({ role: "tool", tool_name, content: "ok" });

const asked: Content = { role: "user", parts: [{ text: "hello" }] };
const told: Content = { role: "model", parts: [{ text: "there" }] };

const toolUse = (...ids: readonly string[]): BedrockMessage => ({
  role: "assistant",
  content: ids.map((toolUseId) => ({ toolUse: { toolUseId, name: "f", input: {} } })),
});
const toolResult = (...ids: readonly string[]): BedrockMessage => ({
  role: "user",
  content: ids.map((toolUseId) => ({ toolResult: { toolUseId, content: [{ text: "ok" }] } })),
});

const ui = (
  state: "input-available" | "approval-requested" | "output-available",
  toolCallId = "c1",
): UIMessage => ({
  id: "a",
  role: "assistant",
  parts: [
    {
      type: "dynamic-tool",
      toolName: "f",
      toolCallId,
      input: {},
      ...(state === "output-available"
        ? { state, output: "ok" }
        : state === "input-available"
          ? { state }
          : { state, approval: { id: "p" } }),
    },
  ],
});
/** As AI SDK 4 has them, with the words in the content too. */
const ui4 = (state: "partial-call" | "call" | "result", toolCallId = "c1"): object => ({
  id: "a",
  role: "assistant",
  content: "so",
  parts: [
    {
      type: "tool-invocation",
      toolInvocation: {
        state,
        toolCallId,
        toolName: "f",
        args: {},
        ...(state === "result" ? { result: "ok" } : {}),
      },
    },
    { type: "text", text: "so" },
  ],
});
const uiUser: UIMessage = { id: "u", role: "user", parts: [{ type: "text", text: "hello" }] };

const sound: readonly (readonly [string, readonly unknown[]])[] = [
  [
    "Responses: reasoning, calls, outputs",
    [user, rs("1"), fc("a"), fc("b"), fco("b"), fco("a"), rs("2"), msg("m")],
  ],
  [
    "Responses: calls of one answer, one by one",
    [user, rs("1"), fc("a"), fco("a"), fc("b"), fco("b"), rs("2"), msg("m")],
  ],
  [
    "Responses: reasoning before each hosted call",
    [
      user,
      rs("1"),
      { type: "web_search_call", id: "ws", status: "completed" },
      rs("2"),
      { type: "code_interpreter_call", id: "ci", code: "1", outputs: null },
      msg("m"),
    ],
  ],
  [
    "Responses: a program and the calls from within it",
    [
      user,
      { type: "program", id: "pg", call_id: "p", code: "", fingerprint: "" },
      fc("a", "p"),
      fco("a"),
      fc("b", "p"),
      fco("b"),
      { type: "program_output", id: "po", call_id: "p", result: "ok", status: "completed" },
      msg("m"),
    ],
  ],
  [
    "Responses: an approval",
    [
      user,
      { type: "mcp_approval_request", id: "p", server_label: "s", name: "f", arguments: "{}" },
      { type: "mcp_approval_response", approval_request_id: "p", approve: true },
      { type: "mcp_call", id: "mc", server_label: "s", name: "f", arguments: "{}", output: "ok" },
      msg("m"),
    ],
  ],
  ["Responses: calls at the end", [user, rs("1"), fc("a"), fc("b"), fco("a")]],
  ["AI SDK: an approval without its result at the end", [user, asks("c"), approves("c")]],
  [
    "AI SDK: an approval, then its result",
    [user, asks("c"), approves("c"), { role: "tool", content: [result("c")] }, answer],
  ],
  [
    "AI SDK: an approval of what the provider runs",
    [
      user,
      asks("c", true),
      approves("c"),
      { role: "assistant", content: [result("c"), { type: "text", text: "ok" }] },
    ],
  ],
  [
    "AI SDK: a refusal of what the provider runs",
    [user, asks("c", true), approves("c", false), answer, user],
  ],
  [
    "AI SDK: a result that the provider gives later",
    [user, { role: "assistant", content: [call("c", true)] }, { role: "assistant", content: [result("c")] }],
  ],
  [
    "Anthropic: a server's tool in two messages",
    [
      user,
      { role: "assistant", content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }] },
      {
        role: "assistant",
        content: [
          { type: "web_search_tool_result", tool_use_id: "s", content: [] },
          { type: "text", text: "there" },
        ],
      },
    ] satisfies MessageParam[],
  ],
  [
    "Anthropic: calls from within code, one by one",
    [
      user,
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "s", name: "code_execution", input: {} },
          {
            type: "tool_use",
            id: "a",
            name: "f",
            input: {},
            caller: { type: "code_execution_20250825", tool_id: "s" },
          },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] },
      {
        role: "assistant",
        content: [
          {
            type: "tool_use",
            id: "b",
            name: "f",
            input: {},
            caller: { type: "code_execution_20250825", tool_id: "s" },
          },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "b" }] },
      {
        role: "assistant",
        content: [
          {
            type: "code_execution_tool_result",
            tool_use_id: "s",
            content: { type: "code_execution_result", stdout: "", stderr: "", return_code: 0, content: [] },
          },
        ],
      },
    ] satisfies MessageParam[],
  ],
  [
    "Gemini: calls with ids",
    [
      asked,
      calls({ id: "1", name: "f" }, { id: "2", name: "f" }),
      responds({ id: "2", name: "f" }, { id: "1", name: "f" }),
      told,
    ],
  ],
  [
    "Gemini: calls without ids",
    [
      asked,
      calls({ name: "f" }, { name: "f" }, { name: "g" }),
      responds({ name: "g" }, { name: "f" }, { name: "f" }),
      told,
    ],
  ],
  [
    "Gemini: calls with ids, responses without",
    [
      asked,
      calls({ id: "1", name: "f" }, { id: "2", name: "f" }),
      responds({ name: "f" }, { name: "f" }),
      told,
    ],
  ],
  [
    "Gemini: calls without ids, responses with",
    [
      asked,
      calls({ name: "f" }, { name: "f" }),
      responds({ id: "f-1", name: "f" }, { id: "f-2", name: "f" }),
      told,
    ],
  ],
  [
    "Gemini: ids for some calls and some responses",
    [
      asked,
      calls({ id: "1", name: "f" }, { name: "f" }),
      responds({ name: "f" }, { id: "1", name: "f" }),
      calls({ name: "f" }, { id: "2", name: "g" }),
      responds({ id: "2", name: "g" }),
      responds({ id: "3", name: "f" }),
      told,
    ],
  ],
  [
    "Gemini: a response in a content of its own for each",
    [asked, calls({ name: "f" }, { name: "f" }), responds({ name: "f" }), responds({ name: "f" }), told],
  ],
  [
    "Gemini: the same names turn after turn",
    [
      asked,
      calls({ name: "f" }),
      responds({ name: "f" }),
      calls({ name: "f" }),
      responds({ name: "f" }),
      told,
    ],
  ],
  [
    "Ollama: calls without ids",
    [
      user,
      ollamaCalls("f", "g", "f"),
      ollamaResult("f"),
      ollamaResult("f"),
      ollamaResult("g"),
      ollamaCalls("f"),
      ollamaResult("f"),
      answer,
    ],
  ],
  [
    "Ollama: a result that names the tool as the speaker, or an id of its own",
    [
      user,
      ollamaCalls("f", "g"),
      { role: "tool", name: "g", content: "ok" },
      { role: "tool", name: "f", tool_call_id: "f-1", content: "ok" },
      answer,
    ],
  ],
  [
    "Ollama: a call with an id, a result that names the tool",
    [
      user,
      { role: "assistant", content: "", tool_calls: [{ id: "call_1", function: { name: "f" } }] },
      ollamaResult("f"),
      answer,
    ],
  ],
  [
    "Ollama: a result without a name for the only call",
    [user, ollamaCalls("f"), { role: "tool", content: "ok" }, answer],
  ],
  [
    "numbers as ids",
    [
      user,
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: 1, function: { name: "f" } },
          { id: 0, function: { name: "f" } },
        ],
      },
      { role: "tool", tool_call_id: 0, content: "ok" },
      { role: "tool", tool_call_id: 1, content: "ok" },
      answer,
    ],
  ],
  [
    "Bedrock",
    [asked, toolUse("a", "b"), toolResult("b", "a"), { role: "assistant", content: [{ text: "there" }] }],
  ],
  ["UIMessage: a call at the end", [uiUser, ui("output-available", "c0"), uiUser, ui("input-available")]],
  ["UIMessage of AI SDK 4: a call at the end", [uiUser, ui4("result", "c0"), uiUser, ui4("call")]],
  ["UIMessage: a question for approval at the end", [uiUser, ui("approval-requested")]],
  [
    "LangChain: an invalid call that was left",
    [
      new HumanMessage("hello"),
      new AIMessage({ content: [{ type: "invalid_tool_call", id: "x", name: "f", args: "{" }] }),
      new HumanMessage("again"),
    ],
  ],
  [
    "LangChain: an invalid call that was answered",
    [
      new HumanMessage("hello"),
      new AIMessage({ content: [{ type: "invalid_tool_call", id: "x", name: "f", args: "{" }] }),
      new ToolMessage({ content: "no JSON", tool_call_id: "x" }),
      new AIMessage("sorry"),
    ],
  ],
];

describe("exchanges that are sound", () => {
  it.each(sound)("%s: nothing leaves", async (_, list) => {
    const { surviving, pruned } = await new MessageReducer<unknown>().reduce({ existing: list });
    expect(pruned).toEqual([]);
    expect(surviving).toEqual(list);
  });

  it.each(sound)("%s: in a window of any size what stays is sound", async (_, list) => {
    const existing = [...list, ...list, user, answer];
    for (let maxMessages = 2; maxMessages <= existing.length; maxMessages += 1) {
      const reducer = new MessageReducer<unknown>({ maxMessages, minMessages: 1, preserveFirst: false });
      const { surviving } = await reducer.reduce({ existing });
      expect(viewOf(surviving[0]).startsTurn).toBe(true);
      expect((await new MessageReducer<unknown>().reduce({ existing: surviving })).pruned).toEqual([]);
    }
  });
});

describe("exchanges that are sound, to the validator", () => {
  it.each(sound)("%s", (name, list) => {
    const provider = providers[name.split(/:? /)[0] ?? ""] ?? "any";
    const violations = validateWindow(list, { provider });
    expect(violations).toEqual([]);
  });
});

const broken: readonly (readonly [string, readonly unknown[], readonly number[]])[] = [
  ["Responses: reasoning that led to nothing", [user, rs("1"), user, answer], [1]],
  [
    "Responses: reasoning whose calls were not answered",
    [user, rs("1"), fc("a"), fc("b"), fco("a"), user, answer],
    [1, 2, 3, 4],
  ],
  ["Responses: an output without its call", [user, fco("a"), msg("m")], [1]],
  [
    "Responses: an output without an id",
    [user, { type: "function_call_output", output: "ok" }, msg("m")],
    [1],
  ],
  [
    "Responses: a program without its output",
    [user, { type: "program", call_id: "p", code: "" }, fc("a", "p"), fco("a"), user],
    [1],
  ],
  ["AI SDK: an approval without its request", [user, approves("c"), answer], [1]],
  ["AI SDK: a request without an answer", [user, asks("c"), user, answer], [1]],
  ["AI SDK: a refusal without its result", [user, asks("c"), approves("c", false), user, answer], [1, 2]],
  ["Gemini: a response without its call", [asked, responds({ name: "f" }), told], [1]],
  [
    "Gemini: a call that was not answered",
    [asked, calls({ name: "f" }, { name: "g" }), responds({ name: "f" }), asked],
    [1, 2],
  ],
  [
    "Gemini: a response with another id than its call",
    [asked, calls({ id: "1", name: "f" }), responds({ id: "2", name: "f" }), asked],
    [1, 2],
  ],
  [
    "Gemini: two responses with ids to one call without",
    [asked, calls({ name: "f" }), responds({ id: "1", name: "f" }), responds({ id: "2", name: "f" }), told],
    [3],
  ],
  [
    "Gemini: a response of another name",
    [asked, calls({ name: "f" }), responds({ name: "g" }), asked],
    [1, 2],
  ],
  ["a tool's message without an id, and no call", [user, { role: "tool", content: "ok" }, answer], [1]],
  [
    "a tool's message without an id, and two calls",
    [user, ollamaCalls("f", "g"), { role: "tool", content: "ok" }, user],
    [1, 2],
  ],
  [
    "a tool's message without id and name, and a call with an id",
    [
      user,
      { role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "f" } }] },
      { role: "tool", content: "ok" },
      user,
    ],
    [1, 2],
  ],
  ["Ollama: a result of another tool", [user, ollamaCalls("f"), ollamaResult("g"), user], [1, 2]],
  ["Ollama: a second result", [user, ollamaCalls("f"), ollamaResult("f"), ollamaResult("f"), answer], [3]],
  [
    "Bedrock: an id that is used again",
    [asked, toolUse("a"), toolResult("a"), asked, toolUse("a"), toolResult("a")],
    [1, 2],
  ],
  ["UIMessage: a call in the middle", [uiUser, ui("input-available"), uiUser], [1]],
  ["UIMessage of AI SDK 4: a call in the middle", [uiUser, ui4("call"), uiUser], [1]],
  ["UIMessage of AI SDK 4: half a call in the middle", [uiUser, ui4("partial-call"), uiUser], [1]],
  [
    "Anthropic: thinking alone",
    [user, { role: "assistant", content: [{ type: "thinking", thinking: "hm" }] }, user],
    [1],
  ],
];

describe("exchanges that no provider accepts", () => {
  it.each(broken)("%s", async (_, list, leaves) => {
    const { surviving } = await new MessageReducer<unknown>().reduce({ existing: list });
    expect(surviving).toEqual(list.filter((__, index) => !leaves.includes(index)));
  });
});

describe("exchanges that no provider accepts, to the validator", () => {
  it.each(broken)("%s", (_, list) => {
    expect(validateWindow(list, { provider: "any" })).not.toEqual([]);
  });
});
