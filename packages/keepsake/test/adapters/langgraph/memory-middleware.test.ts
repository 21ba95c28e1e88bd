import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { Command, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryMiddleware, ReducingSaver } from "../../../src/adapters/langgraph/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { recallingEngine } from "./recalling-engine.ts";
import {
  assertValid,
  conversation,
  recordingReducer,
  storedMessages,
  textsOf,
  threadOf,
} from "./saver-harness.ts";

const lookUp = tool(({ city }) => `It rains in ${city}.`, {
  name: "look_up",
  description: "Looks up the weather.",
  schema: z.object({ city: z.string() }),
});

const callOf = (city: string, id: string) => ({ name: "look_up", args: { city }, id });

/** A model that answers "question 1" with "answer to question 1", and keeps what it was sent. */
function echoing(turns = 40) {
  const model = fakeModel();
  for (let turn = 0; turn < turns; turn += 1) {
    model.respond(
      (messages) => new AIMessage(`answer to ${messages.findLast((m) => m.type === "human")?.text}`),
    );
  }
  return model;
}

const sent = (model: ReturnType<typeof fakeModel>) =>
  model.calls.map(({ messages }) => messages as BaseMessage[]);

// Its type does not fit where TypeScript tells a missing option from an undefined one.
const approval: AgentMiddleware = Reflect.apply(humanInTheLoopMiddleware, undefined, [
  { interruptOn: { look_up: true } },
]);

const question = (turn: number) => ({ messages: [new HumanMessage(`question ${turn}`)] });

