// What an app gets wrong, or forgets, and what it is told: each case with the saver, the recall node, the middleware and the tools, as far as it
// concerns them.
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { InMemoryStore as LangGraphStore, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  createSearchMemoryTool,
  memoryMiddleware,
  memoryTools,
  ReducingSaver,
  recallNode,
} from "../../../src/adapters/langgraph/index.ts";
import { background } from "../../../src/delivery/index.ts";
import { rememberVerbatim } from "../../../src/memory/index.ts";
import { MessageReducer } from "../../../src/reducer/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import {
  ask,
  chatGraph,
  conversation,
  recordingReducer,
  storedMessages,
  textsOf,
  threadOf,
} from "./saver-harness.ts";

afterEach(() => vi.restoreAllMocks());

const question = { messages: [new HumanMessage("Which seat do I like?")] };

function agentWith(middleware: ReturnType<typeof memoryMiddleware>, options: Record<string, unknown> = {}) {
  const model = fakeModel();
  for (let turn = 0; turn < 20; turn += 1) {
    model.respond((messages) => new AIMessage(`answer to ${messages.at(-1)?.text}`));
  }
  return { model, agent: createAgent({ model, middleware: [middleware], ...options }) };
}

describe("no store", () => {
  it("is an error of the run where memories are to be recalled", async () => {
    const missing = { code: "missing_store" };
    await expect(recallNode()(question, threadOf("t1"))).rejects.toMatchObject(missing);
    const { reducer } = recordingReducer();
    const { agent } = agentWith(memoryMiddleware({ reducer }));
    await expect(agent.invoke(question, threadOf("t1"))).rejects.toThrow(/there is no store/);
  });

  it("is logged, and answered to the model, where a tool needs one", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const model = fakeModel()
      .respondWithTools([{ name: "search_memory", args: { query: "seat" }, id: "call-1" }])
      .respond(new AIMessage("I do not know."));
    const agent = createAgent({ model, tools: memoryTools() });
    await agent.invoke(question, threadOf("t1"));
    expect(logged.mock.calls[0]?.[0]).toMatch(/search_memory: .*there is no store/);
  });
});

describe("a store without search", () => {
  const half = { get: async () => null, put: async () => {}, delete: async () => {} };

  it("is refused where it is given", () => {
    const { reducer } = recordingReducer();
    const refused = expect.objectContaining({ code: "invalid_config" });
    expect(() => recallNode(half as never)).toThrow(refused);
    expect(() => memoryTools(half as never)).toThrow(refused);
    expect(() => memoryMiddleware({ reducer, store: half as never })).toThrow(refused);
    expect(() => createSearchMemoryTool({ namespace: "x", store: half as never })).toThrow(refused);
  });

  it("is refused in a run that has it", async () => {
    const config = { ...threadOf("t1"), store: half };
    await expect(recallNode()(question, config as never)).rejects.toThrow(/no get, put, delete and search/);
  });
});

describe("a store that cannot rank", () => {
  it("is warned about once, and gives what comes first", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const store = new LangGraphStore();
    await store.put(["memories", "asha"], "1", { content: "Has a cat." });
    const node = recallNode(store);
    for (let run = 0; run < 2; run += 1) {
      expect((await node(question, threadOf("t1"))).memory).toContain("Has a cat.");
    }
    expect(warned.mock.calls.filter(([text]) => /has no index to rank by/.test(String(text)))).toHaveLength(
      1,
    );
  });
});

describe("no thread id", () => {
  it("and no namespace: hooks get null, nothing is recalled, tools say what is missing", async () => {
    const { reducer, calls } = recordingReducer();
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const store = new InMemoryStore();
    await store.put(["memories", "undefined"], "1", { content: "Likes the aisle seat." });
    const { model, agent } = agentWith(memoryMiddleware({ reducer, store }));
    const messages = conversation(6).map((text, index) =>
      index % 2 === 0 ? new HumanMessage(text) : new AIMessage(text),
    );
    await agent.invoke({ messages: [...messages, ...question.messages] });
    expect(calls.map(({ namespace, threadId }) => [namespace, threadId])).toEqual([[null, undefined]]);
    const prompts = model.calls.flatMap(({ messages: sent }) => sent).filter(SystemMessage.isInstance);
    expect(prompts).toEqual([]);
    expect(await recallNode(store)(question, {})).toEqual({ memory: "" });

    const [manage] = memoryTools(store);
    const missing = { code: "missing_namespace_value" };
    await expect(manage.invoke({ content: "Has a cat." })).rejects.toMatchObject(missing);
    expect(String(logged.mock.calls[0]?.[0])).toMatch(/no value for \{memory_namespace\}/);
    expect(await store.count([])).toBe(1);
  });

  it("is refused by a saver's graph, by LangGraph itself", async () => {
    const { reducer, calls } = recordingReducer();
    const graph = chatGraph(new ReducingSaver(new MemorySaver(), reducer));
    await expect(graph.invoke(ask("hello"), {})).rejects.toThrow(/thread_id/);
    expect(calls).toEqual([]);
  });
});

