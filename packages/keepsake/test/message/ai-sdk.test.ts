import type { ModelMessage } from "ai";
import { describe } from "vitest";
import { itReads, type Row } from "./reading-table.ts";

const data = "A".repeat(1000);
const call = (toolCallId: string, more: { providerExecuted?: boolean } = {}) =>
  ({ type: "tool-call", toolCallId, toolName: "f", input: { a: 1 }, ...more }) as const;
const made: readonly (readonly [string, unknown])[] = [["f", { a: 1 }]];

const rows = [
  ["a system's text", { role: "system", content: "be kind" }, { role: "system", text: "be kind" }],
  [
    "a user's parts",
    {
      role: "user",
      content: [
        { type: "text", text: "see" },
        { type: "image", image: new Uint8Array(1000) },
        { type: "file", data, mediaType: "image/png" },
        { type: "file", data: new Uint8Array(1000), mediaType: "application/pdf" },
        { type: "file", data, mediaType: "audio/mpeg" },
      ],
    },
    { role: "human", text: "see\n[image]\n[image]\n[file]\n[audio]", startsTurn: true },
  ],
  [
    "reasoning and a call",
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", providerOptions: { openai: { itemId: "rs_1" } } },
        { type: "text", text: "let me look", providerOptions: { openai: { itemId: "msg_1" } } },
        { ...call("c1"), providerOptions: { openai: { itemId: "fc_1" } } },
      ],
    },
    { role: "ai", text: "let me look", thought: "hm", calls: ["c1"], bound: ["rs_1", "msg_1", "fc_1"], made },
  ],
  [
    "results",
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "text", value: "one" } },
        {
          type: "tool-result",
          toolCallId: "b",
          toolName: "f",
          output: { type: "json", value: [{ type: "x" }] },
        },
        {
          type: "tool-result",
          toolCallId: "c",
          toolName: "f",
          output: { type: "error-text", value: "oops" },
        },
        { type: "tool-result", toolCallId: "d", toolName: "f", output: { type: "error-json", value: 7 } },
        {
          type: "tool-result",
          toolCallId: "e",
          toolName: "f",
          output: { type: "execution-denied", reason: "no" },
        },
        {
          type: "tool-result",
          toolCallId: "g",
          toolName: "f",
          output: {
            type: "content",
            value: [
              { type: "text", text: "see" },
              { type: "image-data", data, mediaType: "image/png" },
              { type: "media", data, mediaType: "audio/mpeg" },
              { type: "file-id", fileId: "f" },
            ],
          },
        },
      ],
    },
    {
      role: "tool",
      text: 'one\n[{"type":"x"}]\noops\n7\nno\nsee\n[image]\n[audio]\n[file]',
      results: ["a", "b", "c", "d", "e", "g"],
    },
  ],
  [
    "a call that the provider ran",
    {
      role: "assistant",
      content: [
        call("c1", { providerExecuted: true }),
        { type: "tool-result", toolCallId: "c1", toolName: "f", output: { type: "text", value: "ok" } },
        { type: "text", text: "there" },
      ],
    },
    { role: "ai", text: "ok\nthere", made },
  ],
  [
    "a call whose result the provider gives later",
    { role: "assistant", content: [call("c1", { providerExecuted: true })] },
    { role: "ai", calls: ["c1"], made },
  ],
  [
    "that result",
    {
      role: "assistant",
      content: [
        { type: "tool-result", toolCallId: "c1", toolName: "f", output: { type: "text", value: "ok" } },
      ],
    },
    { role: "ai", text: "ok", results: ["c1"] },
  ],
  [
    "a request for approval",
    {
      role: "assistant",
      content: [call("c1"), { type: "tool-approval-request", approvalId: "p", toolCallId: "c1" }],
    },
    { role: "ai", calls: ["c1"], asks: ["c1", "approval:p"], made },
  ],
  [
    "a request for approval of a call that the provider runs, and may then leave",
    {
      role: "assistant",
      content: [
        call("c1", { providerExecuted: true }),
        { type: "tool-approval-request", approvalId: "p", toolCallId: "c1" },
      ],
    },
    { role: "ai", asks: ["approval:p"], nature: { offers: ["c1"] }, made },
  ],
  [
    "an approval",
    { role: "tool", content: [{ type: "tool-approval-response", approvalId: "p", approved: true }] },
    { role: "tool", answers: ["approval:p"] },
  ],
  [
    "a refusal with its result",
    {
      role: "tool",
      content: [
        { type: "tool-approval-response", approvalId: "p", approved: false, reason: "no" },
        { type: "tool-result", toolCallId: "c1", toolName: "f", output: { type: "execution-denied" } },
      ],
    },
    { role: "tool", results: ["c1"], answers: ["approval:p", "c1"] },
  ],
  [
    "reasoning alone, which is blank",
    { role: "assistant", content: [{ type: "reasoning", text: "hm" }] },
    { role: "ai", thought: "hm", blank: true },
  ],
] satisfies readonly (readonly [string, ModelMessage, Row[2]])[];

describe("the AI SDK's model messages", () => {
  itReads(rows);
});

describe("parts of its other versions", () => {
  itReads([
    [
      "files of reasoning, which are blank",
      { role: "assistant", content: [{ type: "reasoning-file", data, mediaType: "image/png" }] },
      { role: "ai", blank: true },
    ],
    [
      "a call from within code that the provider runs",
      {
        role: "assistant",
        content: [{ ...call("c1"), providerOptions: { anthropic: { caller: { type: "x", toolId: "s1" } } } }],
      },
      { role: "ai", calls: ["c1"], nature: { caller: "s1" }, made },
    ],
    [
      "results of nothing",
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "a", toolName: "f" },
          { type: "tool-result", toolCallId: "b", toolName: "f", output: { type: "json", value: null } },
        ],
      },
      { role: "tool", results: ["a", "b"], text: "null" },
    ],
    [
      "a result under its older name",
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName: "f", result: { a: 1 } }] },
      { role: "tool", results: ["c1"], text: '{"a":1}' },
    ],
  ]);
});
