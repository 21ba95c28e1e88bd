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
