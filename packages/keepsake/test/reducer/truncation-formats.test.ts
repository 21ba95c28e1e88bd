import { describe, expect, it } from "vitest";
import { estimateTokens, rewriteTexts, viewOf } from "../../src/message/index.ts";
import { validateWindow, type WindowProvider } from "../../src/window/index.ts";
import { json, long, type Message, marker, scope, truncating, user } from "./truncating.ts";

describe("a message of several parts", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const call = {
    id: "c",
    type: "function",
    function: { name: "write", arguments: JSON.stringify({ long }) },
  };
  it.each<[string, number, Message]>([
    ["media", 1000, { role: "user", content: [{ type: "text", text: long }, image, image] }],
    [
      "results with media",
      1000,
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: long }, image, image] },
        ],
      },
    ],
    ["the arguments of calls", 1000, { role: "assistant", content: long, tool_calls: [call] }],
    [
      "many parts",
      1000,
      {
        role: "user",
        content: [
          image,
          image,
          ...Array.from({ length: 300 }, () => ({ type: "text", text: long.slice(0, 400) })),
        ],
      },
    ],
    ["nothing else, under a limit of one", 1, user(long)],
  ])("is as short as it can be beside %s that are over the limit", async (_, maxMessageTokens, message) => {
    const list =
      viewOf(message).results.length > 0
        ? [
            user("?"),
            { role: "assistant", content: [{ type: "tool_use", id: "c", name: "see", input: {} }] },
            message,
          ]
        : [user("?"), message];
    const { reducer, given } = truncating({ maxMessageTokens, maxTokens: 1500 });
    const { surviving, truncated, overBudget } = await reducer.reduce({ existing: list, ...scope });
    expect([truncated, given]).toEqual([[message], [message]]);
    const copy = surviving.at(-1);
    const { tool_calls: none, content } = copy as Message;
    const tokens = estimateTokens(copy);
    expect(tokens).toBeLessThan(estimateTokens(message));
    if (none === undefined && Array.isArray(content) && content.length < 100)
      expect(tokens).toBeLessThan(2200);
    expect(overBudget).toBe(surviving.reduce((sum, shown) => sum + estimateTokens(shown), 0) > 1500);
    const again = truncating({ maxMessageTokens, maxTokens: 1500 });
    const existing = json(surviving);
    expect(await again.reducer.reduce({ existing, ...scope })).toMatchObject({
      surviving: existing,
      truncated: [],
    });
  });

  it("keeps a short question beside media that are over the limit", async () => {
    const question = "What is on these two pictures, and how do they differ from those of yesterday? ".repeat(
      2,
    );
    const list = [{ role: "user", content: [{ type: "text", text: question }, image, image] }];
    const { reducer } = truncating({ maxMessageTokens: 1000 });
    expect(await reducer.reduce({ existing: list, ...scope })).toMatchObject({
      surviving: list,
      truncated: [],
    });
  });

  it("is shortened in its largest text, and keeps reasoning and calls", async () => {
    const reasoning = { type: "thinking", thinking: "a thought", signature: "s" };
    const message = {
      role: "assistant",
      content: [
        reasoning,
        { type: "text", text: "Look:" },
        { type: "text", text: long },
        { type: "tool_use", id: "c", name: "look", input: { at: 1 } },
      ],
    };
    const { reducer } = truncating();
    const { surviving } = await reducer.reduce({ existing: [user("?"), message], ...scope });
    const parts = (surviving[1] as typeof message).content;
    expect([parts[0], parts[1], parts[3]]).toEqual([
      reasoning,
      { type: "text", text: "Look:" },
      message.content[3],
    ]);
    expect(marker.test(String((parts[2] as { text: string }).text))).toBe(true);
  });

  it("of several large texts is shortened in as many as it takes", async () => {
    const content = [long, long, "end"].map((text) => ({ type: "text", text }));
    const { reducer } = truncating();
    const { truncated, surviving } = await reducer.reduce({
      existing: [{ role: "user", content }],
      ...scope,
    });
    expect(truncated).toHaveLength(1);
    expect(estimateTokens(surviving[0])).toBeLessThanOrEqual(200);
    expect(viewOf(surviving[0]).text.endsWith("end")).toBe(true);
  });
});