describe("memoryMiddleware prunes the state before the model is called", () => {
  it("and hands over each message that leaves once, in order", async () => {
    const { reducer, texts, calls } = recordingReducer();
    const model = echoing();
    const checkpointer = new MemorySaver();
    const agent = createAgent({
      model,
      checkpointer,
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
    });
    for (let turn = 0; turn < 20; turn += 1) await agent.invoke(question(turn), threadOf("t1"));

    for (const messages of sent(model)) {
      expect(messages.length).toBeLessThanOrEqual(8);
      assertValid(messages);
    }
    const window = textsOf(await storedMessages(checkpointer, threadOf("t1")));
    // The first message stays.
    expect([window[0], ...texts(), ...window.slice(1)]).toEqual(conversation(20));
    for (const { namespace, threadId } of calls) {
      expect(namespace).toEqual(["memories", "asha"]);
      expect(threadId).toBe("t1");
    }
  });

  it("without a checkpointer, of what the app passes each time, once too", async () => {
    const { reducer, texts } = recordingReducer();
    const model = echoing();
    const agent = createAgent({
      model,
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
    });
    let messages: BaseMessage[] = [];
    const said: string[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const asked = new HumanMessage({ content: `question ${turn}`, id: `q${turn}` });
      const result = await agent.invoke({ messages: [...messages, asked] }, { configurable: asha });
      said.push(asked.text, result.messages.at(-1)?.text ?? "");
      messages = [...messages, asked, ...result.messages.slice(-1)];
    }
    expect(messages).toHaveLength(24);
    for (const list of sent(model)) expect(list.length).toBeLessThanOrEqual(8);
    expect(new Set(texts()).size).toBe(texts().length);
    expect(said.slice(1, 1 + texts().length)).toEqual(texts());
  });

  it("within a run that calls tools, several at once, keeping calls and answers together", async () => {
    const { reducer, texts } = recordingReducer();
    const model = fakeModel();
    for (let step = 0; step < 8; step += 1) {
      model.respond(
        new AIMessage({
          content: `looking ${step}`,
          tool_calls: ["Pune", "Oslo"].map((city) => callOf(city, `${city}-${step}`)),
        }),
      );
    }
    model.respond(new AIMessage("It rains everywhere."));
    const agent = createAgent({
      model,
      tools: [lookUp],
      checkpointer: new MemorySaver(),
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
    });
    const result = await agent.invoke(question(0), { ...threadOf("t1"), recursionLimit: 50 });
    for (const messages of sent(model)) {
      assertValid(messages);
      expect(messages.length).toBeLessThanOrEqual(8);
    }
    const all = [...texts(), ...textsOf(result.messages)];
    expect(all.filter((text) => text.startsWith("looking"))).toHaveLength(8);
    expect(all.filter((text) => text.startsWith("It rains in"))).toHaveLength(16);
    expect(result.messages[0]?.text).toBe("question 0");
  });

  it("around an interrupt, for a person to decide", async () => {
    const { reducer, texts } = recordingReducer();
    const model = echoing(6)
      .respondWithTools([callOf("Pune", "call-1")])
      .respond(new AIMessage("It rains."));
    const checkpointer = new MemorySaver();
    const agent = createAgent({
      model,
      tools: [lookUp],
      checkpointer,
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() }), approval],
    });
    for (let turn = 0; turn < 6; turn += 1) await agent.invoke(question(turn), threadOf("t1"));
    const stopped = await agent.invoke({ messages: [new HumanMessage("Does it rain?")] }, threadOf("t1"));
    expect(stopped).toHaveProperty("__interrupt__");
    const before = texts().length;
    const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const { messages } = await agent.invoke(resume, threadOf("t1"));
    expect(textsOf(messages).slice(-2)).toEqual(["It rains in Pune.", "It rains."]);
    expect(before).toBeGreaterThan(0);
    const said = [...texts(), ...textsOf(messages)];
    expect(new Set(said).size).toBe(said.length);
    expect(said).toEqual(expect.arrayContaining(conversation(6)));
    for (const list of sent(model)) assertValid(list);
  });

  it("shares its reducer with a ReducingSaver: nothing is handed over twice, nor lost", async () => {
    for (const durability of ["async", "sync", "exit"] as const) {
      const { reducer, texts } = recordingReducer();
      const checkpointer = new ReducingSaver(new MemorySaver(), reducer);
      const agent = createAgent({
        model: echoing(),
        checkpointer,
        middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
      });
      const config = { ...threadOf("t1"), durability };
      for (let turn = 0; turn < 20; turn += 1) await agent.invoke(question(turn), config);
      const window = textsOf(await storedMessages(checkpointer, threadOf("t1")));
      expect([window[0], ...texts(), ...window.slice(1)]).toEqual(conversation(20));
    }
  });

  it("keeps the messages where a hook that must take them fails", async () => {
    let isAway = true;
    const taken: string[] = [];
    const { reducer } = recordingReducer({
      onHookError: "retain",
      logger: { debug() {}, warn() {} },
      onPrune: [
        (pruned) => {
          if (isAway) throw new Error("The database is away.");
          taken.push(...textsOf(pruned));
        },
      ],
    });
    const agent = createAgent({
      model: echoing(),
      checkpointer: new MemorySaver(),
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
    });
    for (let turn = 0; turn < 7; turn += 1) await agent.invoke(question(turn), threadOf("t1"));
    isAway = false;
    const { messages } = await agent.invoke(question(7), threadOf("t1"));
    const [first, ...rest] = textsOf(messages);
    expect([first, ...taken, ...rest]).toEqual(conversation(8));
  });

  it("puts one summary into the state, before what stays", async () => {
    const { reducer, texts } = recordingReducer({
      injectSummary: true,
      summarize: (pruned, { previousSummary = "" }) => `${previousSummary} ${pruned.length}`.trim(),
    });
    const model = echoing();
    const agent = createAgent({
      model,
      checkpointer: new MemorySaver(),
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
    });
    let last: string[] = [];
    for (let turn = 0; turn < 14; turn += 1) {
      const { messages } = await agent.invoke(question(turn), threadOf("t1"));
      last = textsOf(messages);
      expect(last.filter((text) => text.includes("<conversation_summary>")).length).toBeLessThanOrEqual(1);
      expect(messages.every(({ id }) => id !== undefined)).toBe(true);
    }
    for (const messages of sent(model)) {
      assertValid(messages);
      expect(messages.length).toBeLessThanOrEqual(8);
    }
    expect(last.some((text) => text.includes("<conversation_summary>"))).toBe(true);
    const own = last.filter((text) => !/<conversation_summary>|^OK$/.test(text));
    expect([own[0], ...texts(), ...own.slice(1)]).toEqual(conversation(14));
  });

  it("stands copies in the place of oversized messages", async () => {
    const { reducer, texts } = recordingReducer({ maxMessageTokens: 100 });
    const model = echoing();
    const agent = createAgent({
      model,
      checkpointer: new MemorySaver(),
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
    });
    const long = "word ".repeat(2000);
    const asked = [
      new HumanMessage({ content: "Hello", id: "first" }),
      new HumanMessage({ content: long, id: "long" }),
    ];
    const { messages } = await agent.invoke({ messages: asked }, threadOf("t1"));
    expect(messages.map(({ id }) => id).slice(0, 2)).toEqual(["first", "long"]);
    expect(messages[1]?.text.length).toBeLessThan(long.length / 4);
    expect(texts()).toEqual([long]);
    await agent.invoke(question(1), threadOf("t1"));
    expect(texts()).toEqual([long]);
  });

  it("in an agent that is a node of another graph, whose list is longer: once each", async () => {
    const { reducer, texts, calls } = recordingReducer();
    const agent = createAgent({
      model: echoing(),
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("agent", agent.graph as never)
      .addEdge("__start__", "agent")
      .compile({ checkpointer: new MemorySaver() });
    for (let turn = 0; turn < 12; turn += 1) await graph.invoke(question(turn), threadOf("t1"));
    expect(new Set(texts()).size).toBe(texts().length);
    expect(texts()).toEqual(conversation(12).slice(1, 1 + texts().length));
    expect(new Set(calls.map(({ threadId }) => threadId))).toEqual(new Set(['["t1","agent"]']));
  });

  it("streams no message of the window again", async () => {
    const { reducer } = recordingReducer({
      injectSummary: true,
      summarize: (pruned) => `${pruned.length} left`,
    });
    const agent = createAgent({
      model: echoing(),
      checkpointer: new MemorySaver(),
      middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
    });
    const streamed: string[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const stream = await agent.stream(question(turn), { ...threadOf("t1"), streamMode: "messages" });
      for await (const [message] of stream) streamed.push(message.text);
    }
    const answers = streamed.filter((text) => text.startsWith("answer"));
    expect(answers).toEqual(conversation(8).filter((text) => text.startsWith("answer")));
  });
});

