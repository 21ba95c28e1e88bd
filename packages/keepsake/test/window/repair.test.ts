import { describe, expect, it } from "vitest";
import { MessageReducer, validateWindow } from "../../src/index.ts";
import { reduceReport, type Settings, wordsAt } from "../field-reports/shapes.ts";

const reduced = async (history: string, settings: Settings = {}): Promise<string> =>
  wordsAt(history, (await reduceReport(history, "openai", settings))?.stays ?? []);

describe("where repair removes the front of a conversation", () => {
  it.each([
    ["U∅ A U A", {}, "U A"],
    ["T(x) A A U A", {}, "U A"],
    ["S U∅ A[a] T(a) A U", {}, "S U"],
    ["A∅ O A U A", {}, "O U A"],
    ["A[b] U∅ A S U", {}, "S U"],
    ["U∅ A U A U A", { maxMessages: 3 }, "U U A"],
  ] as const)("%s under %o starts on the next turn: %s", async (history, settings, window) => {
    expect(await reduced(history, settings)).toBe(window);
  });

  it.each([
    ["U∅ A", {}, "A"],
    ["U∅ A[a] T(a) A", {}, "A[a] T(a) A"],
    ["A U∅ A U", {}, "A A U"],
    ["U∅ A! A U", {}, "A! U"],
    ["U∅ A[a] T(a)! U", {}, "A[a] T(a)! U"],
    ["U∅ A U", { boundary: "message" }, "A U"],
  ] as const)("%s under %o keeps what has no turn before it: %s", async (history, settings, window) => {
    expect(await reduced(history, settings)).toBe(window);
  });
});

describe("at the end of a list, where results are yet to come", () => {
  const reduce = (existing: unknown[]): unknown[] =>
    new MessageReducer<unknown>().reduceSync({ existing }).surviving;
  const user = { role: "user", content: "how warm is it" };
  const call = (id: string, callId: string): unknown => ({
    type: "function_call",
    id,
    call_id: callId,
    name: "f",
    arguments: "{}",
  });
  const output = (callId: string): unknown => ({
    type: "function_call_output",
    call_id: callId,
    output: "21",
  });
  const reasoning = (id: string): unknown => ({ type: "reasoning", id, summary: [] });

  it("an item that is there twice is one", () => {
    const turn = [user, reasoning("rs_1"), call("fc_1", "a"), output("a")];
    expect(reduce([...turn, ...turn.slice(1), user])).toEqual([...turn, user]);
    expect(reduce([...turn.slice(0, 3), call("fc_1", "a"), output("a")])).toEqual(turn);
    const made = [user, call("FAKE_ID", "a"), output("a"), call("FAKE_ID", "b"), output("b")];
    expect(reduce(made)).toEqual(made);
  });

  it("reasoning leaves with its item, where that is there already", () => {
    const text = [{ type: "output_text", text: "21" }];
    const said = { type: "message", id: "msg_1", role: "assistant", content: text };
    const whole = [user, said, user];
    const again = [...whole, reasoning("rs_1"), said];
    for (const boundary of ["turn", "message"] as const) {
      const { surviving, pruned } = new MessageReducer<unknown>({ boundary }).reduceSync({ existing: again });
      expect(surviving).toEqual(whole);
      expect(pruned).toEqual([reasoning("rs_1"), said]);
    }
    expect(reduce([...again, user])).toEqual([...whole, user]);
    expect(reduce([...again, call("fc_1", "a"), output("a"), user])).toEqual([...whole, user]);
    expect(reduce([...whole, reasoning("rs_1"), reasoning("rs_2"), said])).toEqual(whole);
    expect(reduce([...whole, call("fc_1", "a"), reasoning("rs_1"), said, output("a")])).toEqual([
      ...whole,
      call("fc_1", "a"),
      output("a"),
    ]);
    const followed = [...whole, reasoning("rs_1"), call("fc_1", "a")];
    expect(reduce([...followed, said, output("a"), user])).toEqual([...followed, output("a"), user]);
  });

  it("reasoning leaves with what stands behind it, where that is broken", () => {
    const empty = { type: "message", id: "msg_1", role: "assistant", content: [] };
    const list = [user, reasoning("rs_1")];
    for (const boundary of ["turn", "message"] as const) {
      const reducer = new MessageReducer<unknown>({ boundary });
      const stays = (existing: unknown[]): unknown[] => reducer.reduceSync({ existing }).surviving;
      expect(stays([...list, output("x")])).toEqual([user]);
      expect(stays([...list, empty])).toEqual([user]);
      expect(stays([...list, reasoning("rs_2"), empty])).toEqual([user]);
      const going = [...list, call("fc_1", "a"), output("a")];
      expect(stays([...list, empty, ...going.slice(2)])).toEqual(going);
      expect(stays([...list, { role: "narrator", content: "aside" }])).toHaveLength(3);
    }
  });

  it("calls of one answer whose results come one by one stay with its reasoning", () => {
    const [one, two] = [call("fc_1", "a"), call("fc_2", "b")];
    const answer = [reasoning("rs_1"), one, output("a"), two, output("b")];
    expect(reduce([user, ...answer, user])).toEqual([user, ...answer, user]);
    expect(reduce([user, ...answer.slice(0, 4), user])).toEqual([user, user]);
    for (let maxMessages = 3; maxMessages < 7; maxMessages += 1) {
      const reducer = new MessageReducer<unknown>({ maxMessages, minMessages: 1, preserveFirst: false });
      const { surviving } = reducer.reduceSync({ existing: [user, ...answer, user] });
      expect(surviving).toEqual([user]);
    }
  });

  it("parallel calls behind reasoning, answered in part, are open at the end only", () => {
    const open = [user, reasoning("rs_1"), call("fc_1", "a"), call("fc_2", "b"), output("a")];
    expect(reduce(open)).toEqual(open);
    expect(reduce([...open, output("b"), user])).toEqual([...open, output("b"), user]);
    expect(reduce([...open, user])).toEqual([user, user]);
    const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "21" }] };
    expect(reduce([...open, said])).toEqual([user, said]);
    const next = [reasoning("rs_2"), call("fc_3", "c"), output("c")];
    expect(reduce([...open, ...next])).toEqual([user, ...next]);
  });

  it("a call that is made again leaves: nothing can answer it any more", () => {
    const again = call("fc_2", "a");
    expect(reduce([user, call("fc_1", "a"), again])).toEqual([user, again]);
    const answered = [user, again, output("a")];
    expect(reduce([user, call("fc_1", "a"), again, output("a")])).toEqual(answered);
  });

  it("with the reasoning that led to it, and all that came of that", () => {
    const list = [user, reasoning("rs_1"), call("fc_1", "a"), call("fc_2", "a"), output("a")];
    expect(reduce(list)).toEqual([user]);
  });

  it("reasoning that a result follows leaves: it led to nothing", () => {
    const list = [user, call("fc_1", "a"), reasoning("rs_1"), output("a")];
    expect(reduce(list)).toEqual([user, call("fc_1", "a"), output("a")]);
  });

  it("reasoning that nothing follows yet stays", () => {
    const list = [user, reasoning("rs_1")];
    expect(reduce(list)).toEqual(list);
  });
});

