import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe } from "vitest";
import { itReads, type Row } from "./reading-table.ts";

const data = `data:image/png;base64,${"A".repeat(1000)}`;
const item = { item: true };

const rows = [
  ["a user's text", { role: "user", content: "hello" }, { role: "human", text: "hello", startsTurn: true }],
  [
    "a user's parts",
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "see" },
        { type: "input_image", image_url: data, detail: "auto" },
        { type: "input_file", file_data: data, filename: "a.pdf" },
      ],
    },
    { role: "human", text: "see\n[image]\n[file]", startsTurn: true },
  ],
  ["a developer's text", { role: "developer", content: "be kind" }, { role: "system", text: "be kind" }],
  [
    "an answer",
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [
        { type: "output_text", text: "yes", annotations: [] },
        { type: "refusal", refusal: "no" },
      ],
    },
    { role: "ai", id: "msg_1", text: "yes\nno", nature: item },
  ],
  [
    "reasoning",
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "hm" }],
      encrypted_content: data,
    },
    { role: "ai", id: "rs_1", bound: ["rs_1"], thought: "hm", nature: { item: true, binds: true } },
  ],
  [
    "reasoning with its content",
    { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
    { role: "ai", id: "rs_1", bound: ["rs_1"], thought: "hm", nature: { item: true, binds: true } },
  ],
  [
    "a function call",
    { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: '{"a":1}' },
    { role: "ai", id: "fc_1", bound: ["fc_1"], calls: ["c1"], nature: item, made: [["f", '{"a":1}']] },
  ],
  [
    "a function call's output",
    { type: "function_call_output", call_id: "c1", output: "21 °C" },
    { role: "tool", results: ["c1"], text: "21 °C", nature: item },
  ],
  [
    "an output of parts",
    {
      type: "function_call_output",
      call_id: "c1",
      output: [
        { type: "input_text", text: "see" },
        { type: "input_image", image_url: data },
      ],
    },
    { role: "tool", results: ["c1"], text: "see\n[image]", nature: item },
  ],
  [
    "a custom call",
    { type: "custom_tool_call", call_id: "c1", name: "grammar", input: "a b" },
    { role: "ai", calls: ["c1"], nature: item, made: [["grammar", "a b"]] },
  ],
  [
    "a custom call's output",
    { type: "custom_tool_call_output", call_id: "c1", output: "ok" },
    { role: "tool", results: ["c1"], text: "ok", nature: item },
  ],
  [
    "a computer call",
    {
      type: "computer_call",
      id: "cu_1",
      call_id: "c1",
      action: { type: "screenshot" },
      pending_safety_checks: [],
      status: "completed",
    },
    {
      role: "ai",
      id: "cu_1",
      bound: ["cu_1"],
      calls: ["c1"],
      nature: item,
      made: [["computer", { type: "screenshot" }]],
    },
  ],
  [
    "a screenshot",
    { type: "computer_call_output", call_id: "c1", output: { type: "computer_screenshot", image_url: data } },
    { role: "tool", results: ["c1"], text: "[image]", nature: item },
  ],
  [
    "a local shell call",
    {
      type: "local_shell_call",
      id: "ls_1",
      call_id: "c1",
      action: { type: "exec", command: ["ls"], env: {} },
      status: "completed",
    },
    {
      role: "ai",
      id: "ls_1",
      bound: ["ls_1"],
      calls: ["c1"],
      nature: item,
      made: [["local_shell", { type: "exec", command: ["ls"], env: {} }]],
    },
  ],
  [
    "a local shell's output, whose id is the call's",
    { type: "local_shell_call_output", id: "c1", output: "a.txt" },
    { role: "tool", id: "c1", results: ["c1"], text: "a.txt", nature: item },
  ],
  [
    "a shell call",
    { type: "shell_call", call_id: "c1", action: { commands: ["ls"] } },
    { role: "ai", calls: ["c1"], nature: item, made: [["shell", { commands: ["ls"] }]] },
  ],
  [
    "a shell's output",
    {
      type: "shell_call_output",
      call_id: "c1",
      output: [{ stdout: "a.txt", stderr: "oops", outcome: { type: "exit", exit_code: 0 } }],
    },
    { role: "tool", results: ["c1"], text: "a.txt\noops", nature: item },
  ],
  [
    "a patch",
    {
      type: "apply_patch_call",
      call_id: "c1",
      status: "completed",
      operation: { type: "delete_file", path: "a" },
    },
    { role: "ai", calls: ["c1"], nature: item, made: [["apply_patch", { type: "delete_file", path: "a" }]] },
  ],
  [
    "a patch's output",
    { type: "apply_patch_call_output", call_id: "c1", status: "failed", output: "no such file" },
    { role: "tool", results: ["c1"], text: "no such file", nature: item },
  ],
  [
    "a web search",
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } },
    {
      role: "ai",
      id: "ws_1",
      bound: ["ws_1"],
      nature: item,
      made: [["web_search", { type: "search", query: "q" }]],
    },
  ],
  [
    "a file search",
    {
      type: "file_search_call",
      id: "fs_1",
      status: "completed",
      queries: ["q"],
      results: [{ file_id: "f", filename: "a.txt", text: "found" }],
    },
    { role: "ai", id: "fs_1", bound: ["fs_1"], text: "found", nature: item, made: [["file_search", ["q"]]] },
  ],
  [
    "code that OpenAI ran",
    {
      type: "code_interpreter_call",
      id: "ci_1",
      container_id: "x",
      status: "completed",
      code: "1+1",
      outputs: [
        { type: "logs", logs: "2" },
        { type: "image", url: data },
      ],
    },
    {
      role: "ai",
      id: "ci_1",
      bound: ["ci_1"],
      text: "2\n[image]",
      nature: item,
      made: [["code_interpreter", "1+1"]],
    },
  ],
  [
    "a picture that OpenAI made",
    { type: "image_generation_call", id: "ig_1", status: "completed", result: "A".repeat(1000) },
    {
      role: "ai",
      id: "ig_1",
      bound: ["ig_1"],
      text: "[image]",
      nature: item,
      made: [["image_generation", undefined]],
    },
  ],
  [
    "an MCP call",
    { type: "mcp_call", id: "mcp_1", server_label: "s", name: "f", arguments: "{}", output: "found" },
    { role: "ai", id: "mcp_1", bound: ["mcp_1"], text: "found", nature: item, made: [["f", "{}"]] },
  ],
  [
    "a request for approval",
    { type: "mcp_approval_request", id: "p1", server_label: "s", name: "f", arguments: "{}" },
    { role: "ai", id: "p1", asks: ["approval:p1"], nature: item, made: [["f", "{}"]] },
  ],
  [
    "an approval",
    { type: "mcp_approval_response", approval_request_id: "p1", approve: true },
    { role: "tool", answers: ["approval:p1"], nature: item },
  ],
  [
    "a search for tools that the app runs",
    { type: "tool_search_call", call_id: "c1", execution: "client", arguments: { q: 1 } },
    { role: "ai", calls: ["c1"], nature: item, made: [["tool_search", { q: 1 }]] },
  ],
  [
    "its output",
    { type: "tool_search_output", call_id: "c1", execution: "client", tools: [] },
    { role: "tool", results: ["c1"], nature: item },
  ],
  [
    "a search for tools that OpenAI ran",
    { type: "tool_search_call", id: "ts_1", call_id: "c1", execution: "server", arguments: { q: 1 } },
    { role: "ai", id: "ts_1", bound: ["ts_1"], nature: item, made: [["tool_search", { q: 1 }]] },
  ],
  [
    "its output, a part of the answer",
    { type: "tool_search_output", id: "to_1", call_id: "c1", execution: "server", tools: [] },
    { role: "ai", id: "to_1", nature: item },
  ],
  [
    "a program",
    { type: "program", id: "pg_1", call_id: "p1", code: "await f()", fingerprint: "x" },
    {
      role: "ai",
      id: "pg_1",
      bound: ["pg_1"],
      calls: ["p1"],
      nature: item,
      made: [["program", "await f()"]],
    },
  ],
  [
    "a call from within it",
    {
      type: "function_call",
      call_id: "c1",
      name: "f",
      arguments: "{}",
      caller: { type: "program", caller_id: "p1" },
    },
    { role: "ai", calls: ["c1"], nature: { item: true, caller: "p1" }, made: [["f", "{}"]] },
  ],
  [
    "a program's output",
    { type: "program_output", id: "po_1", call_id: "p1", result: "done", status: "completed" },
    { role: "tool", id: "po_1", results: ["p1"], text: "done", nature: item },
  ],
  [
    "compaction, which stands for all before it",
    { type: "compaction", id: "cmp_1", encrypted_content: data },
    { role: "ai", id: "cmp_1", nature: { item: true, pinned: true } },
  ],
  [
    "the tools of a server, as reasoning that costs tokens",
    { type: "mcp_list_tools", id: "l_1", server_label: "s", tools: [{ name: "f", input_schema: {} }] },
    { role: "ai", id: "l_1", nature: item, thought: '[{"input_schema":{},"name":"f"}]' },
  ],
  ["a reference", { type: "item_reference", id: "rs_1" }, { role: "other", id: "rs_1" }],
  ["a setting", { type: "configuration_update", reasoning: { effort: "low" } }, { role: "system" }],
  ["a trigger", { type: "compaction_trigger" }, { role: "system" }],
  ["more tools", { type: "additional_tools", role: "developer", tools: [] }, { role: "system" }],
] satisfies readonly (readonly [string, ResponseInputItem, Row[2]])[];

describe("OpenAI's Responses", () => {
  itReads(rows);
});

describe("items that are not known", () => {
  itReads([
    [
      "a later call of the app's",
      { type: "sonar_call", call_id: "c1", arguments: "{}" },
      { role: "ai", calls: ["c1"], nature: item, made: [["sonar", "{}"]] },
    ],
    [
      "its output",
      { type: "sonar_call_output", call_id: "c1", output: "ping" },
      { role: "tool", results: ["c1"], text: "ping", nature: item },
    ],
    [
      "a later hosted call",
      { type: "sonar_call" },
      { role: "ai", nature: item, made: [["sonar", undefined]] },
    ],
    ["anything else", { type: "sonar", data: 1 }, { role: "other" }],
  ]);
});