const asha = { thread_id: "t1", memory_namespace: ["memories", "asha"] };

describe("memoryMiddleware recalls", () => {
  async function answered({
    systemPrompt,
    messages = [new HumanMessage("Which seat do I like?")],
    remembered = ["Likes the aisle seat."],
  }: {
    systemPrompt?: string | SystemMessage;
    messages?: BaseMessage[];
    remembered?: string[];
  }) {
    const { engine, asked } = recallingEngine(remembered);
    const { reducer } = recordingReducer();
    const model = fakeModel().respond(new AIMessage("The aisle."));
    const middleware = [memoryMiddleware({ reducer, engine, tools: false })];
    const agent = createAgent({ model, middleware, ...(systemPrompt === undefined ? {} : { systemPrompt }) });
    const result = await agent.invoke({ messages }, { configurable: asha });
    return { prompt: sent(model)[0] ?? [], asked, result };
  }

  it("into the system prompt of the call, and not into the state", async () => {
    const { prompt, asked, result } = await answered({ systemPrompt: "You book flights." });
    expect(prompt.map(({ type }) => type)).toEqual(["system", "human"]);
    expect(prompt[0]?.text).toMatch(
      /^You book flights\.\n\n<recalled_memories>\n[\s\S]*Likes the aisle seat\./,
    );
    expect(asked).toEqual([["Which seat do I like?", ["memories", "asha"], { limit: 5 }]]);
    expect(textsOf(result.messages)).toEqual(["Which seat do I like?", "The aisle."]);
  });

  it("behind a prompt of blocks, which stays as it is", async () => {
    const block = { type: "text" as const, text: "You book flights.", cache_control: { type: "ephemeral" } };
    const { prompt } = await answered({ systemPrompt: new SystemMessage({ content: [block] }) });
    expect(prompt[0]?.content).toEqual([
      block,
      { type: "text", text: expect.stringContaining("Likes the aisle seat.") },
    ]);
  });

  it("into a prompt of its own where there is none", async () => {
    const { prompt } = await answered({});
    expect(prompt.map(({ type }) => type)).toEqual(["system", "human"]);
    expect(prompt[0]?.text).toMatch(/^<recalled_memories>/);
  });

  it("into the prompt of the list where the agent has none: some providers refuse a second one", async () => {
    const own = new SystemMessage({ content: "You book flights.", id: "prompt" });
    const messages = [own, new HumanMessage("Which seat do I like?")];
    const { prompt, result } = await answered({ messages });
    expect(prompt.map(({ type }) => type)).toEqual(["system", "human"]);
    expect(prompt[0]?.text).toMatch(/^You book flights\.\n\n<recalled_memories>/);
    expect(result.messages[0]?.text).toBe("You book flights.");
  });

  it("nothing where nothing is remembered: the request stays as it is", async () => {
    const { prompt } = await answered({ remembered: [] });
    expect(prompt.map(({ type }) => type)).toEqual(["human"]);
  });

  it("what the app asks for", async () => {
    const { engine, asked } = recallingEngine([]);
    const { reducer } = recordingReducer();
    const query = async (messages: readonly BaseMessage[]) => messages.map(({ text }) => text).join(" ");
    const agent = createAgent({
      model: echoing(),
      middleware: [memoryMiddleware({ reducer, engine, query, limit: 2, tools: false })],
    });
    const messages = [new HumanMessage("Seats?"), new HumanMessage("On the left?")];
    await agent.invoke({ messages }, { configurable: asha });
    expect(asked).toEqual([["Seats? On the left?", ["memories", "asha"], { limit: 2 }]]);
  });

  it("from the agent's store where it is given none, and the tools write there", async () => {
    const store = new InMemoryStore();
    const { reducer } = recordingReducer();
    const model = fakeModel()
      .respondWithTools([{ name: "manage_memory", args: { content: "Likes the aisle seat." }, id: "call-1" }])
      .respond(new AIMessage("Noted."))
      .respond(new AIMessage("The aisle."));
    const agent = createAgent({
      model,
      checkpointer: new MemorySaver(),
      store,
      middleware: [memoryMiddleware({ reducer })],
    });
    await agent.invoke({ messages: [new HumanMessage("I like the aisle seat.")] }, { configurable: asha });
    const other = { ...asha, thread_id: "t2" };
    await agent.invoke({ messages: [new HumanMessage("Which seat do I like?")] }, { configurable: other });
    expect(sent(model).at(-1)?.[0]?.text).toContain("Likes the aisle seat.");
    const bela = { thread_id: "t3", memory_namespace: ["memories", "bela"] };
    model.respond(new AIMessage("I do not know."));
    await agent.invoke({ messages: [new HumanMessage("Which seat do I like?")] }, { configurable: bela });
    expect(
      sent(model)
        .at(-1)
        ?.map(({ type }) => type),
    ).toEqual(["human"]);
  });
});

