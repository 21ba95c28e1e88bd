import type { Content } from "@google/genai";
import type { AgentInputItem } from "@openai/agents-core";
import type { ModelMessage, UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { estimateTokens, recordOf, rewriteTexts, viewOf } from "../../src/message/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";

const png = `iVBORw0KGgo${"Ab9/".repeat(30_000)}==`;
const blob = "A".repeat(100_000);
const words = "what the tool has to say ".repeat(200);

const ui = (output: unknown): UIMessage => ({
  id: "m",
  role: "assistant",
  parts: [
    { type: "tool-image_generation", toolCallId: "c", state: "output-available", input: {}, output },
  ] as UIMessage["parts"],
});
type Output = Extract<
  Extract<ModelMessage, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];
const model = (output: Output): ModelMessage => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "c", toolName: "f", output }],
});
const mcp = {
  content: [
    { type: "text", text: "see" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "audio", data: blob, mimeType: "audio/wav" },
  ],
};
const mcpText = '{"content":[{"text":"see","type":"text"},"[image]","[audio]"]}';
const gemini = (response: Record<string, unknown>): Content => ({
  role: "user",
  parts: [{ functionResponse: { name: "f", response } }],
});
const agents: AgentInputItem = {
  type: "hosted_tool_call",
  id: "ig_1",
  name: "image_generation_call",
  status: "completed",
  output: png,
};

/** A message with media in what a tool gave, its text, and what the media cost. */
const rows: readonly (readonly [name: string, message: unknown, text: string, cost: number])[] = [
  ["a picture that OpenAI's Agents made", agents, "[image]", 1000],
  ["a picture in a tool part", ui({ result: png }), '{"result":"[image]"}', 1000],
  ["a file in a tool part", ui({ result: blob }), '{"result":"[file]"}', 2000],
  ["an MCP result in a tool part", ui(mcp), mcpText, 2000],
  [
    "JSON of the AI SDK",
    model({ type: "json", value: { a: 1, list: [png, `data:video/mp4;base64,${blob}`] } }),
    '{"a":1,"list":["[image]","[video]"]}',
    5000,
  ],
  ["JSON that is one string", model({ type: "json", value: blob }), "[file]", 2000],
  ["an MCP result in JSON", model({ type: "json", value: mcp }), mcpText, 2000],
  [
    "content of the AI SDK",
    model({
      type: "content",
      value: [
        { type: "media", data: blob, mediaType: "image/png" },
        { type: "file-data", data: blob, mediaType: "application/pdf" },
      ],
    }),
    "[image]\n[file]",
    3000,
  ],
  ["Gemini's output", gemini({ output: png }), "[image]", 1000],
  ["Gemini's JSON", gemini({ picture: png }), '{"picture":"[image]"}', 1000],
  [
    "Bedrock's JSON",
    { role: "user", content: [{ toolResult: { toolUseId: "c", content: [{ json: { png } }] } }] },
    '{"png":"[image]"}',
    1000,
  ],
  ["an object as content", { role: "tool", tool_call_id: "c", content: { png } }, '{"png":"[image]"}', 1000],
];

describe("media in what a tool gave", () => {
  it.each(rows)("%s: has a placeholder", (_, message, text, cost) => {
    expect(viewOf(message).text).toBe(text);
    expect(estimateTokens(message)).toBeGreaterThanOrEqual(cost);
    expect(estimateTokens(message)).toBeLessThan(cost + 60);
  });

  it.each(rows)("%s: is never cut", (_, message) => {
    expect(rewriteTexts(message, (texts) => texts.map(() => "cut")) ?? message).toEqual(message);
  });

  it("stays as it is in a message that is over its limit", async () => {
    const existing = [{ role: "user", content: "draw" }, agents];
    const reducer = new MessageReducer<unknown>({ maxTokens: 8000, maxMessageTokens: 50 });
    expect((await reducer.reduce({ existing })).surviving[1]).toBe(agents);
  });

  it("leaves the words beside it to be cut", () => {
    const message = ui({ content: [{ type: "text", text: words }, mcp.content[2]] });
    expect(rewriteTexts(message, (texts) => texts.map((text) => text.slice(0, 8)))).toEqual(
      ui({ content: [{ type: "text", text: "what the" }, mcp.content[2]] }),
    );
  });

  it.each([
    ["words", { text: words }],
    ["short base64", { token: "A".repeat(1000) }],
    ["an entry of a list of files", { files: [{ type: "file", mimeType: "text/plain", name: "a.txt" }] }],
    ["a long path with spaces", { path: `${"a/".repeat(600)} b` }],
    ["a cycle", cyclic()],
  ])("is not %s", (_, output) => {
    expect(viewOf(ui(output)).text).not.toMatch(/\[(?:image|file)\]/);
    expect(recordOf(ui(output))).toBeDefined();
  });
});

function cyclic(): object {
  const object: Record<string, unknown> = {};
  object.self = object;
  return object;
}
