import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { recordOf, viewOf } from "../../src/message/index.ts";
import { itReads, type Row } from "./reading-table.ts";

type Parts = UIMessage["parts"];

const made: readonly (readonly [string, unknown])[] = [["weather", { city: "Lisbon" }]];
const tool = { type: "tool-weather", toolCallId: "c1" } as const;
const input = { city: "Lisbon" };
const assistant = (...parts: Parts): UIMessage => ({ id: "m1", role: "assistant", parts });

const rows = [
  [
    "a user's parts",
    {
      id: "u1",
      role: "user",
      parts: [
        { type: "text", text: "see" },
        { type: "file", mediaType: "image/png", url: `data:image/png;base64,${"A".repeat(1000)}` },
        { type: "file", mediaType: "application/pdf", url: "https://x/a.pdf" },
      ],
    },
    { role: "human", id: "u1", text: "see\n[image]\n[file]", startsTurn: true },
  ],
  [
    "what only the interface shows",
    assistant(
      { type: "step-start" },
      { type: "source-url", sourceId: "s", url: "https://x" },
      { type: "source-document", sourceId: "s", mediaType: "text/plain", title: "T" },
      { type: "data-chart", data: { a: 1 } },
      { type: "text", text: "there" },
    ),
    { role: "ai", id: "m1", text: "there" },
  ],
  [
    "reasoning that OpenAI keeps",
    assistant(
      { type: "reasoning", text: "hm", providerMetadata: { openai: { itemId: "rs_1" } } },
      { type: "text", text: "yes" },
    ),
    { role: "ai", id: "m1", text: "yes", thought: "hm", bound: ["rs_1"] },
  ],
  [
    "a call being written",
    assistant({ ...tool, state: "input-streaming", input: undefined, rawInput: '{"ci' }),
    { role: "ai", id: "m1", calls: ["c1"], made: [["weather", '{"ci']] },
  ],
  [
    "a call",
    assistant({ ...tool, state: "input-available", input }),
    { role: "ai", id: "m1", calls: ["c1"], made },
  ],
  [
    "a call that waits for approval",
    assistant({ ...tool, state: "approval-requested", input, approval: { id: "p" } }),
    { role: "ai", id: "m1", calls: ["c1"], made },
  ],
  [
    "a call that was approved",
    assistant({ ...tool, state: "approval-responded", input, approval: { id: "p", approved: true } }),
    { role: "ai", id: "m1", calls: ["c1"], made },
  ],
  [
    "a result",
    assistant({ ...tool, state: "output-available", input, output: { degrees: 21 } }),
    { role: "ai", id: "m1", text: '{"degrees":21}', made },
  ],
  [
    "a result that is still coming",
    assistant({ ...tool, state: "output-available", input, output: "21", preliminary: true }),
    { role: "ai", id: "m1", text: "21", calls: ["c1"], made },
  ],
  [
    "a result of parts",
    assistant({
      ...tool,
      state: "output-available",
      input,
      output: [
        { type: "text", text: "see" },
        { type: "image", data: "A" },
      ],
    }),
    { role: "ai", id: "m1", text: "see\n[image]", made },
  ],
  [
    "a failure",
    assistant({ ...tool, state: "output-error", input, errorText: "oops" }),
    { role: "ai", id: "m1", text: "oops", made },
  ],
  [
    "a refusal",
    assistant({
      ...tool,
      state: "output-denied",
      input,
      approval: { id: "p", approved: false, reason: "no" },
    }),
    { role: "ai", id: "m1", text: "no", made },
  ],
  [
    "a dynamic tool",
    assistant({
      type: "dynamic-tool",
      toolName: "weather",
      toolCallId: "c1",
      state: "input-available",
      input,
    }),
    { role: "ai", id: "m1", calls: ["c1"], made },
  ],
  [
    "a system's text",
    { id: "s1", role: "system", parts: [{ type: "text", text: "be kind" }] },
    { role: "system", id: "s1", text: "be kind" },
  ],
  ["no parts", assistant(), { role: "ai", id: "m1", blank: true }],
  [
    "marks alone",
    assistant({ type: "step-start" }, { type: "reasoning", text: "hm" }),
    { role: "ai", id: "m1", thought: "hm", blank: true },
  ],
] satisfies readonly (readonly [string, UIMessage, Row[2]])[];