describe("the namespace of memoryMiddleware", () => {
  it("is the thread's own where the config names none", async () => {
    const store = new InMemoryStore();
    const { reducer } = recordingReducer();
    const model = fakeModel()
      .respondWithTools([{ name: "manage_memory", args: { content: "Likes the aisle." }, id: "call-1" }])
      .respond(new AIMessage("Noted."));
    const agent = createAgent({ model, middleware: [memoryMiddleware({ reducer, store })] });
    await agent.invoke(question(0), { configurable: { thread_id: "t9" } });
    expect(await store.count(["memories", "t9"])).toBe(1);
  });

  it("may come from the context, for hooks, recall and tools alike", async () => {
    const store = new InMemoryStore();
    const { reducer, calls } = recordingReducer();
    const model = echoing(5)
      .respondWithTools([{ name: "manage_memory", args: { content: "Likes the aisle." }, id: "call-1" }])
      .respond(new AIMessage("Noted."))
      .respond(new AIMessage("The aisle."));
    const agent = createAgent({
      model,
      contextSchema: z.object({ userId: z.string() }),
      checkpointer: new MemorySaver(),
      middleware: [memoryMiddleware({ reducer, store, namespace: ["users", "{userId}"] })],
    });
    const run = { configurable: { thread_id: "t1" }, context: { userId: "asha" } };
    for (let turn = 0; turn < 6; turn += 1) await agent.invoke(question(turn), run);
    expect(calls.length).toBeGreaterThan(0);
    for (const { namespace } of calls) expect(namespace).toEqual(["users", "asha"]);
    expect(await store.count(["users", "asha"])).toBe(1);
    await agent.invoke({ messages: [new HumanMessage("The aisle or the window?")] }, run);
    expect(sent(model).at(-1)?.[0]?.text).toContain("Likes the aisle.");
  });

  it("is an error that stops the run where a placeholder has no value", async () => {
    const { reducer } = recordingReducer();
    const agent = createAgent({
      model: echoing(),
      middleware: [
        memoryMiddleware({ reducer, store: new InMemoryStore(), namespace: ["users", "{userId}"] }),
      ],
    });
    await expect(agent.invoke(question(0), {})).rejects.toThrow(/no value for \{userId\}/);
  });
});

describe("memoryMiddleware", () => {
  it("refuses what it cannot work with", () => {
    const { reducer } = recordingReducer();
    const { engine } = recallingEngine([]);
    const store = new InMemoryStore();
    const refused = expect.objectContaining({ code: "invalid_config" });
    expect(() => memoryMiddleware({ store } as never)).toThrow(refused);
    expect(() => memoryMiddleware({ reducer: {} as never, store })).toThrow(refused);
    expect(() => memoryMiddleware({ reducer, engine, store })).toThrow(/not both/);
    expect(() => memoryMiddleware({ reducer, store: { get() {} } as never })).toThrow(refused);
    expect(() => memoryMiddleware({ reducer, store, limit: 0 })).toThrow(refused);
    expect(() => memoryMiddleware({ reducer, store, into: "memory" } as never)).toThrow(
      /unknown option "into"/,
    );
  });
});
