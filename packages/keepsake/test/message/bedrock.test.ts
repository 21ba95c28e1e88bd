import type { Message } from "@aws-sdk/client-bedrock-runtime";
import {
  CachePointBlock,
  DocumentBlock,
  GuardContentBlock,
  ImageBlock,
  JsonBlock,
  type MessageData,
  ReasoningBlock,
  Message as StrandsMessage,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from "@strands-agents/sdk";
import { describe, expect, it } from "vitest";
import { recordOf, trait, viewOf } from "../../src/message/index.ts";
import { itReads, type Row } from "./reading-table.ts";

const bytes = new Uint8Array(1000);
const nature = { uniqueCalls: true };

const rows = [
  [
    "a user's blocks",
    {
      role: "user",
      content: [
        { text: "see" },
        { image: { format: "png", source: { bytes } } },
        { video: { format: "mp4", source: { bytes } } },
        { audio: { format: "mp3", source: { bytes } } },
        { document: { format: "pdf", name: "a", source: { bytes } } },
        { document: { format: "txt", name: "b", source: { text: "words" } } },
        { guardContent: { text: { text: "guarded" } } },
        { searchResult: { source: "s", title: "T", content: [{ text: "found" }] } },
        { cachePoint: { type: "default" } },
      ],
    },
    {
      role: "human",
      text: "see\n[image]\n[video]\n[audio]\n[file]\nwords\nguarded\nfound",
      startsTurn: true,
    },
  ],
  [
    "reasoning and a call",
    {
      role: "assistant",
      content: [
        { reasoningContent: { reasoningText: { text: "hm", signature: "A" } } },
        { reasoningContent: { redactedContent: bytes } },
        { citationsContent: { content: [{ text: "cited" }], citations: [] } },
        { toolUse: { toolUseId: "c1", name: "f", input: { a: 1 } } },
      ],
    },
    { role: "ai", text: "cited", thought: "hm", calls: ["c1"], nature, made: [["f", { a: 1 }]] },
  ],
  [
    "results",
    {
      role: "user",
      content: [
        {
          toolResult: {
            toolUseId: "c1",
            content: [
              { text: "one" },
              { json: { degrees: 21 } },
              { image: { format: "png", source: { bytes } } },
              { document: { format: "pdf", name: "a", source: { bytes } } },
            ],
          },
        },
        { toolResult: { toolUseId: "c2", content: [], status: "error" } },
        { cachePoint: { type: "default" } },
      ],
    },
    { role: "human", text: 'one\n{"degrees":21}\n[image]\n[file]', results: ["c1", "c2"] },
  ],
  [
    "a tool that the provider ran",
    {
      role: "assistant",
      content: [
        { toolUse: { toolUseId: "c1", name: "f", input: {}, type: "server_tool_use" } },
        { toolResult: { toolUseId: "c1", content: [{ text: "ok" }] } },
      ],
    },
    { role: "ai", text: "ok", nature, made: [["f", {}]] },
  ],
  [
    "a cache point alone",
    { role: "user", content: [{ cachePoint: { type: "default" } }] },
    { role: "human", blank: true },
  ],
] satisfies readonly (readonly [string, Message, Row[2]])[];

describe("Bedrock's messages", () => {
  itReads(rows);
});

const strands = [
  [
    "a user's blocks",
    new StrandsMessage({
      role: "user",
      trackingId: "t1",
      content: [
        new TextBlock("see"),
        new ImageBlock({ format: "png", source: { bytes } }),
        new DocumentBlock({ name: "a", format: "txt", source: { text: "words" } }),
        new GuardContentBlock({ text: { qualifiers: ["query"], text: "guarded" } }),
        new CachePointBlock({ cacheType: "default" }),
      ],
    }),
    { role: "human", id: "t1", text: "see\n[image]\nwords\nguarded", startsTurn: true },
  ],
  [
    "reasoning and a call",
    new StrandsMessage({
      role: "assistant",
      trackingId: "t2",
      content: [
        new ReasoningBlock({ text: "hm", signature: "A" }),
        new ToolUseBlock({ toolUseId: "c1", name: "f", input: { a: 1 } }),
      ],
    }),
    { role: "ai", id: "t2", thought: "hm", calls: ["c1"], nature, made: [["f", { a: 1 }]] },
  ],
  [
    "results",
    new StrandsMessage({
      role: "user",
      trackingId: "t3",
      content: [
        new ToolResultBlock({
          toolUseId: "c1",
          status: "success",
          content: [
            new TextBlock("one"),
            new JsonBlock({ json: { degrees: 21 } }),
            new ImageBlock({ format: "png", source: { bytes } }),
          ],
        }),
      ],
    }),
    { role: "human", id: "t3", text: 'one\n{"degrees":21}\n[image]', results: ["c1"] },
  ],
  [
    "a pinned message",
    new StrandsMessage({
      role: "user",
      trackingId: "t4",
      content: [new TextBlock("keep me")],
      metadata: { custom: { pinned: true } },
    }),
    { role: "human", id: "t4", text: "keep me", startsTurn: true, nature: { pinned: true } },
  ],
] satisfies readonly (readonly [string, StrandsMessage, Row[2]])[];

describe("Strands' messages", () => {
  itReads(strands);
});

describe("Strands' messages as data", () => {
  itReads(strands.map(([name, message, expected]): Row => [name, message.toJSON(), expected]));
  itReads([
    [
      "citations",
      {
        role: "assistant",
        content: [
          { citations: { citations: [], content: [{ text: "cited" }] } },
          { reasoning: { text: "hm" } },
        ],
      } satisfies MessageData,
      { role: "ai", text: "cited", thought: "hm" },
    ],
  ]);
});

it("sees a pin that is set later, and one that is taken away", () => {
  const message = new StrandsMessage({ role: "user", content: [new TextBlock("keep me")] });
  const isPinned = (): boolean => ((recordOf(message)?.traits ?? 0) & trait.pinned) !== 0;
  expect(isPinned()).toBe(false);
  message.metadata = { custom: { pinned: true } };
  expect(isPinned()).toBe(true);
  message.metadata = { custom: {} };
  expect(isPinned()).toBe(false);
  expect(viewOf(message).id).toBe(message.trackingId);
});
