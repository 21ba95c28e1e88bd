import { describe, expect, it } from "vitest";
import { MessageReducer, validateWindow } from "../../src/index.ts";
import { responsesRefusals } from "../reducer-invariants/wire/refusals-responses.ts";

type Item = Readonly<Record<string, unknown>>;

const user = (content: string): Item => ({ role: "user", content });
const reasoning = (id: string): Item => ({ type: "reasoning", id, summary: [] });
const said = (id: string): Item => ({
  type: "message",
  id,
  role: "assistant",
  content: [{ type: "output_text", text: "21 °C" }],
});
const call = (id: string, callId: string): Item => ({
  type: "function_call",
  id,
  call_id: callId,
  name: "weather",
  arguments: "{}",
});
const output = (callId: string): Item => ({ type: "function_call_output", call_id: callId, output: "21" });
const search: Item = { type: "web_search_call", id: "ws_1", status: "completed" };

/** The same items as the Agents SDK holds them. */
const asAgents = (items: readonly Item[]): Item[] =>
  items.map(({ call_id: callId, type, ...item }) => ({
    ...item,
    ...(type === undefined ? {} : { type: type === "function_call_output" ? "function_call_result" : type }),
    ...(callId === undefined ? {} : { callId }),
  }));

/** Every window of a list: each limit, by count and by tokens, both boundaries. */
function* windows(list: readonly Item[]): Generator<readonly unknown[]> {
  for (const shape of [(items: readonly Item[]) => [...items], asAgents]) {
    const existing = shape(list);
    for (let most = 1; most <= list.length; most += 1) {
      for (const boundary of ["turn", "message"] as const) {
        for (const size of [
          { maxMessages: most, minMessages: 0 },
          { maxTokens: most, tokenCounter: () => 1 },
        ]) {
          const before = JSON.stringify(existing);
          const { surviving } = new MessageReducer<unknown>({
            ...size,
            boundary,
            preserveFirst: false,
          }).reduceSync({ existing });
          expect(JSON.stringify(existing)).toBe(before);
          expect(validateWindow(surviving, { provider: "openai-responses" })).toEqual([]);
          expect(responsesRefusals(surviving)).toEqual([]);
          yield surviving;
        }
      }
    }
  }
}

const idsOf = (window: readonly unknown[]): unknown[] => window.map((one) => (one as Item).id);

describe("openai-agents-python #2727: reasoning is stripped, and the ids that need it stay", () => {
  it.each<[string, Item[]]>([
    ["a message", [reasoning("rs_1"), said("msg_1")]],
    ["a call with its result", [reasoning("rs_1"), call("fc_1", "a"), output("a")]],
    ["two calls", [reasoning("rs_1"), call("fc_1", "a"), call("fc_2", "b"), output("b"), output("a")]],
    ["calls one by one", [reasoning("rs_1"), call("fc_1", "a"), output("a"), call("fc_2", "b"), output("b")]],
    ["a search and a message", [reasoning("rs_1"), search, said("msg_1")]],
    ["reasoning twice", [reasoning("rs_1"), reasoning("rs_2"), said("msg_1")]],
    ["a message and a call", [reasoning("rs_1"), said("msg_1"), call("fc_1", "a"), output("a")]],
  ])("stay or leave together with it: %s", (_, answer) => {
    const list = [user("first"), ...answer, user("second"), said("msg_9"), user("third")];
    const ids: unknown[] = answer.map(({ id }) => id).filter((id) => id !== undefined);
    for (const window of windows(list))
      expect([0, ids.length]).toContain(idsOf(window).filter((id) => ids.includes(id)).length);
  });

  it.each<[string, Item[]]>([
    ["reasoning alone", [reasoning("rs_1")]],
    ["reasoning twice", [reasoning("rs_1"), reasoning("rs_2")]],
    ["reasoning whose call was never answered", [reasoning("rs_1"), call("fc_1", "a")]],
    ["a result in between", [reasoning("rs_1"), output("a")]],
  ])("%s in the middle leaves as a whole", (_, broken) => {
    const { surviving } = new MessageReducer<unknown>().reduceSync({
      existing: [user("first"), ...broken, user("second")],
    });
    expect(surviving).toEqual([user("first"), user("second")]);
  });
});

describe("openai-agents-python #4322 in items: the last two are an output without its call and a text", () => {
  it("hands the model no output without its call", () => {
    const list = [user("hi"), call("fc_1", "a"), output("a"), said("msg_1")];
    for (const window of windows(list)) expect(window.length).toBeGreaterThan(1);
  });
});

describe("openai-agents-js PR #1280, openai-agents-python #4827 in items: one bad row kills a thread", () => {
  it.each<[string, Item[], Item[]]>([
    ["an output alone", [output("c9")], []],
    ["and then a turn", [output("c9"), user("hi"), said("msg_1")], [user("hi"), said("msg_1")]],
    [
      "an output twice",
      [user("hi"), call("fc_1", "a"), output("a"), output("a"), said("m")],
      [user("hi"), call("fc_1", "a"), output("a"), said("m")],
    ],
    [
      "reasoning of a call that is gone",
      [user("hi"), reasoning("rs_1"), output("a"), user("so?")],
      [user("hi"), user("so?")],
    ],
    ["an unfinished call", [user("hi"), call("fc_1", "a"), user("so?")], [user("hi"), user("so?")]],
  ])("%s", (_, list, window) => {
    expect(new MessageReducer<unknown>().reduceSync({ existing: list }).surviving).toEqual(window);
    expect(new MessageReducer<unknown>().reduceSync({ existing: asAgents(list) }).surviving).toEqual(
      asAgents(window),
    );
  });
});

describe("windows by count over items", () => {
  it("every size is valid", () => {
    const list = [
      user("one"),
      reasoning("rs_1"),
      call("fc_1", "a"),
      call("fc_2", "b"),
      output("b"),
      output("a"),
      reasoning("rs_2"),
      said("msg_1"),
      user("two"),
      call("fc_3", "c"),
      output("c"),
      search,
      said("msg_2"),
      user("three"),
      reasoning("rs_3"),
      call("fc_4", "d"),
      output("d"),
      call("fc_5", "e"),
      output("e"),
      reasoning("rs_4"),
      call("fc_6", "f"),
    ];
    let count = 0;
    for (const window of windows(list)) {
      expect(window.at(-1)).toMatchObject({ type: "function_call" });
      count += 1;
    }
    expect(count).toBe(2 * 2 * 2 * list.length);
  });
});