describe("the AI SDK's UI messages", () => {
  itReads(rows);
});

const invoked = (invocation: object, content = ""): object => ({
  id: "m1",
  role: "assistant",
  content,
  parts: [
    { type: "step-start" },
    { type: "tool-invocation", toolInvocation: { toolCallId: "c1", toolName: "weather", ...invocation } },
    ...(content === "" ? [] : [{ type: "text", text: content }]),
  ],
});

describe("the UI messages of AI SDK 4", () => {
  itReads([
    [
      "a call being written",
      invoked({ state: "partial-call", args: { city: "Li" } }),
      { role: "ai", id: "m1", calls: ["c1"], made: [["weather", { city: "Li" }]] },
    ],
    [
      "a call",
      invoked({ state: "call", step: 0, args: input }),
      { role: "ai", id: "m1", calls: ["c1"], made },
    ],
    [
      "a result",
      invoked({ state: "result", step: 0, args: input, result: { degrees: 21 } }),
      { role: "ai", id: "m1", text: '{"degrees":21}', made },
    ],
    [
      "a result of parts",
      invoked({
        state: "result",
        args: input,
        result: [
          { type: "text", text: "see" },
          { type: "image", data: "A" },
        ],
      }),
      { role: "ai", id: "m1", text: "see\n[image]", made },
    ],
    [
      "a result before words, which stand in the content too",
      invoked({ state: "result", args: input, result: "21" }, "It is warm."),
      { role: "ai", id: "m1", text: "21\nIt is warm.", made },
    ],
    [
      "a call beside words in the content",
      invoked({ state: "call", args: input }, "Let me see."),
      { role: "ai", id: "m1", text: "Let me see.", calls: ["c1"], made },
    ],
    [
      "an invocation that is missing",
      { id: "m1", role: "assistant", parts: [{ type: "tool-invocation" }] },
      { role: "ai", id: "m1", made: [["", undefined]] },
    ],
  ]);

  it.each([
    [
      "with another invocation",
      (part: Record<string, object>, done: object) => Object.assign(part, { toolInvocation: done }),
    ],
    [
      "in the same one",
      (part: Record<string, object>, done: object) => Object.assign(part.toolInvocation ?? {}, done),
    ],
  ])("are read again when a result comes %s", (_, change) => {
    const message = invoked({ state: "call", args: input }, "warm") as { parts: Record<string, object>[] };
    expect(viewOf(message).calls).toEqual(["c1"]);
    const [, part = {}] = message.parts;
    change(part, { ...part.toolInvocation, state: "result", result: "21" });
    expect(viewOf(message)).toMatchObject({ calls: [], text: "21\nwarm" });
  });
});

describe("a UI message that is changed in place", () => {
  it("is read again when a tool part has its result", () => {
    const message = assistant({ ...tool, state: "input-available", input });
    expect(viewOf(message).calls).toEqual(["c1"]);
    Object.assign(message.parts[0] as object, { state: "output-available", output: "21" });
    expect(viewOf(message)).toMatchObject({ calls: [], text: "21" });
  });

  it("is read again when a preliminary result is followed by another", () => {
    const message = assistant({ ...tool, state: "output-available", input, output: "2", preliminary: true });
    expect(viewOf(message).text).toBe("2");
    Object.assign(message.parts[0] as object, { output: "21", preliminary: false });
    expect(viewOf(message)).toMatchObject({ calls: [], text: "21" });
  });

  it("is read again when text is streamed into its last part", () => {
    const part = { type: "text" as const, text: "It" };
    const message = assistant({ type: "step-start" }, part);
    expect(viewOf(message).text).toBe("It");
    part.text += " is warm.";
    expect(viewOf(message).text).toBe("It is warm.");
  });

  it("is not read again when nothing changed", () => {
    const message = assistant({ ...tool, state: "input-available", input });
    expect(recordOf(message)).toBe(recordOf(message));
  });
});
