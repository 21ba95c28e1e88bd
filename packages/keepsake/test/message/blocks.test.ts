import { describe, expect, it } from "vitest";
import { viewOf } from "../../src/message/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";

const anthropic = {
  call: (...ids: string[]) => ({
    role: "assistant",
    content: [
      { type: "text", text: "let me look" },
      ...ids.map((id) => ({ type: "tool_use", id, name: "look", input: { id } })),
    ],
  }),
  results: (words: string, ...ids: string[]) => ({
    role: "user",
    content: [
      ...ids.map((id) => ({
        type: "tool_result",
        tool_use_id: id,
        content: [{ type: "text", text: `found ${id}` }],
      })),
      ...(words === "" ? [] : [{ type: "text", text: words }]),
    ],
  }),
};
const aiSdk = {
  call: (...ids: string[]) => ({
    role: "assistant",
    content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "look", input: {} })),
  }),
  results: (_: string, ...ids: string[]) => ({
    role: "tool",
    content: ids.map((toolCallId) => ({
      type: "tool-result",
      toolCallId,
      toolName: "look",
      output: { type: "text", value: `found ${toolCallId}` },
    })),
  }),
};
const user = { role: "user", content: "hello" };
const answer = { role: "assistant", content: "there" };

describe.each([
  ["Anthropic", anthropic],
  ["AI SDK", aiSdk],
] as const)("tool blocks of %s", (_, { call, results }) => {
  it("are read", () => {
    expect(viewOf(call("c1", "c2")).calls).toEqual(["c1", "c2"]);
    expect(viewOf(results("", "c1", "c2"))).toMatchObject({
      results: ["c1", "c2"],
      text: "found c1\nfound c2",
      startsTurn: false,
    });
  });

  it("are left alone where they are sound", async () => {
    const sound = [user, call("c1", "c2"), results("", "c1", "c2"), answer, user];
    expect((await new MessageReducer<unknown>().reduce({ existing: sound })).surviving).toEqual(sound);
  });

  it("stay or go together, in windows of every size", async () => {
    const turns = [0, 1, 2, 3, 4].flatMap((turn) => [
      user,
      call(`a${turn}`, `b${turn}`),
      results("", `a${turn}`, `b${turn}`),
      answer,
    ]);
    for (let maxMessages = 1; maxMessages <= turns.length; maxMessages += 1) {
      const { surviving } = await new MessageReducer<unknown>({ maxMessages }).reduce({ existing: turns });
      const views = surviving.map(viewOf);
      expect(views.flatMap((view) => view.calls)).toEqual(views.flatMap((view) => view.results));
      expect(views[0]?.startsTurn).toBe(true);
    }
  });

  it("are repaired where they are not", async () => {
    const { surviving } = await new MessageReducer<unknown>().reduce({
      existing: [user, results("", "x"), call("c1", "c2"), results("", "c1"), answer],
    });
    expect(surviving).toEqual([user, answer]);
  });
});

it("keeps a user message that holds results and words with the call that it answers", async () => {
  const mixed = anthropic.results("and now this", "c1");
  expect(viewOf(mixed).startsTurn).toBe(true);
  const list = [user, answer, user, anthropic.call("c1"), mixed, answer];
  for (let maxMessages = 1; maxMessages <= 6; maxMessages += 1) {
    const { surviving } = await new MessageReducer<unknown>({
      maxMessages,
      minMessages: 1,
      preserveFirst: false,
    }).reduce({ existing: list });
    expect(surviving.includes(mixed)).toBe(true);
    expect(viewOf(surviving[surviving.indexOf(mixed) - 1]).calls).toEqual(["c1"]);
  }
});

it("ties rows whose results come in one message", async () => {
  const both = aiSdk.results("", "c1", "c2");
  const sound = [user, aiSdk.call("c1"), aiSdk.call("c2"), both, answer];
  expect((await new MessageReducer<unknown>().reduce({ existing: sound })).surviving).toEqual(sound);
  const torn = [user, aiSdk.call("c1", "c3"), aiSdk.call("c2"), both, answer];
  expect((await new MessageReducer<unknown>().reduce({ existing: torn })).surviving).toEqual([user, answer]);
});
