import type { AgentInputItem } from "@openai/agents-core";
import { describe } from "vitest";
import { itReads, type Row } from "./reading-table.ts";

const data = "A".repeat(1000);
const item = { item: true };

const rows = [
  ["a system's text", { role: "system", content: "be kind" }, { role: "system", text: "be kind" }],
  [
    "a user's parts",
    {
      role: "user",
      id: "u1",
      content: [
        { type: "input_text", text: "see" },
        { type: "input_image", image: `data:image/png;base64,${data}` },
        { type: "input_file", file: { url: "https://x/a.pdf" } },
        { type: "audio", audio: data, format: "mp3" },
      ],
    },
    { role: "human", id: "u1", text: "see\n[image]\n[file]\n[audio]", startsTurn: true },
  ],
  [
    "an answer",
    {
      role: "assistant",
      status: "completed",
      content: [
        { type: "output_text", text: "yes" },
        { type: "image", image: data },
      ],
    },
    { role: "ai", text: "yes\n[image]", nature: item },
  ],
  [
    "reasoning",
    {
      type: "reasoning",
      id: "rs_1",
      content: [{ type: "input_text", text: "hm" }],
      rawContent: [{ type: "reasoning_text", text: "hmm" }],
    },
    { role: "ai", id: "rs_1", bound: ["rs_1"], thought: "hm\nhmm", nature: { item: true, binds: true } },
  ],
  [
    "a function call",
    { type: "function_call", id: "fc_1", callId: "c1", name: "f", arguments: "{}", status: "completed" },
    { role: "ai", id: "fc_1", bound: ["fc_1"], calls: ["c1"], nature: item, made: [["f", "{}"]] },
  ],
  [
    "a result",
    { type: "function_call_result", callId: "c1", name: "f", status: "completed", output: "ok" },
    { role: "tool", results: ["c1"], text: "ok", nature: item },
  ],
  [
    "a result in an object",
    {
      type: "function_call_result",
      callId: "c1",
      name: "f",
      status: "completed",
      output: { type: "text", text: "ok" },
    },
    { role: "tool", results: ["c1"], text: "ok", nature: item },
  ],
  [
    "a picture as result",
    {
      type: "function_call_result",
      callId: "c1",
      name: "f",
      status: "completed",
      output: { type: "image", image: { data, mediaType: "image/png" } },
    },
    { role: "tool", results: ["c1"], text: "[image]", nature: item },
  ],
  [
    "a computer call",
    { type: "computer_call", callId: "c1", status: "completed", action: { type: "wait" } },
    { role: "ai", calls: ["c1"], nature: item, made: [["computer", { type: "wait" }]] },
  ],
  [
    "a screenshot",
    { type: "computer_call_result", callId: "c1", output: { type: "computer_screenshot", data } },
    { role: "tool", results: ["c1"], text: "[image]", nature: item },
  ],
  [
    "a shell's output",
    {
      type: "shell_call_output",
      callId: "c1",
      output: [{ stdout: "a", stderr: "", outcome: { type: "timeout" } }],
    },
    { role: "tool", results: ["c1"], text: "a", nature: item },
  ],
  [
    "a patch",
    {
      type: "apply_patch_call",
      callId: "c1",
      status: "completed",
      operation: { type: "create_file", path: "a", diff: "+a" },
    },
    {
      role: "ai",
      calls: ["c1"],
      nature: item,
      made: [["apply_patch", { type: "create_file", path: "a", diff: "+a" }]],
    },
  ],
  [
    "a patch's output",
    { type: "apply_patch_call_output", callId: "c1", status: "completed" },
    { role: "tool", results: ["c1"], nature: item },
  ],
  [
    "a hosted call",
    { type: "hosted_tool_call", id: "h1", name: "web_search_call", arguments: "q", output: "found" },
    {
      role: "ai",
      id: "h1",
      bound: ["h1"],
      text: "found",
      nature: item,
      made: [["web_search_call", "q"]],
    },
  ],
  [
    "a request for approval",
    {
      type: "hosted_tool_call",
      id: "p1",
      name: "f",
      arguments: "{}",
      providerData: { type: "mcp_approval_request", id: "p1", server_label: "s" },
    },
    { role: "ai", id: "p1", asks: ["approval:p1"], nature: item, made: [["f", "{}"]] },
  ],
  [
    "a request whose id is the item's",
    { type: "hosted_tool_call", id: "p1", name: "mcp_approval_request", providerData: {} },
    {
      role: "ai",
      id: "p1",
      asks: ["approval:p1"],
      nature: item,
      made: [["mcp_approval_request", undefined]],
    },
  ],
  [
    "an approval",
    {
      type: "hosted_tool_call",
      name: "mcp_approval_response",
      providerData: { approve: true, approval_request_id: "p1" },
    },
    { role: "tool", answers: ["approval:p1"], nature: item },
  ],
  [
    "a search for tools without an id",
    { type: "tool_search_call", execution: "client", arguments: {} },
    { role: "ai", calls: ["tool_search"], nature: item, made: [["tool_search", {}]] },
  ],
  [
    "its output",
    { type: "tool_search_output", execution: "client", tools: [] },
    { role: "tool", results: ["tool_search"], nature: item },
  ],
  [
    "compaction",
    { type: "compaction", encrypted_content: data },
    { role: "ai", nature: { item: true, pinned: true } },
  ],
  ["an item that Agents does not know", { type: "unknown", id: "x" }, { role: "other", id: "x" }],
] satisfies readonly (readonly [string, AgentInputItem, Row[2]])[];

describe("OpenAI's Agents", () => {
  itReads(rows);
});