/** A question, a call, and a result larger than the whole budget. */
const exchanges: Readonly<Record<string, [WindowProvider, Message[]]>> = {
  "OpenAI chat": [
    "openai-chat",
    [
      user("?"),
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: long },
    ],
  ],
  Responses: [
    "openai-responses",
    [
      { type: "message", role: "user", content: [{ type: "input_text", text: "?" }] },
      { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: long },
    ],
  ],
  Anthropic: [
    "anthropic",
    [
      user("?"),
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "look", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: long }] }],
      },
    ],
  ],
  "AI SDK, text": [
    "any",
    [
      user("?"),
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "look", input: {} }] },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c", toolName: "look", output: { type: "text", value: long } },
        ],
      },
    ],
  ],
  "AI SDK, JSON": [
    "any",
    [
      user("?"),
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "look", input: {} }] },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c",
            toolName: "look",
            output: { type: "json", value: { lines: long.split("\n") } },
          },
        ],
      },
    ],
  ],
  "UI message": [
    "any",
    [
      { id: "1", role: "user", parts: [{ type: "text", text: "?" }] },
      {
        id: "2",
        role: "assistant",
        parts: [
          {
            type: "tool-look",
            toolCallId: "c",
            state: "output-available",
            input: {},
            output: { lines: long },
          },
        ],
      },
    ],
  ],
  Gemini: [
    "gemini",
    [
      { role: "user", parts: [{ text: "?" }] },
      { role: "model", parts: [{ functionCall: { name: "look", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "look", response: { output: long } } }] },
    ],
  ],
  "Gemini, JSON": [
    "gemini",
    [
      { role: "user", parts: [{ text: "?" }] },
      { role: "model", parts: [{ functionCall: { name: "look", args: {} } }] },
      {
        role: "user",
        parts: [{ functionResponse: { name: "look", response: { lines: long.split("\n") } } }],
      },
    ],
  ],
  Bedrock: [
    "bedrock",
    [
      { role: "user", content: [{ text: "?" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "c", name: "look", input: {} } }] },
      { role: "user", content: [{ toolResult: { toolUseId: "c", content: [{ text: long }] } }] },
    ],
  ],
  "Bedrock, JSON": [
    "bedrock",
    [
      { role: "user", content: [{ text: "?" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "c", name: "look", input: {} } }] },
      {
        role: "user",
        content: [{ toolResult: { toolUseId: "c", content: [{ json: { lines: long.split("\n") } }] } }],
      },
    ],
  ],
};

describe.each(Object.entries(exchanges))(
  "a result larger than the whole budget: %s",
  (_, [provider, messages]) => {
    it("does not end in a loop: the window fits, is valid, and stays the same", async () => {
      const { reducer, given } = truncating({ maxTokens: 1000, maxMessageTokens: 500 });
      const before = json(messages);
      const first = await reducer.reduce({ existing: messages, ...scope });
      expect(messages).toEqual(before);
      expect(first).toMatchObject({
        overBudget: false,
        pruned: [messages.at(-1)],
        truncated: [messages.at(-1)],
      });
      expect(given).toEqual([messages.at(-1)]);
      expect(first.surviving).toHaveLength(messages.length);
      expect(validateWindow(first.surviving, { provider })).toEqual([]);
      expect(viewOf(first.surviving.at(-1)).results).toEqual(viewOf(messages.at(-1)).results);
      const again = truncating({ maxTokens: 1000, maxMessageTokens: 500 });
      const second = await again.reducer.reduce({ existing: json(first.surviving), ...scope });
      expect(second).toMatchObject({ surviving: json(first.surviving), pruned: [], truncated: [] });
      await again.reducer.handOver({ messages: json(first.surviving), ...scope });
      expect(again.given).toHaveLength(messages.length - 1);
    });
  },
);

it("leaves no writer out: a copy of every text is made", () => {
  for (const [, messages] of Object.values(exchanges))
    expect(rewriteTexts(messages.at(-1), (texts) => texts.map((text) => `${text}.`))).toBeDefined();
});
