import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import {
  Annotation,
  InMemoryStore as LangGraphStore,
  MemorySaver,
  MessagesAnnotation,
  MessagesDeltaValue,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { afterEach, describe, expect, it, vi } from "vitest";
import { langchainCodec, ReducingSaver } from "../../../src/adapters/langgraph/index.ts";
import { background, durable, InMemoryOutbox, type RememberFn } from "../../../src/delivery/index.ts";
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

/** A saver that can reduce by itself, as keepsake's own do. */
class OwnReducingSaver extends MemorySaver {
  reducer: unknown = undefined;
  messagesKey = "messages";
}

describe("the saver inside", () => {
  it("is wrapped where it cannot reduce", () => {
    const inner = new MemorySaver();
    const { reducer } = recordingReducer();
    const saver = new ReducingSaver(inner, reducer);
    expect(saver).toMatchObject({ inner, reducer, passthrough: false, messagesKey: "messages" });
    expect(saver.serde).toBe(inner.serde);
  });

  it("gets the reducer where it can and has none, and is left to reduce", async () => {
    const inner = new OwnReducingSaver();
    const { reducer, calls } = recordingReducer();
    const saver = new ReducingSaver(inner, reducer, { messagesKey: "chat" });
    expect(saver.passthrough).toBe(true);
    expect(inner).toMatchObject({ reducer, messagesKey: "chat" });
    const graph = chatGraph(saver);
    for (let turn = 0; turn < 6; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    expect(await storedMessages(inner, threadOf("t"))).toHaveLength(12);
    expect(calls).toEqual([]);
  });

  it("may have the same reducer already, be it a ReducingSaver", async () => {
    const { reducer, calls } = recordingReducer();
    const saver = new ReducingSaver(new ReducingSaver(new MemorySaver(), reducer), reducer);
    expect(saver.passthrough).toBe(true);
    const graph = chatGraph(saver);
    for (let turn = 0; turn < 5; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    expect((await storedMessages(saver, threadOf("t"))).length).toBeLessThanOrEqual(8);
    const handed = calls.flatMap(({ ids }) => ids);
    expect(handed).toHaveLength(new Set(handed).size);
    expect(handed.length).toBeGreaterThan(0);
  });

  it("is refused with another reducer, or another channel", () => {
    const inner = new ReducingSaver(new MemorySaver(), new MessageReducer());
    expect(() => new ReducingSaver(inner, new MessageReducer())).toThrow(/another reducer already/);
    expect(() => new ReducingSaver(inner, inner.reducer, { messagesKey: "chat" })).toThrow(
      /reduces the channel "messages" already, not "chat"/,
    );
  });

  it.each([
    [
      "no saver",
      () => new ReducingSaver({} as BaseCheckpointSaver, new MessageReducer()),
      /has no getTuple, list, put/,
    ],
    [
      "nothing",
      () => new ReducingSaver(undefined as never, new MessageReducer()),
      /must be a checkpoint saver/,
    ],
    [
      "no reducer",
      () => new ReducingSaver(new MemorySaver(), {} as MessageReducer),
      /must be a MessageReducer/,
    ],
    [
      "an unknown option",
      () => new ReducingSaver(new MemorySaver(), new MessageReducer(), { messageKey: "m" } as object),
      /unknown option "messageKey".*"messagesKey"/,
    ],
    [
      "an empty channel",
      () => new ReducingSaver(new MemorySaver(), new MessageReducer(), { messagesKey: "" }),
      /messagesKey must be the name of a channel/,
    ],
  ])("is refused as %s", (_, make, message) => {
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: "invalid_config" }));
  });

  it("shows its own methods, and only its own", async () => {
    const { reducer } = recordingReducer();
    const wrapped = (inner: BaseCheckpointSaver) =>
      new ReducingSaver(inner, reducer) as unknown as Record<string, unknown>;
    expect("setup" in wrapped(new MemorySaver())).toBe(false);
    expect("setup" in wrapped(SqliteSaver.fromConnString(":memory:"))).toBe(true);
    expect("end" in wrapped(SqliteSaver.fromConnString(":memory:"))).toBe(false);
    const postgres = PostgresSaver.fromConnString("postgres://nobody@127.0.0.1:1/none");
    expect("end" in wrapped(postgres)).toBe(true);
    await (wrapped(postgres) as { end(): Promise<void> }).end();

    class Pruning extends MemorySaver {
      deleted: string[] = [];
      async prune(threadIds: string[]) {
        this.deleted.push(...threadIds);
        return this.deleted.length;
      }
    }
    const pruning = new Pruning();
    const saver = wrapped(pruning) as { prune(ids: string[]): Promise<number> };
    expect(await saver.prune(["a", "b"])).toBe(2);
    expect(pruning.deleted).toEqual(["a", "b"]);
  });

  it("makes the versions, deletes threads and answers for what it does not have", async () => {
    const inner = new MemorySaver();
    vi.spyOn(inner, "getNextVersion").mockReturnValue(42);
    const saver = new ReducingSaver(inner, recordingReducer().reducer);
    expect(saver.getNextVersion(1)).toBe(42);
    vi.mocked(inner.getNextVersion).mockRestore();
    await chatGraph(saver).invoke(ask("hello"), threadOf("t"));
    expect(await saver.get(threadOf("t"))).toBeDefined();
    await saver.deleteThread("t");
    expect(await inner.getTuple(threadOf("t"))).toBeUndefined();
    await expect(saver.put({}, { id: "1", channel_values: {} } as never, {} as never, {})).rejects.toThrow(
      /thread_id/,
    );
  });

  it("may be an earlier saver that knows no delta channels", async () => {
    const inner = new MemorySaver();
    Object.defineProperty(inner, "getDeltaChannelHistory", { value: undefined });
    const saver = new ReducingSaver(inner, recordingReducer().reducer);
    await chatGraph(saver).invoke(ask("hello"), threadOf("t"));
    const history = await saver.getDeltaChannelHistory({ config: threadOf("t"), channels: ["messages"] });
    expect(Object.keys(history)).toEqual(["messages"]);
  });
});

