import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { JsonBlock, Message, TextBlock, ToolResultBlock } from "@strands-agents/sdk";
import { describe, expect, it } from "vitest";
import { rewriteTexts, viewOf } from "../../src/message/index.ts";

const shout = (texts: readonly string[]): string[] => texts.map((text) => text.toUpperCase());
const cut = (texts: readonly string[]): string[] => texts.map((text) => text.slice(0, 3));

describe("rewriteTexts", () => {
  it.each<[string, unknown, unknown]>([
    ["a text", { role: "user", content: "abcdef", id: "m" }, { role: "user", content: "abc", id: "m" }],
    [
      "OpenAI's tool message",
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "abcdef" }] },
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "abc" }] },
    ],
    [
      "a Responses output",
      { type: "function_call_output", call_id: "c", output: "abcdef" },
      { type: "function_call_output", call_id: "c", output: "abc" },
    ],
    [
      "a Responses output of parts",
      {
        type: "function_call_output",
        call_id: "c",
        output: [
          { type: "input_text", text: "abcdef" },
          { type: "input_image", image_url: "data:abcdef" },
        ],
      },
      {
        type: "function_call_output",
        call_id: "c",
        output: [
          { type: "input_text", text: "abc" },
          { type: "input_image", image_url: "data:abcdef" },
        ],
      },
    ],
    [
      "an Agents result",
      { type: "function_call_result", callId: "c", name: "f", output: { type: "text", text: "abcdef" } },
      { type: "function_call_result", callId: "c", name: "f", output: { type: "text", text: "abc" } },
    ],
    [
      "a shell's output",
      { type: "shell_call_output", call_id: "c", output: [{ stdout: "abcdef", stderr: "ghijkl" }] },
      { type: "shell_call_output", call_id: "c", output: [{ stdout: "abc", stderr: "ghi" }] },
    ],
    [
      "Anthropic's result beside text and thinking",
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "abcdef" },
          { type: "tool_result", tool_use_id: "c2", content: [{ type: "text", text: "abcdef" }] },
          { type: "thinking", thinking: "abcdef", signature: "abcdef" },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "abcdef" } },
          { type: "document", source: { type: "base64", media_type: "application/pdf", data: "abcdef" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "abc" },
          { type: "tool_result", tool_use_id: "c2", content: [{ type: "text", text: "abc" }] },
          { type: "thinking", thinking: "abcdef", signature: "abcdef" },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "abc" } },
          { type: "document", source: { type: "base64", media_type: "application/pdf", data: "abcdef" } },
        ],
      },
    ],
    [
      "the AI SDK's outputs",
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "text", value: "abcdef" } },
          {
            type: "tool-result",
            toolCallId: "b",
            toolName: "f",
            output: { type: "json", value: { abc: 1 } },
          },
          {
            type: "tool-result",
            toolCallId: "d",
            toolName: "f",
            output: {
              type: "content",
              value: [
                { type: "text", text: "abcdef" },
                { type: "media", data: "abcdef" },
              ],
            },
          },
          {
            type: "tool-result",
            toolCallId: "e",
            toolName: "f",
            output: { type: "error-text", value: "abcdef" },
          },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "text", value: "abc" } },
          { type: "tool-result", toolCallId: "b", toolName: "f", output: { type: "text", value: '{"a' } },
          {
            type: "tool-result",
            toolCallId: "d",
            toolName: "f",
            output: {
              type: "content",
              value: [
                { type: "text", text: "abc" },
                { type: "media", data: "abcdef" },
              ],
            },
          },
          {
            type: "tool-result",
            toolCallId: "e",
            toolName: "f",
            output: { type: "error-text", value: "abc" },
          },
        ],
      },
    ],
    [
      "a UI message",
      {
        id: "u",
        role: "assistant",
        parts: [
          { type: "reasoning", text: "abcdef" },
          { type: "text", text: "abcdef" },
          {
            type: "tool-f",
            toolCallId: "a",
            state: "output-available",
            input: { q: "abcdef" },
            output: { abc: 1 },
          },
          { type: "tool-f", toolCallId: "b", state: "output-error", input: {}, errorText: "abcdef" },
        ],
      },
      {
        id: "u",
        role: "assistant",
        parts: [
          { type: "reasoning", text: "abcdef" },
          { type: "text", text: "abc" },
          {
            type: "tool-f",
            toolCallId: "a",
            state: "output-available",
            input: { q: "abcdef" },
            output: '{"a',
          },
          { type: "tool-f", toolCallId: "b", state: "output-error", input: {}, errorText: "abc" },
        ],
      },
    ],
    [
      "Gemini's responses",
      {
        role: "user",
        parts: [
          { text: "abcdef", thought: true },
          { text: "abcdef" },
          {
            partMetadata: { text: "abcdef" },
            functionResponse: { name: "f", response: { output: "abcdef" } },
          },
          { functionResponse: { name: "f", response: { abc: 1 } } },
        ],
      },
      {
        role: "user",
        parts: [
          { text: "abcdef", thought: true },
          { text: "abc" },
          { partMetadata: { text: "abcdef" }, functionResponse: { name: "f", response: { output: "abc" } } },
          { functionResponse: { name: "f", response: { output: '{"a' } } },
        ],
      },
    ],
    [
      "Bedrock's results",
      {
        role: "user",
        content: [
          { toolResult: { toolUseId: "c", content: [{ text: "abcdef" }, { json: { abc: 1 } }] } },
          { guardContent: { text: { text: "abcdef" } } },
          { cachePoint: { type: "default" } },
        ],
      },
      {
        role: "user",
        content: [
          { toolResult: { toolUseId: "c", content: [{ text: "abc" }, { json: { output: '{"a' } }] } },
          { guardContent: { text: { text: "abc" } } },
          { cachePoint: { type: "default" } },
        ],
      },
    ],
    [
      "an object as content",
      { role: "tool", tool_call_id: "c", content: { abc: 1 } },
      { role: "tool", tool_call_id: "c", content: '{"a' },
    ],
    [
      "LangChain's dict",
      { type: "tool", data: { content: "abcdef", tool_call_id: "c" } },
      { type: "tool", data: { content: "abc", tool_call_id: "c" } },
    ],
  ])("rewrites %s", (_, message, expected) => {
    const before = structuredClone(message);
    expect(rewriteTexts(message, cut)).toEqual(expected);
    expect(message).toEqual(before);
  });

  it("keeps LangChain's classes, also in their JSON", () => {
    const message = new ToolMessage({ content: "abcdef", tool_call_id: "c", name: "f" });
    const copy = rewriteTexts(message, cut);
    expect(copy).toBeInstanceOf(ToolMessage);
    expect(copy).toMatchObject({ content: "abc", tool_call_id: "c", name: "f" });
    expect(JSON.parse(JSON.stringify(copy))).toEqual(
      JSON.parse(JSON.stringify(new ToolMessage({ content: "abc", tool_call_id: "c", name: "f" }))),
    );
    expect(message.content).toBe("abcdef");
    const calls = [{ id: "c", name: "f", args: { q: "abcdef" } }];
    const call = rewriteTexts(new AIMessage({ content: "abcdef", tool_calls: calls }), cut);
    expect(call).toMatchObject({ content: "abc", tool_calls: calls });
  });

  it("keeps Strands' classes", () => {
    const result = new ToolResultBlock({
      toolUseId: "c",
      status: "success",
      content: [new TextBlock("abcdef"), new JsonBlock({ json: { abc: 1 } })],
    });
    const message = new Message({ role: "user", content: [new TextBlock("abcdef"), result] });
    const copy = rewriteTexts(message, cut);
    expect(copy).toBeInstanceOf(Message);
    expect((copy as Message).toJSON()).toEqual({
      role: "user",
      trackingId: message.trackingId,
      content: [
        { text: "abc" },
        {
          toolResult: {
            toolUseId: "c",
            status: "success",
            content: [{ text: "abc" }, { json: { output: '{"a' } }],
          },
        },
      ],
    });
    expect(viewOf(message).text).toBe('abcdef\nabcdef\n{"abc":1}');
  });

  it("gives the message back where no text changes, and copies only what does", () => {
    const message = {
      role: "user",
      content: [
        { type: "text", text: "ABC" },
        { type: "text", text: "abc" },
      ],
    };
    expect(rewriteTexts(message, (texts) => texts)).toBe(message);
    const copy = rewriteTexts(message, shout) as typeof message;
    expect(copy).not.toBe(message);
    expect(copy.content[0]).toBe(message.content[0]);
  });

  it.each([
    ["a call", { type: "function_call", call_id: "c", name: "f", arguments: "abcdef" }],
    ["reasoning", { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "abcdef" }] }],
    ["a picture", { role: "user", content: [{ type: "image", image: "abcdef" }] }],
    [
      "an image that was made",
      { type: "image_generation_call", id: "ig", result: "abcdef", status: "completed" },
    ],
    ["null", null],
    ["a number", 7],
  ])("has nothing to rewrite in %s", (_, message) => {
    expect(rewriteTexts(message, cut)).toBeUndefined();
  });

  it("gives up where a class cannot be copied", () => {
    class Private {
      readonly role = "user";
      readonly #text = "abcdef";
      get content(): string {
        return this.#text;
      }
      get id(): string {
        return this.#text;
      }
    }
    expect(rewriteTexts(new Private(), cut)).toBeUndefined();
  });
});
