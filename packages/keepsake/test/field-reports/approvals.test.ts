import { describe, expect, it } from "vitest";
import { MessageReducer, validateWindow } from "../../src/index.ts";

const reduce = (existing: unknown[], maxMessages = 20): unknown[] =>
  new MessageReducer<unknown>({ maxMessages, minMessages: 0, preserveFirst: false }).reduceSync({ existing })
    .surviving;

const user = (text: string): unknown => ({ role: "user", content: text });
const call = { type: "tool-call", toolCallId: "c1", toolName: "send", input: {} };
const request = { type: "tool-approval-request", approvalId: "p", toolCallId: "c1" };
const asking = { role: "assistant", content: [call, request] };
const deciding = (approved: boolean): unknown => ({
  role: "tool",
  content: [{ type: "tool-approval-response", approvalId: "p", approved }],
});
const sent = {
  role: "tool",
  content: [
    { type: "tool-result", toolCallId: "c1", toolName: "send", output: { type: "text", value: "sent" } },
  ],
};

describe("vercel/ai #20953: a pending approval stays, the call that it is for is dropped", () => {
  const older = [user("first"), { role: "assistant", content: "hello" }, user("send it")];

  it.each([1, 2, 3, 20])("request and answer stay with their call, no result yet: a window of %i", (max) => {
    const tail = [asking, deciding(true)];
    expect(reduce([...older, ...tail], max).slice(-3)).toEqual([older[2], ...tail]);
  });

  it.each([1, 2, 20])("a request that nobody has answered yet stays: a window of %i", (max) => {
    expect(reduce([...older, asking], max).slice(-2)).toEqual([older[2], asking]);
  });

  it.each([
    ["approved and carried out", [asking, deciding(true), sent]],
    ["denied, and told so", [asking, deciding(false), sent]],
  ])("%s: all of it stays or leaves together", (_, exchange) => {
    const list = [...older, ...exchange, { role: "assistant", content: "done" }, user("thanks")];
    for (let max = 1; max <= list.length; max += 1) {
      const window = reduce(list, max);
      expect([0, exchange.length]).toContain(window.filter((one) => exchange.includes(one)).length);
      expect(validateWindow(window)).toEqual([]);
    }
  });

  it.each([
    ["never answered", [asking]],
    ["answered, and never carried out", [asking, deciding(true)]],
    ["an answer alone", [deciding(true)]],
    ["carried out without the answer", [asking, sent]],
  ])("%s, and the user went on: it leaves as a whole", (_, exchange) => {
    const window = reduce([...older, ...exchange, user("never mind")]);
    expect(window).toEqual([...older, user("never mind")]);
    expect(validateWindow(window)).toEqual([]);
  });

  it("a tool that the provider runs needs no result of the app's", () => {
    const hosted = { role: "assistant", content: [{ ...call, providerExecuted: true }, request] };
    const list = [
      user("send it"),
      hosted,
      deciding(true),
      { role: "assistant", content: "sent" },
      user("thanks"),
    ];
    expect(reduce(list)).toEqual(list);
  });

  it.each(["approval-requested", "approval-responded", "input-available", "input-streaming"])(
    "a UI message whose part is %s stays at the end, and leaves where the user went on",
    (state) => {
      const part = { type: "tool-send", toolCallId: "c1", state, input: {}, approval: { id: "p" } };
      const message = { id: "a", role: "assistant", parts: [{ type: "step-start" }, part] };
      const ui = (id: string): unknown => ({ id, role: "user", parts: [{ type: "text", text: id }] });
      expect(reduce([ui("u1"), message], 1)).toEqual([ui("u1"), message]);
      expect(reduce([ui("u1"), message, ui("u2")])).toEqual([ui("u1"), ui("u2")]);
    },
  );

  describe("in OpenAI's items", () => {
    const asks = {
      type: "mcp_approval_request",
      id: "p",
      name: "send",
      arguments: "{}",
      server_label: "mail",
    };
    const answers = { type: "mcp_approval_response", approval_request_id: "p", approve: true };
    const ran = {
      type: "mcp_call",
      id: "m1",
      approval_request_id: "p",
      name: "send",
      arguments: "{}",
      output: "ok",
    };

    it.each([1, 2, 20])("stay together: a window of %i", (max) => {
      expect(reduce([user("first"), user("send it"), asks, answers], max).slice(-3)).toEqual([
        user("send it"),
        asks,
        answers,
      ]);
    });

    it("leave where half of them is missing", () => {
      expect(reduce([user("send it"), asks, user("never mind")])).toEqual([
        user("send it"),
        user("never mind"),
      ]);
      expect(reduce([user("send it"), answers, user("thanks")])).toEqual([user("send it"), user("thanks")]);
      const whole = [user("send it"), asks, answers, ran, user("thanks")];
      expect(reduce(whole)).toEqual(whole);
    });
  });
});