describe("a graph with the saver", () => {
  it("keeps its own list whole while it runs", async () => {
    const { reducer } = recordingReducer();
    const saver = new ReducingSaver(new MemorySaver(), reducer);
    const graph = chatGraph(saver);
    const burst = conversation(8)
      .slice(0, -1)
      .map((text, index) => (index % 2 === 0 ? new HumanMessage(text) : new AIMessage(text)));
    const { messages } = await graph.invoke({ messages: burst }, threadOf("t"));
    expect(messages).toHaveLength(16);
    const { values } = await graph.getState(threadOf("t"));
    expect(values.messages.length).toBeLessThanOrEqual(8);
  });

  it("bounds a thread that had grown before", async () => {
    const inner = new MemorySaver();
    for (let turn = 0; turn < 10; turn += 1)
      await chatGraph(inner).invoke(ask(`question ${turn}`), threadOf("t"));
    const { reducer, texts } = recordingReducer();
    await chatGraph(new ReducingSaver(inner, reducer)).invoke(ask("question 10"), threadOf("t"));
    const stored = textsOf(await storedMessages(inner, threadOf("t")));
    expect(stored.length).toBeLessThanOrEqual(8);
    expect([...texts(), ...stored].sort()).toEqual(conversation(11).sort());
  });

  it("leaves a DeltaChannel alone, with one warning", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { reducer, calls } = recordingReducer();
    const graph = new StateGraph(new StateSchema({ messages: MessagesDeltaValue }))
      .addNode("model", ({ messages }) => ({
        messages: [new AIMessage(`answer to ${messages.at(-1)?.text}`)],
      }))
      .addEdge("__start__", "model")
      .compile({ checkpointer: new ReducingSaver(new MemorySaver(), reducer) });
    for (let turn = 0; turn < 8; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    const { values } = await graph.getState(threadOf("t"));
    expect(textsOf(values.messages)).toEqual(conversation(8));
    expect(calls).toEqual([]);
    expect(warn.mock.calls.flat()).toEqual([expect.stringContaining("DeltaChannel")]);
  });

  it("reduces plain messages of another channel", async () => {
    type Plain = { role: string; content: string };
    const reducer = new MessageReducer<Plain>({ minMessages: 2, maxMessages: 4 });
    const saver = new ReducingSaver(new MemorySaver(), reducer, { messagesKey: "chat" });
    const State = Annotation.Root({
      chat: Annotation<Plain[], Plain[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
    });
    const graph = new StateGraph(State)
      .addNode("model", ({ chat }) => ({ chat: [{ role: "assistant", content: `answer ${chat.length}` }] }))
      .addEdge("__start__", "model")
      .compile({ checkpointer: saver });
    for (let turn = 0; turn < 5; turn += 1)
      await graph.invoke({ chat: [{ role: "user", content: `question ${turn}` }] }, threadOf("t"));
    const { values } = await graph.getState(threadOf("t"));
    expect(values.chat.length).toBeLessThanOrEqual(4);
    expect(values.chat.at(-2)).toEqual({ role: "user", content: "question 4" });
  });

  it("lets LangGraph throw for the removal of what an earlier run has pruned", async () => {
    const { reducer, calls } = recordingReducer();
    const graph = chatGraph(new ReducingSaver(new MemorySaver(), reducer));
    for (let turn = 0; turn < 6; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    const removal = new RemoveMessage({ id: calls[0]?.ids[0] ?? "" });
    await expect(graph.updateState(threadOf("t"), { messages: [removal] })).rejects.toThrow(/doesn't exist/);
  });

  it("may hand over a message that a subgraph shares once for each of the two lists, never less", async () => {
    const { reducer, calls } = recordingReducer();
    const saver = new ReducingSaver(new MemorySaver(), reducer);
    const child = new StateGraph(MessagesAnnotation)
      .addNode("answer", ({ messages }) => ({
        messages: [new AIMessage(`answer to ${messages.at(-1)?.text}`)],
      }))
      .addEdge("__start__", "answer")
      .compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("child", child)
      .addEdge("__start__", "child")
      .compile({ checkpointer: saver });
    for (let turn = 0; turn < 10; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    const parents = calls.filter(({ threadId }) => threadId === "t").flatMap(({ texts }) => texts);
    const stored = textsOf(await storedMessages(saver, threadOf("t")));
    expect([...parents, ...stored].sort()).toEqual(conversation(10).sort());
    const childs = calls.filter(({ threadId }) => threadId !== "t");
    expect(childs.length).toBeGreaterThan(0);
    for (const { threadId } of childs) expect(threadId).toMatch(/^\["t","child:[-0-9a-f]+"\]$/);
  });

  it("hands over again, in another process, what an earlier checkpoint still had", async () => {
    const inner = new MemorySaver();
    const first = recordingReducer();
    const graph = chatGraph(new ReducingSaver(inner, first.reducer));
    for (let turn = 0; turn < 4; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    const { config } = await graph.getState(threadOf("t"));
    for (let turn = 4; turn < 6; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));

    const second = recordingReducer();
    const back = { configurable: { ...threadOf("t").configurable, ...config.configurable } };
    await chatGraph(new ReducingSaver(inner, second.reducer)).invoke(ask("question 9"), back);
    expect(second.calls[0]?.ids).toEqual(first.calls[0]?.ids);
  });

  it("keeps one summary in the window", async () => {
    const summarize = vi.fn(async (pruned: BaseMessage[]) => `${pruned.length} more`);
    const reducer = new MessageReducer<BaseMessage>({
      minMessages: 4,
      maxMessages: 8,
      summarize,
      injectSummary: true,
    });
    const saver = new ReducingSaver(new MemorySaver(), reducer);
    const graph = chatGraph(saver);
    for (let turn = 0; turn < 12; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    const stored = await storedMessages(saver, threadOf("t"));
    expect(stored.length).toBeLessThanOrEqual(8);
    expect(textsOf(stored).filter((text) => text.includes("conversation_summary"))).toHaveLength(1);
    expect(stored.every((message) => typeof message.getType === "function")).toBe(true);
  });

  it("keeps the messages where a hook that must take them fails", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    let fails = true;
    const taken: string[] = [];
    const { reducer } = recordingReducer({
      onHookError: "retain",
      onPrune: [
        (pruned) => {
          if (fails) throw new Error("down");
          taken.push(...textsOf(pruned));
        },
      ],
    });
    const saver = new ReducingSaver(new MemorySaver(), reducer);
    const graph = chatGraph(saver);
    for (let turn = 0; turn < 6; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    expect(textsOf(await storedMessages(saver, threadOf("t")))).toEqual(conversation(6));
    fails = false;
    await graph.invoke(ask("question 6"), threadOf("t"));
    const stored = textsOf(await storedMessages(saver, threadOf("t")));
    expect([...taken, ...stored].sort()).toEqual(conversation(7).sort());
  });

  it("keeps the messages while the outbox of a durable hook is down, and hands them over when it is up", async () => {
    const outbox = new InMemoryOutbox();
    const refused = vi.spyOn(outbox, "enqueue").mockRejectedValue(new Error("disk full"));
    const taken: string[] = [];
    const logger = { debug() {}, warn() {} };
    const hook = durable<BaseMessage>((pruned) => void taken.push(...textsOf(pruned)), {
      ...{ name: "remember", outbox, codec: langchainCodec, logger },
    });
    const { reducer } = recordingReducer({ onPrune: [hook], logger });
    const saver = new ReducingSaver(new MemorySaver(), reducer);
    const graph = chatGraph(saver);
    for (let turn = 0; turn < 6; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
    expect(refused).toHaveBeenCalled();
    expect(textsOf(await storedMessages(saver, threadOf("t")))).toEqual(conversation(6));
    refused.mockRestore();
    await graph.invoke(ask("question 6"), threadOf("t"));
    await hook.drain();
    const stored = textsOf(await storedMessages(saver, threadOf("t")));
    expect(stored.length).toBeLessThanOrEqual(8);
    expect([...taken, ...stored].sort()).toEqual(conversation(7).sort());
  });

  it("waits for a hook that is slower than the run, and not for one in the background", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const runWith = async (dress: (hook: RememberFn<BaseMessage>) => RememberFn<BaseMessage>) => {
      const order: string[] = [];
      const slow: RememberFn<BaseMessage> = async () => {
        await gate;
        order.push("hook");
      };
      const { reducer } = recordingReducer({ onPrune: [dress(slow)] });
      const graph = chatGraph(new ReducingSaver(new MemorySaver(), reducer));
      const config = { ...threadOf("t"), durability: "exit" as const };
      for (let turn = 0; turn < 5; turn += 1) await graph.invoke(ask(`question ${turn}`), config);
      order.push("run");
      return order;
    };
    expect(await runWith((hook) => background(hook))).toEqual(["run"]);
    const waiting = runWith((hook) => hook);
    release();
    expect(await waiting).toEqual(["hook", "run"]);
  });
});

describe("whose memory it is", () => {
  /** Five turns, of which the last one overflows the window, with one save for each. */
  const grow = async (saver: BaseCheckpointSaver, configurable: Record<string, unknown>) => {
    const graph = chatGraph(saver);
    for (let turn = 0; turn < 5; turn += 1)
      await graph.invoke(ask(`question ${turn}`), { configurable, durability: "exit" });
  };

  it("is the thread's own where the config names no namespace", async () => {
    const { reducer, calls } = recordingReducer();
    await grow(new ReducingSaver(new MemorySaver(), reducer), { thread_id: "t1" });
    expect(calls).toMatchObject([{ namespace: ["memories", "t1"], threadId: "t1" }]);
  });

  it("is looked up under the reducer's own key", async () => {
    const { reducer, calls } = recordingReducer({ namespaceKey: "tenant" });
    await grow(new ReducingSaver(new MemorySaver(), reducer), { thread_id: "t1", tenant: ["acme", "asha"] });
    expect(calls.map(({ namespace }) => namespace)).toEqual([["acme", "asha"]]);
  });

  it("takes any thread id in keepsake's stores", async () => {
    const store = new InMemoryStore();
    const { reducer } = recordingReducer({ onPrune: [rememberVerbatim(store)] });
    await grow(new ReducingSaver(new MemorySaver(), reducer), { thread_id: "user:4.2" });
    expect((await store.search(["memories", "user:4.2"], { limit: 50 })).length).toBeGreaterThan(0);
  });

  it("is refused by LangGraph's own store where the thread id has a colon or a dot: the hook has failed, the run has not", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const store = new LangGraphStore();
    const hook: RememberFn<BaseMessage> = async (pruned, namespace, { deliveryId }) => {
      await store.put(namespace, deliveryId, { texts: textsOf(pruned) });
    };
    const { reducer } = recordingReducer({ onPrune: [hook] });
    const saver = new ReducingSaver(new MemorySaver(), reducer);
    await grow(saver, { thread_id: "user:42" });
    expect(warn.mock.calls.flat().some((part) => /Namespace/.test(String(part)))).toBe(true);
    await grow(saver, { thread_id: "user:43", memory_namespace: ["memories", "user-43"] });
    expect(await store.search(["memories", "user-43"])).toHaveLength(1);
  });

  it("stays apart where two savers share a reducer", async () => {
    const { reducer, calls } = recordingReducer();
    const savers = [new MemorySaver(), new MemorySaver()].map((inner) => new ReducingSaver(inner, reducer));
    await Promise.all(savers.map((saver, index) => grow(saver, threadOf(`t${index}`).configurable)));
    expect(calls.map(({ threadId }) => threadId).sort()).toEqual(["t0", "t1"]);
    expect(calls[0]?.texts).toEqual(calls[1]?.texts);
  });
});
