import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import {
  Annotation,
  MemorySaver,
  type MessagesAnnotation,
  MessagesZodState,
  messagesStateReducer,
  REMOVE_ALL_MESSAGES,
  ReducedValue,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { withLangGraph } from "@langchain/langgraph/zod";
import fc from "fast-check";
import { createAgent, createMiddleware } from "langchain";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { type MessagesUpdate, messagesReducer } from "../../../src/adapters/langgraph/index.ts";
import { MessageReducer } from "../../../src/reducer/index.ts";
import { assertValid, conversation, recordingReducer, textsOf, threadOf } from "./saver-harness.ts";

const unlimited = () =>
  messagesReducer(new MessageReducer<BaseMessage>({ maxMessages: null, repair: false }));
const merge = (existing: BaseMessage[], update: MessagesUpdate) => unlimited()(existing, update);

const human = (id: string) => new HumanMessage({ id, content: `question ${id}` });
const shown = (messages: readonly BaseMessage[]) =>
  messages.map((message) => [message.getType(), message.id, message.text]);

describe("what LangGraph's own reducer does", () => {
  it("is done for any update", () => {
    const id = fc.constantFrom("a", "b", "c", "d");
    const message = fc.oneof(
      id.map(human),
      id.map((name) => new AIMessage({ id: name, content: `answer ${name}` })),
      id.map((name) => ({ role: "user", content: `plain ${name}`, id: name })),
      id.map((name) => new AIMessageChunk({ id: name, content: `chunk ${name}` })),
    );
    const removal = fc
      .oneof(id, fc.constant(REMOVE_ALL_MESSAGES))
      .map((name) => new RemoveMessage({ id: name }));
    const update = fc.oneof(message, fc.array(fc.oneof({ weight: 3, arbitrary: message }, removal)));
    const outcome = (
      reduce: (left: BaseMessage[], right: MessagesUpdate) => BaseMessage[],
      updates: unknown[],
    ) => {
      let list: BaseMessage[] = [];
      try {
        for (const each of updates) list = reduce(list, each as MessagesUpdate);
        return shown(list);
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(fc.array(update, { maxLength: 6 }), (updates) => {
        expect(outcome(unlimited(), updates)).toEqual(outcome(messagesStateReducer, updates));
      }),
      { numRuns: 200 },
    );
  });

  it("is done for texts and pairs, with ids given to what has none", () => {
    const [plain] = merge([], "hello");
    expect([plain?.getType(), plain?.text]).toEqual(["human", "hello"]);
    expect(plain?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(
      textsOf(
        merge(
          [],
          [
            ["user", "one"],
            ["assistant", "two"],
          ],
        ),
      ),
    ).toEqual(["one", "two"]);
  });

  it("throws for the removal of a message that never was", () => {
    expect(() => merge([human("a")], new RemoveMessage({ id: "b" }))).toThrow(/doesn't exist/);
  });
});

describe("the window", () => {
  const grow = (reduce: ReturnType<typeof messagesReducer>, turns: number) => {
    let list: BaseMessage[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      list = reduce(list, human(`${turn}`));
      list = reduce(list, new AIMessage({ id: `a${turn}`, content: `answer ${turn}` }));
    }
    return list;
  };

  it("is kept, and the hooks are left to the saver", () => {
    const { reducer, calls } = recordingReducer();
    const list = grow(messagesReducer(reducer), 10);
    expect(list.length).toBeLessThanOrEqual(8);
    expect(list.at(-1)?.text).toBe("answer 9");
    assertValid(list);
    expect(calls).toEqual([]);
  });

  it("still has what it let go without hooks to hand over later", async () => {
    const { reducer, texts } = recordingReducer();
    const merged = messagesReducer(reducer);
    const list = Array.from({ length: 12 }, (_, index) => human(`${index}`));
    merged(list, []);
    await reducer.reduce({ existing: list });
    expect(texts().length).toBeGreaterThan(0);
  });

  it("hands over what leaves where hooks are asked for, once each though it is asked twice", async () => {
    const { reducer, calls, texts } = recordingReducer();
    const reduce = messagesReducer(reducer, { hooks: true, namespace: ["memories", "team"] });
    let list: BaseMessage[] = [];
    const said: string[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const update = [
        { role: "user", content: `question ${turn}` },
        { role: "assistant", content: `answer ${turn}` },
      ];
      said.push(`question ${turn}`, `answer ${turn}`);
      const first = reduce(list, update);
      const second = reduce(list, update);
      expect(shown(second)).toEqual(shown(first));
      expect(second).not.toBe(first);
      list = second;
    }
    await reducer.flush();
    expect([...texts(), ...textsOf(list)].sort()).toEqual(said.sort());
    expect(calls[0]?.namespace).toEqual(["memories", "team"]);
  });

  it("gives the same message-like written again another id", () => {
    const reduce = unlimited();
    const hello = { role: "user", content: "hello" };
    const once = reduce([], hello);
    expect(reduce(once, hello)).toHaveLength(2);
  });

  it("takes the removal of what another node's write has pruned in the same step", () => {
    const { reducer } = recordingReducer();
    const reduce = messagesReducer(reducer);
    const seen = grow(reduce, 3);
    const removal = new RemoveMessage({ id: seen[1]?.id ?? "" });
    const after = reduce(
      seen,
      conversation(4, 10).map((text, index) => (index % 2 ? new AIMessage(text) : new HumanMessage(text))),
    );
    expect(after.map(({ id }) => id)).not.toContain(removal.id);
    expect(shown(reduce(after, removal))).toEqual(shown(after));
    expect(() => reduce(after, new RemoveMessage({ id: "never" }))).toThrow(/doesn't exist/);
  });

  it("takes the removal of a message that has come again under the id of one that left", () => {
    const { reducer } = recordingReducer();
    const reduce = messagesReducer(reducer);
    const seen = grow(reduce, 3);
    const id = seen[1]?.id ?? "";
    const burst = conversation(4, 10);
    const after = reduce(
      seen,
      burst.map((text, index) => (index % 2 ? new AIMessage(text) : new HumanMessage(text))),
    );
    const again = reduce(after, new AIMessage({ id, content: "again" }));
    expect(textsOf(again)).toContain("again");
    expect(shown(reduce(again, new RemoveMessage({ id })))).toEqual(shown(after));
  });

  it("keeps calls and results together, whatever nodes write", () => {
    const { reducer } = recordingReducer({ maxMessages: 5, minMessages: 3 });
    const reduce = messagesReducer(reducer);
    let list: BaseMessage[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      list = reduce(list, human(`${turn}`));
      list = reduce(
        list,
        new AIMessage({
          id: `c${turn}`,
          content: "",
          tool_calls: [{ name: "look", args: {}, id: `call${turn}` }],
        }),
      );
      list = reduce(list, new ToolMessage({ id: `t${turn}`, content: "found", tool_call_id: `call${turn}` }));
      assertValid(list);
    }
    expect(list.length).toBeLessThanOrEqual(5);
  });
});

describe("in a graph", () => {
  const answer = ({ messages }: { messages: BaseMessage[] }) => ({
    messages: [new AIMessage(`answer to ${messages.at(-1)?.text}`)],
  });
  const reducerOf = () => messagesReducer(recordingReducer().reducer);
  const ways = {
    "an Annotation": () =>
      new StateGraph(
        Annotation.Root({
          messages: Annotation<BaseMessage[], MessagesUpdate>({ reducer: reducerOf(), default: () => [] }),
        }),
      )
        .addNode("model", answer)
        .addEdge("__start__", "model")
        .compile({ checkpointer: new MemorySaver() }),
    "a StateSchema": () =>
      new StateGraph(
        new StateSchema({
          messages: new ReducedValue(
            z.custom<BaseMessage[]>().default(() => []),
            {
              inputSchema: z.custom<MessagesUpdate>(),
              reducer: reducerOf(),
            },
          ),
        }),
      )
        .addNode("model", answer)
        .addEdge("__start__", "model")
        .compile({ checkpointer: new MemorySaver() }),
    "a MessagesZodState": () => {
      const messages = withLangGraph(z3.custom<BaseMessage[]>() as never, {
        reducer: { fn: reducerOf() },
        default: () => [],
      });
      const State = MessagesZodState.extend({ messages: messages as never });
      // LangGraph's types for zod 3 do not hold under exactOptionalPropertyTypes.
      return new StateGraph(State as unknown as typeof MessagesAnnotation)
        .addNode("model", answer)
        .addEdge("__start__", "model")
        .compile({ checkpointer: new MemorySaver() });
    },
  };

  it.each(Object.entries(ways))("bounds the list of %s, while it runs as well", async (_, make) => {
    const graph = make();
    for (let turn = 0; turn < 10; turn += 1) {
      const input = { messages: [{ role: "user", content: `question ${turn}` }] };
      const { messages } = (await graph.invoke(input as never, threadOf("t"))) as { messages: BaseMessage[] };
      expect(messages.length).toBeLessThanOrEqual(8);
      expect(messages.at(-1)?.text).toBe(`answer to question ${turn}`);
    }
  });

  it("answers a conditional edge with what the step will bring, and delivers once", async () => {
    const { reducer, calls } = recordingReducer();
    const reduce = vi.fn(messagesReducer(reducer, { hooks: true }));
    const seen: string[][] = [];
    const graph = new StateGraph(
      Annotation.Root({
        messages: Annotation<BaseMessage[], MessagesUpdate>({ reducer: reduce, default: () => [] }),
      }),
    )
      .addNode("model", ({ messages }) => ({
        messages: [{ role: "assistant", content: `answer to ${messages.at(-1)?.text}` }],
      }))
      .addEdge("__start__", "model")
      .addConditionalEdges("model", ({ messages }) => {
        seen.push(messages.map(({ id }) => id ?? ""));
        return "__end__";
      })
      .compile({ checkpointer: new MemorySaver() });
    for (let turn = 0; turn < 10; turn += 1) {
      const { messages } = await graph.invoke(
        { messages: [{ role: "user", content: `question ${turn}` }] },
        threadOf("t"),
      );
      expect(messages.map(({ id }) => id)).toEqual(seen.at(-1));
    }
    expect(reduce.mock.calls.length).toBeGreaterThan(20);
    await reducer.flush();
    const handed = calls.flatMap(({ ids }) => ids);
    expect(handed.length).toBeGreaterThan(8);
    expect(new Set(handed).size).toBe(handed.length);
  });

  it("serves createAgent as its state", async () => {
    const model = fakeModel();
    for (let turn = 0; turn < 10; turn += 1) model.respond(new AIMessage(`answer ${turn}`));
    const stateSchema = new StateSchema({
      messages: new ReducedValue(
        z.custom<BaseMessage[]>().default(() => []),
        {
          inputSchema: z.custom<MessagesUpdate>(),
          reducer: reducerOf(),
        },
      ),
    });
    const agent = createAgent({
      model,
      tools: [],
      middleware: [createMiddleware({ name: "window", stateSchema })],
      checkpointer: new MemorySaver(),
    });
    for (let turn = 0; turn < 10; turn += 1) {
      const { messages } = await agent.invoke(
        { messages: [new HumanMessage(`question ${turn}`)] },
        threadOf("t"),
      );
      expect(messages.length).toBeLessThanOrEqual(8);
    }
  });
});

describe("bad input", () => {
  it("is refused when the reducer is made", () => {
    const { reducer } = recordingReducer();
    expect(() => messagesReducer(reducer, { hook: true } as object)).toThrow(
      /unknown option "hook".*"hooks"/,
    );
    expect(() => messagesReducer(reducer, { hooks: "yes" as never })).toThrow(/hooks must be true or false/);
    const slow = new MessageReducer<BaseMessage>({ summarize: async () => "a summary" });
    expect(() => messagesReducer(slow)).toThrow(expect.objectContaining({ code: "async_in_sync" }));
  });

  it("may be a missing list", () => {
    expect(unlimited()(undefined as never, "hello")).toHaveLength(1);
  });
});