describe("no namespace", () => {
  it('is that of the thread, ["memories", thread_id], for hooks, recall and tools', async () => {
    const store = new InMemoryStore();
    const reducer = new MessageReducer({
      minMessages: 2,
      maxMessages: 4,
      onPrune: [rememberVerbatim(store)],
    });
    const own = { configurable: { thread_id: "t1" } };
    const graph = chatGraph(new ReducingSaver(new MemorySaver(), reducer));
    for (let turn = 0; turn < 4; turn += 1) await graph.invoke(ask(`question ${turn}`), own);
    await memoryTools(store)[0].invoke({ content: "Likes the aisle seat." }, own);
    const kinds = (await store.search(["memories", "t1"])).map(({ value }) => value.kind ?? "tool's");
    expect(new Set(kinds)).toEqual(new Set(["turn", "tool's"]));
    expect((await recallNode(store)(question, own)).memory).toContain("aisle");
    const other = { configurable: { thread_id: "t2" } };
    expect((await recallNode(store)(question, other)).memory).toBe("");
  });
});

describe.each(["user:42", "asha@example.com", "langgraph"])(
  "the thread id %s and LangGraph's own store",
  (id) => {
    it("works for recall and tools, which write its labels otherwise", async () => {
      const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
      const store = new LangGraphStore();
      const own = { configurable: { thread_id: id } };
      await memoryTools(store)[0].invoke({ content: "Likes the aisle seat." }, own);
      const first = { configurable: { memory_namespace: [id] } };
      await memoryTools(store)[0].invoke({ content: "Likes the window seat." }, first);
      expect((await recallNode(store)(question, own)).memory).toContain("aisle");
      expect((await recallNode(store)(question, first)).memory).toContain("window");
      expect(warned).toHaveBeenCalledOnce();
    });

    it("lets a hook of the app's own fail, not the run, where the store refuses a label", async () => {
      const warnings: unknown[][] = [];
      const store = new LangGraphStore();
      const { reducer } = recordingReducer({
        logger: { debug() {}, warn: (...parts) => void warnings.push(parts) },
        onPrune: [(pruned, namespace) => store.put(namespace, "1", { content: textsOf(pruned) })],
      });
      const { agent } = agentWith(memoryMiddleware({ reducer, store: new InMemoryStore() }), {
        checkpointer: new MemorySaver(),
      });
      for (let turn = 0; turn < 6; turn += 1) {
        await agent.invoke(ask(`question ${turn}`), { configurable: { thread_id: id } });
      }
      const refused = warnings.some((parts) => /Namespace/.test(parts.map(String).join(" ")));
      expect(refused).toBe(id !== "langgraph");
    });
  },
);

describe("a saver that has another reducer", () => {
  it("is refused", () => {
    const inner = Object.assign(new MemorySaver(), { reducer: new MessageReducer() });
    const wrapped = new ReducingSaver(new MemorySaver(), new MessageReducer());
    for (const saver of [inner, wrapped]) {
      expect(() => new ReducingSaver(saver, new MessageReducer())).toThrow(/has another reducer already/);
    }
  });
});

describe("a reducer shared", () => {
  it("by two savers hands over what leaves each, and once where thread and namespace are the same", async () => {
    const { reducer, texts } = recordingReducer();
    const savers = [0, 1].map(() => new ReducingSaver(new MemorySaver(), reducer));
    for (const [index, saver] of savers.entries()) {
      const graph = chatGraph(saver);
      for (let turn = 0; turn < 8; turn += 1)
        await graph.invoke(ask(`question ${turn}`), threadOf(`t${index}`));
    }
    const left = texts().length;
    for (const [index, saver] of savers.entries()) {
      const window = textsOf(await storedMessages(saver, threadOf(`t${index}`)));
      expect(left / 2 + window.length).toBe(16);
    }
    const config = { ...threadOf("t0"), configurable: { ...threadOf("t0").configurable, checkpoint_ns: "" } };
    const tuple = await savers[0]?.inner.getTuple(config);
    // The same list saved by the other one under the same thread.
    if (tuple !== undefined)
      await savers[1]?.put(config, tuple.checkpoint, tuple.metadata ?? ({} as never), {});
    expect(texts()).toHaveLength(left);
  });

  it("by a saver and a middleware hands over once", async () => {
    const { reducer, texts } = recordingReducer();
    const checkpointer = new ReducingSaver(new MemorySaver(), reducer);
    const { agent } = agentWith(memoryMiddleware({ reducer, store: new InMemoryStore() }), { checkpointer });
    for (let turn = 0; turn < 10; turn += 1) await agent.invoke(ask(`question ${turn}`), threadOf("t1"));
    expect(new Set(texts()).size).toBe(texts().length);
  });
});

describe("a hook slower than the run", () => {
  async function runWith(isBackground: boolean) {
    const events: string[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = async () => {
      if (isBackground) await gate;
      else await new Promise((resolve) => setTimeout(resolve, 20));
      events.push("hook");
    };
    const hook = background(slow);
    const { reducer } = recordingReducer({ onPrune: [isBackground ? hook : slow] });
    const { agent } = agentWith(memoryMiddleware({ reducer, store: new InMemoryStore() }), {
      checkpointer: new MemorySaver(),
    });
    for (let turn = 0; turn < 5; turn += 1) await agent.invoke(ask(`question ${turn}`), threadOf("t1"));
    events.push("run");
    open();
    await hook.close();
    return events;
  }

  it("is waited for by the middleware before it calls the model", async () => {
    expect(await runWith(false)).toEqual(["hook", "run"]);
  });

  it("is not waited for in the background", async () => {
    expect(await runWith(true)).toEqual(["run", "hook"]);
  });
});
