import { AIMessage, type ContentBlock, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe } from "vitest";
import { itReads, type Row } from "./reading-table.ts";

const data = "A".repeat(1000);
const blocks = (...content: ContentBlock.Standard[]): ContentBlock.Standard[] => content;

const rows: readonly Row[] = [
  [
    "a user's blocks",
    new HumanMessage({
      contentBlocks: blocks(
        { type: "text", text: "see" },
        { type: "image", mimeType: "image/png", data },
        { type: "audio", url: "https://x" },
        { type: "video", fileId: "f" },
        { type: "file", mimeType: "application/pdf", data },
        { type: "text-plain", mimeType: "text/plain", data, text: "words" },
        { type: "text-plain", fileId: "f" },
      ),
    }),
    { role: "human", text: "see\n[image]\n[audio]\n[video]\n[file]\nwords\n[file]", startsTurn: true },
  ],
  [
    "an answer's blocks",
    new AIMessage({
      id: "a1",
      contentBlocks: blocks(
        { type: "reasoning", reasoning: "hm" },
        { type: "text", text: "let me look" },
        { type: "tool_call", id: "c1", name: "f", args: { a: 1 } },
        { type: "invalid_tool_call", id: "c2", name: "g", args: "{" },
      ),
      response_metadata: { output_version: "v1" },
    }),
    {
      role: "ai",
      id: "a1",
      text: "let me look",
      thought: "hm",
      calls: ["c1"],
      nature: { offers: ["c2"] },
      made: [
        ["f", { a: 1 }],
        ["g", "{"],
      ],
    },
  ],
  [
    "a tool that the provider ran",
    new AIMessage({
      contentBlocks: blocks(
        { type: "server_tool_call", id: "s1", name: "web_search", args: { query: "q" } },
        { type: "server_tool_call_result", toolCallId: "s1", status: "success", output: { found: 1 } },
        { type: "text", text: "there" },
      ),
    }),
    { role: "ai", text: '{"found":1}\nthere', made: [["web_search", { query: "q" }]] },
  ],
  [
    "calls in the content and beside it, each once",
    new AIMessage({
      content: [
        { type: "tool_use", id: "c1", name: "f", input: { a: 1 } },
        { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
        { type: "web_search_tool_result", tool_use_id: "s1", content: [] },
      ],
      tool_calls: [{ id: "c1", name: "f", args: { a: 1 } }],
    }),
    {
      role: "ai",
      calls: ["c1"],
      nature: { uniqueCalls: true },
      made: [
        ["f", { a: 1 }],
        ["web_search", {}],
      ],
    },
  ],
  [
    "a block that LangChain has no name for",
    new AIMessage({
      contentBlocks: blocks(
        { type: "non_standard", value: { type: "thinking", thinking: "hm" } },
        { type: "text", text: "yes" },
      ),
    }),
    { role: "ai", text: "yes", thought: "hm" },
  ],
  [
    "reasoning beside the content",
    new AIMessage({
      content: "yes",
      additional_kwargs: {
        reasoning: { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
      },
    }),
    { role: "ai", text: "yes", thought: "hm", bound: ["rs_1"] },
  ],
  [
    "reasoning of other providers beside the content",
    new AIMessage({ content: "yes", additional_kwargs: { reasoning_content: "hm" } }),
    { role: "ai", text: "yes", thought: "hm" },
  ],
  [
    "a result of blocks",
    new ToolMessage({
      tool_call_id: "c1",
      content: [
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
      ],
    }),
    { role: "tool", text: "see\n[image]", results: ["c1"] },
  ],
];

describe("LangChain's content blocks", () => {
  itReads(rows);
});

describe("LangChain's content blocks in JSON", () => {
  itReads(
    rows.map(([name, message, expected]): Row => [name, JSON.parse(JSON.stringify(message)), expected]),
  );
});