describe("words of the user's beside a result", () => {
  const toolUse = (id: string): unknown => ({
    role: "assistant",
    content: [{ type: "tool_use", id, name: "f", input: {} }],
  });
  const user = { role: "user", content: "how warm is it" };
  const answer = {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "b", content: "21" },
      { type: "text", text: "and hurry" },
    ],
  };

  it("end the turn: a call without a result leaves", () => {
    const list = [user, toolUse("a"), toolUse("b"), answer];
    const { surviving } = new MessageReducer<unknown>().reduceSync({ existing: list });
    expect(surviving).toEqual([user, toolUse("b"), answer]);
    expect(validateWindow(surviving, { provider: "anthropic" })).toEqual([]);
  });

  it("are the latest turn of the user, with the exchange that they stand in", () => {
    const list = [user, { role: "assistant", content: "hm" }, user, toolUse("b"), answer, user];
    for (const boundary of ["turn", "message"] as const) {
      const reducer = new MessageReducer<unknown>({
        maxMessages: 2,
        minMessages: 0,
        preserveFirst: false,
        boundary,
      });
      const { surviving } = reducer.reduceSync({ existing: list.slice(0, 5) });
      expect(surviving.slice(-2)).toEqual([toolUse("b"), answer]);
      expect(validateWindow(surviving, { provider: "openai-chat" })).toEqual([]);
    }
  });
});

describe("a message with two results for one call", () => {
  it("leaves with the exchange that it belongs to", () => {
    const user = { role: "user", content: "how warm is it" };
    const calling = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] };
    const result = { type: "tool_result", tool_use_id: "a", content: "21" };
    const list = [user, calling, { role: "user", content: [result, result] }, user];
    expect(validateWindow(list, { provider: "anthropic" }).map(({ rule }) => rule)).toEqual([
      "orphan-result",
    ]);
    const { surviving } = new MessageReducer<unknown>().reduceSync({ existing: list });
    expect(surviving).toEqual([user, user]);
  });
});

describe('boundary "message" with repair', () => {
  it("leaves the results of a later call that has the same id", async () => {
    const history = "U A[a] T(a) U A[a] T(a) A[b] T(b)";
    const cut = { boundary: "message", maxMessages: 7, preserveFirst: false, minMessages: 6 } as const;
    expect(await reduced(history, cut)).toBe("U A[a] T(a) A[b] T(b)");
    expect(await reduced(history, { ...cut, repair: false })).toBe("U A[a] A[b] T(b)");
  });

  const item = (type: string, more: object): unknown => ({ type, ...more });
  it("takes reasoning with all that it led to", () => {
    const list = [
      { role: "user", content: "first" },
      item("reasoning", { id: "rs_1", summary: [] }),
      item("function_call", { id: "fc_1", call_id: "a", name: "f", arguments: "{}" }),
      item("function_call", { id: "fc_2", call_id: "b", name: "f", arguments: "{}" }),
      item("function_call_output", { call_id: "a", output: "1" }),
      item("function_call_output", { call_id: "b", output: "2" }),
      { role: "user", content: "second" },
    ];
    for (let maxMessages = 1; maxMessages < list.length; maxMessages += 1) {
      const { surviving } = new MessageReducer<unknown>({
        maxMessages,
        minMessages: 0,
        boundary: "message",
        preserveFirst: false,
      }).reduceSync({ existing: list });
      expect([1, 6]).toContain(surviving.length);
    }
  });
});
