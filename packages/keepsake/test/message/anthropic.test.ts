import type { BetaMessageParam } from "@anthropic-ai/sdk/resources/beta/messages/messages";
import { describe } from "vitest";
import { itReads, type Row } from "./reading-table.ts";

const data = "A".repeat(1000);
const uniqueCalls = true;

const rows = [
  ["a user's text", { role: "user", content: "hello" }, { role: "human", text: "hello", startsTurn: true }],
  [
    "a user's blocks",
    {
      role: "user",
      content: [
        { type: "text", text: "see" },
        { type: "image", source: { type: "base64", media_type: "image/png", data } },
        { type: "document", source: { type: "base64", media_type: "application/pdf", data } },
        {
          type: "document",
          title: "a.txt",
          source: { type: "text", media_type: "text/plain", data: "words" },
        },
        { type: "document", source: { type: "content", content: [{ type: "text", text: "more" }] } },
        { type: "search_result", source: "s", title: "T", content: [{ type: "text", text: "found" }] },
        { type: "container_upload", file_id: "f" },
      ],
    },
    {
      role: "human",
      text: "see\n[image]\n[file]\na.txt\nwords\nmore\nT\nfound\n[file]",
      startsTurn: true,
    },
  ],
  [
    "thinking and calls",
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: data },
        { type: "redacted_thinking", data },
        { type: "text", text: "let me look" },
        { type: "tool_use", id: "c1", name: "f", input: { a: 1 } },
        { type: "tool_use", id: "c2", name: "g", input: {} },
      ],
    },
    {
      role: "ai",
      text: "let me look",
      thought: "hm",
      calls: ["c1", "c2"],
      nature: { uniqueCalls },
      made: [
        ["f", { a: 1 }],
        ["g", {}],
      ],
    },
  ],
  [
    "results",
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: "21 °C" },
        {
          type: "tool_result",
          tool_use_id: "c2",
          is_error: true,
          content: [
            { type: "text", text: "oops" },
            { type: "image", source: { type: "base64", media_type: "image/png", data } },
          ],
        },
      ],
    },
    { role: "human", text: "21 °C\noops\n[image]", results: ["c1", "c2"] },
  ],
  [
    "results next to words",
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1" },
        { type: "text", text: "and now this" },
      ],
    },
    { role: "human", text: "and now this", results: ["c1"], startsTurn: true },
  ],
  [
    "results next to a cache mark",
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1" },
        { type: "text", text: " " },
      ],
    },
    { role: "human", text: " ", results: ["c1"] },
  ],
  [
    "a tool that Anthropic ran, in one message",
    {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "s1",
          content: [{ type: "web_search_result", title: "T", url: "https://x", encrypted_content: data }],
        },
        { type: "text", text: "there" },
      ],
    },
    {
      role: "ai",
      text: "T\nhttps://x\nthere",
      nature: { uniqueCalls },
      made: [["web_search", { query: "q" }]],
    },
  ],
  [
    "the first of two messages",
    {
      role: "assistant",
      content: [{ type: "server_tool_use", id: "s1", name: "web_fetch", input: { url: "u" } }],
    },
    { role: "ai", calls: ["s1"], nature: { uniqueCalls }, made: [["web_fetch", { url: "u" }]] },
  ],
  [
    "the second",
    {
      role: "assistant",
      content: [
        {
          type: "web_fetch_tool_result",
          tool_use_id: "s1",
          content: {
            type: "web_fetch_result",
            url: "u",
            content: { type: "document", source: { type: "text", media_type: "text/plain", data: "page" } },
          },
        },
        { type: "text", text: "there" },
      ],
    },
    { role: "ai", text: "page\nthere", results: ["s1"] },
  ],
  [
    "code that Anthropic ran",
    {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "s1", name: "bash_code_execution", input: { command: "ls" } },
        {
          type: "bash_code_execution_tool_result",
          tool_use_id: "s1",
          content: {
            type: "bash_code_execution_result",
            stdout: "a",
            stderr: "b",
            return_code: 0,
            content: [],
          },
        },
      ],
    },
    { role: "ai", text: "a\nb", nature: { uniqueCalls }, made: [["bash_code_execution", { command: "ls" }]] },
  ],
  [
    "a call from within code",
    {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "s1", name: "code_execution", input: {} },
        {
          type: "tool_use",
          id: "c1",
          name: "f",
          input: {},
          caller: { type: "code_execution_20250825", tool_id: "s1" },
        },
      ],
    },
    {
      role: "ai",
      calls: ["s1", "c1"],
      nature: { uniqueCalls, caller: "s1" },
      made: [
        ["code_execution", {}],
        ["f", {}],
      ],
    },
  ],
  [
    "an MCP tool",
    {
      role: "assistant",
      content: [
        { type: "mcp_tool_use", id: "m1", name: "f", server_name: "s", input: {} },
        { type: "mcp_tool_result", tool_use_id: "m1", content: [{ type: "text", text: "ok" }] },
      ],
    },
    { role: "ai", text: "ok", nature: { uniqueCalls }, made: [["f", {}]] },
  ],
  [
    "compaction",
    { role: "assistant", content: [{ type: "compaction", content: "so far", encrypted_content: data }] },
    { role: "ai", text: "so far", nature: { pinned: true } },
  ],
  [
    "compaction that cannot be read",
    { role: "assistant", content: [{ type: "compaction", content: null, encrypted_content: data }] },
    { role: "ai", nature: { pinned: true } },
  ],
  [
    "marks",
    {
      role: "assistant",
      content: [
        { type: "fallback", from: { model: "a" }, to: { model: "b" } },
        { type: "text", text: "yes" },
      ],
    },
    { role: "ai", text: "yes" },
  ],
  [
    "thinking alone, which is blank",
    { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: data }] },
    { role: "ai", thought: "hm", blank: true },
  ],
  ["no blocks", { role: "assistant", content: [] }, { role: "ai", blank: true }],
] satisfies readonly (readonly [string, BetaMessageParam, Row[2]])[];

describe("Anthropic's messages", () => {
  itReads(rows);
});
