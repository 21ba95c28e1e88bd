import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  contentHashOf,
  estimateTokens,
  findSummaryBlocks,
  makeSummaryBlock,
  recordOf,
  rewriteTexts,
  viewOf,
} from "../../src/message/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";
import { isRecord } from "../../src/util/index.ts";

/** Names that mean something in one of the formats, so that generated objects come near to real ones. */
const types = [
  "text",
  "message",
  "reasoning",
  "thinking",
  "function_call",
  "function_call_output",
  "function_call_result",
  "hosted_tool_call",
  "mcp_approval_request",
  "mcp_approval_response",
  "mcp_list_tools",
  "web_search_call",
  "image_generation_call",
  "program",
  "tool_search_output",
  "compaction",
  "item_reference",
  "tool_use",
  "server_tool_use",
  "tool_result",
  "web_search_tool_result",
  "document",
  "search_result",
  "tool-call",
  "tool-result",
  "tool-approval-request",
  "tool-approval-response",
  "tool-weather",
  "dynamic-tool",
  "step-start",
  "data-x",
  "source-url",
  "tool_call",
  "invalid_tool_call",
  "server_tool_call_result",
  "non_standard",
  "text-plain",
  "textBlock",
  "toolUseBlock",
  "toolResultBlock",
  "jsonBlock",
  "image",
  "human",
  "ai",
  "tool",
  "json",
  "content",
  "execution-denied",
];
const keys = [
  "type",
  "role",
  "id",
  "name",
  "text",
  "content",
  "parts",
  "output",
  "result",
  "value",
  "input",
  "args",
  "arguments",
  "call_id",
  "callId",
  "tool_use_id",
  "tool_call_id",
  "toolCallId",
  "toolUseId",
  "approvalId",
  "approval_request_id",
  "tool_calls",
  "additional_kwargs",
  "providerData",
  "providerOptions",
  "providerExecuted",
  "state",
  "summary",
  "source",
  "caller",
  "functionCall",
  "functionResponse",
  "response",
  "thought",
  "toolUse",
  "toolResult",
  "guardContent",
  "reasoningContent",
  "citations",
  "json",
  "inlineData",
  "metadata",
  "custom",
  "pinned",
  "trackingId",
  "data",
  "kwargs",
  "lc",
  "execution",
];
const roles = ["user", "assistant", "model", "tool", "function", "system", "human", "ai"];

const { near } = fc.letrec<{ near: unknown; object: unknown }>((tie) => ({
  near: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(...types, ...roles, "c1", "c2", "approval:c1", "f#0", "", " ", null, true, 1),
    fc.constantFrom<unknown>(undefined, new Uint8Array(3), Symbol("x"), 1n),
    tie("object"),
    fc.array(tie("object"), { maxLength: 4 }),
  ),
  object: fc
    .record({
      type: fc.oneof(fc.constantFrom<unknown>(...types), fc.constant(undefined)),
      role: fc.oneof(fc.constantFrom<unknown>(...roles), fc.constant(undefined)),
      more: fc.dictionary(fc.constantFrom(...keys), tie("near"), { maxKeys: 6 }),
    })
    .map(({ type, role, more }) => ({
      ...(type === undefined ? {} : { type }),
      ...(role === undefined ? {} : { role }),
      ...more,
    })),
}));

const logger = { debug: () => {}, warn: () => {} };
const runs = { numRuns: 1500 };

describe("objects that are nearly messages", () => {
  it("are read without an error, and stay as they are", () => {
    fc.assert(
      fc.property(near, (value) => {
        const before = fc.stringify(value);
        const view = viewOf(value);
        // A reader that throws leaves no record.
        expect(recordOf(value) !== undefined).toBe(isRecord(value));
        expect(typeof view.text).toBe("string");
        for (const id of [...view.calls, ...view.results, ...view.bound]) expect(typeof id).toBe("string");
        contentHashOf(value);
        expect(estimateTokens(value)).toBeGreaterThanOrEqual(0);
        expect(fc.stringify(value)).toBe(before);
      }),
      runs,
    );
  });

  it("are rewritten without an error, to what reads the same where no text changes", () => {
    fc.assert(
      fc.property(near, (value) => {
        const before = fc.stringify(value);
        expect([undefined, value]).toContain(rewriteTexts(value, (texts) => texts));
        const copy = rewriteTexts(value, (texts) => texts.map((text) => `${text}!`));
        if (copy !== undefined) {
          const { text: _, id: __, ...view } = viewOf(value);
          expect(viewOf(copy)).toMatchObject({ ...view, startsTurn: expect.any(Boolean) });
        }
        expect(fc.stringify(value)).toBe(before);
      }),
      runs,
    );
  });

  it("may stand in any list", () => {
    fc.assert(
      fc.property(fc.array(near, { maxLength: 12 }), fc.integer({ min: 2, max: 12 }), (list, maxMessages) => {
        const reducer = new MessageReducer<unknown>({ maxMessages, minMessages: 1, logger });
        const { surviving, pruned } = reducer.reduceSync({ existing: list });
        expect(surviving.length + pruned.length).toBe(list.length);
        findSummaryBlocks(list);
        expect(makeSummaryBlock("so far", list).length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
