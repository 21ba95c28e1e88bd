import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { fakeModel } from "@langchain/core/testing";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { SyntheticEmbeddings } from "@langchain/core/utils/testing";
import {
  entrypoint,
  getStore,
  type LangGraphRunnableConfig,
  InMemoryStore as LangGraphStore,
  MessagesAnnotation,
  StateGraph,
  task,
} from "@langchain/langgraph";
import { createReactAgent, ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent } from "langchain";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  createManageMemoryTool,
  createSearchMemoryTool,
  type LangChainMemoryTool,
} from "../../../src/adapters/langgraph/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import type { ManageMemoryArguments } from "../../../src/tools/index.ts";
import { idIn, keepingLogger } from "../../tools/harness.ts";

const namespace = ["memories", "{userId}"];
const asha = { configurable: { userId: "asha" } };
const place = ["memories", "asha"];

afterEach(() => vi.restoreAllMocks());

function call(args: Record<string, unknown>, name = "manage_memory", id = "call-1"): ToolCall {
  return { name, args, id, type: "tool_call" };
}

const aiWith = (...calls: ToolCall[]) => new AIMessage({ content: "", tool_calls: calls });

/** What each host does with one tool call: the text of the tool message. */
type Host = (
  tool: LangChainMemoryTool<ManageMemoryArguments>,
  args: Record<string, unknown>,
  run: { store?: unknown; config?: object },
) => Promise<ToolMessage>;

const lastToolMessage = (messages: readonly unknown[]): ToolMessage => {
  const found = messages.filter((message) => ToolMessage.isInstance(message)).at(-1);
  if (found === undefined) throw new Error("no tool message");
  return found;
};

const hosts: Record<string, Host> = {
  createAgent: async (tool, args, { store, config = asha }) => {
    const model = fakeModel()
      .respondWithTools([call(args, tool.name)])
      .respond(new AIMessage("done"));
    const agent = createAgent({ model, tools: [tool], ...(store ? { store: store as never } : {}) });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("hello")] }, config);
    return lastToolMessage(messages);
  },
  createReactAgent: async (tool, args, { store, config = asha }) => {
    const model = fakeModel()
      .respondWithTools([call(args, tool.name)])
      .respond(new AIMessage("done"));
    const agent = createReactAgent({
      llm: model,
      tools: [tool],
      ...(store ? { store: store as never } : {}),
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("hello")] }, config);
    return lastToolMessage(messages);
  },
  "a ToolNode": async (tool, args, { store, config = asha }) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode([tool]))
      .addEdge("__start__", "tools")
      .compile(store ? { store: store as never } : {});
    const { messages } = await graph.invoke({ messages: [aiWith(call(args, tool.name))] }, config);
    return lastToolMessage(messages);
  },
  "a node that passes nothing on": async (tool, args, { store, config = asha }) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("work", async () => ({ messages: [await tool.invoke(call(args, tool.name))] }))
      .addEdge("__start__", "work")
      .compile(store ? { store: store as never } : {});
    const { messages } = await graph.invoke({ messages: [new HumanMessage("hello")] }, config);
    return lastToolMessage(messages);
  },
  "a node that passes its config on": async (tool, args, { store, config = asha }) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("work", async (_: unknown, own: LangGraphRunnableConfig) => ({
        messages: [await tool.invoke(call(args, tool.name), own)],
      }))
      .addEdge("__start__", "work")
      .compile(store ? { store: store as never } : {});
    const { messages } = await graph.invoke({ messages: [new HumanMessage("hello")] }, config);
    return lastToolMessage(messages);
  },
  "an entrypoint": async (tool, args, { store, config = asha }) => {
    const workflow = entrypoint(
      { name: "workflow", ...(store ? { store: store as never } : {}) },
      async (input: Record<string, unknown>) => tool.invoke(call(input, tool.name)),
    );
    return (await workflow.invoke(args, config)) as ToolMessage;
  },
  "a task in an entrypoint": async (tool, args, { store, config = asha }) => {
    const remember = task("remember", async (input: Record<string, unknown>) =>
      tool.invoke(call(input, tool.name)),
    );
    const workflow = entrypoint(
      { name: "workflow", ...(store ? { store: store as never } : {}) },
      async (input: Record<string, unknown>) => remember(input),
    );
    return (await workflow.invoke(args, config)) as ToolMessage;
  },
  "a direct call": async (tool, args, { store, config = asha }) => {
    return (await tool.invoke(call(args, tool.name), {
      ...config,
      ...(store ? { store } : {}),
    } as never)) as ToolMessage;
  },
};

const stores: Record<string, () => InMemoryStore | LangGraphStore> = {
  "keepsake's store": () => new InMemoryStore(),
  "LangGraph's store": () => new LangGraphStore(),
};

const everywhere = Object.entries(hosts).flatMap(([host, run]) => {
  return Object.entries(stores).map(([name, make]) => [host, name, run, make] as const);
});

describe.each(everywhere)("in %s, with %s", (_host, _store, run, make) => {
  it("creates, updates, finds and deletes", async () => {
    const store = make();
    const manage = createManageMemoryTool({ namespace });
    const search = createSearchMemoryTool({ namespace, logger: keepingLogger() });
    const created = await run(manage, { content: "Prefers aisle seats." }, { store });
    expect(created.text).toMatch(/^created memory /);
    const id = idIn(created.text);
    expect((await store.get(place, id))?.value).toEqual({ content: "Prefers aisle seats." });
    const updated = await run(
      manage,
      { action: "update", id: id.slice(0, 8), content: "Prefers windows." },
      { store },
    );
    expect(updated.text).toBe(`updated memory ${id}`);
    const found = await run(search as never, { query: "windows" }, { store });
    expect(JSON.parse(found.text)).toMatchObject([
      { namespace: place, key: id, value: { content: "Prefers windows." } },
    ]);
    expect((await run(manage, { action: "delete", id }, { store })).text).toBe(`Deleted memory ${id}`);
    expect(await store.search(place)).toEqual([]);
  });

  it("answers what the framework itself would refuse", async () => {
    const store = make();
    const manage = createManageMemoryTool({ namespace, actionsPermitted: ["create"] });
    const wrong = await run(manage, { action: "delete", content: "x", user_id: "bela" }, { store });
    expect(wrong).toMatchObject({
      text: 'The action must be "create", not "delete". Nothing was changed.',
      tool_call_id: "call-1",
      name: "manage_memory",
    });
    const search = createSearchMemoryTool({ namespace });
    const answer = await run(search as never, { limit: "ten" }, { store });
    expect(JSON.parse(answer.text)).toEqual([{ error: expect.stringContaining("Pass a query") }]);
    expect(await store.search(place)).toEqual([]);
  });

  it("tells the developer of a value that is missing, and the model no more than its name", async () => {
    const logger = keepingLogger();
    const manage = createManageMemoryTool({ namespace, logger });
    const config = { configurable: { user_id: "secret-4711" } };
    const outcome = await run(manage, { content: "x" }, { store: make(), config }).then(
      (message) => message.text,
      (error) => String(error),
    );
    expect(outcome).toContain("{userId}");
    expect(outcome).not.toContain("secret");
    expect(logger.errors).toMatchObject([[expect.any(String), { code: "missing_namespace_value" }]]);
    expect(JSON.stringify(logger.errors)).toContain("user_id");
    expect(JSON.stringify(logger.errors)).not.toContain("secret");
  });
});

describe.each(Object.entries(hosts))("in %s without a store", (_, run) => {
  it("logs and throws missing_store", async () => {
    const logger = keepingLogger();
    const manage = createManageMemoryTool({ namespace, logger });
    const outcome = await run(manage, { content: "x" }, {}).then(
      (message) => message.text,
      (error) => String(error),
    );
    expect(outcome).toContain("there is no store");
    expect(logger.errors).toMatchObject([[expect.any(String), { code: "missing_store" }]]);
  });

  it("uses the store that the tool was made with", async () => {
    const store = new InMemoryStore();
    const manage = createManageMemoryTool({ namespace, store });
    expect((await run(manage, { content: "x" }, {})).text).toMatch(/^created memory /);
    expect(await store.count(place)).toBe(1);
  });
});

it("writes an error to the console where there is no other logger", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  await expect(createManageMemoryTool({ namespace }).invoke({ content: "x" })).rejects.toMatchObject({
    code: "missing_store",
  });
  expect(error).toHaveBeenCalledOnce();
});

describe("context", () => {
  it("of an agent fills placeholders, after configurable", async () => {
    const store = new InMemoryStore();
    const model = fakeModel();
    for (const content of ["one", "two"])
      model.respondWithTools([call({ content })]).respond(new AIMessage("done"));
    const contextSchema = z.object({ userId: z.string() });
    const tools = [createManageMemoryTool({ namespace })];
    const agent = createAgent({ model, tools, store, contextSchema });
    const messages = [new HumanMessage("hello")];
    await agent.invoke({ messages }, { context: { userId: "asha" } });
    expect(await store.count(place)).toBe(1);
    await agent.invoke({ messages }, { context: { userId: "asha" }, configurable: { userId: "bela" } });
    expect(await store.count(["memories", "bela"])).toBe(1);
  });
});

describe("a direct call", () => {
  it("with plain arguments returns the text, with a tool call a message", async () => {
    const store = new InMemoryStore();
    const tool = createManageMemoryTool({ namespace, store });
    expect(await tool.invoke({ content: "x" }, asha)).toMatch(/^created memory /);
    expect(await tool.invoke(call({ content: "x" }), asha)).toBeInstanceOf(ToolMessage);
    expect(await tool.invoke({ action: "merge" } as never, asha)).toMatch(/^The action must be/);
    expect(await tool.invoke("just text" as never, asha)).toMatch(/^The arguments must be an object/);
  });

  it("takes undefined for what is left out", async () => {
    const store = new InMemoryStore();
    const manage = createManageMemoryTool({ namespace, store });
    const search = createSearchMemoryTool({ namespace, store });
    expect(await manage.invoke({ content: "Likes tea.", id: undefined, action: undefined }, asha)).toMatch(
      /^created memory /,
    );
    const args = { query: "tea", limit: undefined, filter: undefined };
    expect(await search.invoke(args, asha)).toContain("Likes tea.");
    expect(await search.invoke(call(args), asha)).toMatchObject({ content: expect.stringContaining("tea") });
  });

  it("is asynchronous in several at once, refused or not, without mixing them up", async () => {
    const store = new InMemoryStore();
    const tool = createManageMemoryTool({ namespace, store });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tool.invoke({ action: `action-${index}` } as never, asha)),
    );
    answers.forEach((answer, index) => void expect(answer).toContain(`"action-${index}"`));
  });

  it("tells callbacks of the call, its answer and its failure", async () => {
    const seen: string[] = [];
    const callbacks = [
      {
        handleToolStart: () => void seen.push("start"),
        handleToolEnd: (output: unknown) => void seen.push(`end ${String(output).slice(0, 10)}`),
        handleToolError: () => void seen.push("error"),
      },
    ];
    const tool = createManageMemoryTool({ namespace, store: new InMemoryStore(), logger: keepingLogger() });
    await tool.invoke({ content: "x" }, { ...asha, callbacks });
    await tool.invoke({ action: "merge" } as never, { ...asha, callbacks });
    await expect(tool.invoke({ content: "x" }, { callbacks })).rejects.toThrow();
    expect(seen).toEqual(["start", "end created me", "start", "end The action", "start", "error"]);
  });
});

describe("LangGraph's wrapper around stores", () => {
  it("is reached through, also where the tool is made with it", async () => {
    const store = new InMemoryStore();
    const batch = vi.spyOn(store, "batch");
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("work", async () => {
        const wrapper = getStore();
        expect(wrapper).not.toBe(store);
        const tool = createManageMemoryTool({ namespace, store: wrapper as never });
        return { messages: [await tool.invoke(call({ content: "x" }))] };
      })
      .addEdge("__start__", "work")
      .compile({ store });
    await graph.invoke({ messages: [new HumanMessage("hello")] }, asha);
    expect(await store.count(place)).toBe(1);
    expect(batch).not.toHaveBeenCalled();
  });
});

describe("labels", () => {
  const userIds = ["asha@example.org", "user:42", "user_42", "100%", "a\\b", "a=2eb", "a/b", "langgraph"];

  test.each(userIds)("a user called %s has a memory in every store", async (userId) => {
    for (const make of Object.values(stores)) {
      const store = make();
      const logger = keepingLogger();
      const run = { configurable: { userId } };
      const manage = createManageMemoryTool({ namespace: ["{userId}", "notes"], store });
      const search = createSearchMemoryTool({ namespace: ["{userId}"], store, logger });
      const id = idIn(String(await manage.invoke({ content: "x" }, run)));
      const [found] = JSON.parse(String(await search.invoke({ query: "x" }, run)));
      expect(found).toMatchObject({ namespace: [userId, "notes"], key: id });
      expect(await manage.invoke({ action: "delete", id: id.slice(0, 10) }, run)).toBe(
        `Deleted memory ${id}`,
      );
    }
  });

  it("are written with = and hex towards LangGraph's store", async () => {
    const store = new LangGraphStore();
    const tool = createManageMemoryTool({ namespace: ["project_memories", "{userId}"], store });
    await tool.invoke({ content: "x" }, { configurable: { userId: "a.b" } });
    expect(await store.search(["project_memories", "a=2eb"])).toHaveLength(1);
  });

  it("keep a neighbour out that a store finds beside a prefix", async () => {
    const leaking = new LangGraphStore();
    const search = leaking.search.bind(leaking);
    leaking.search = async ([root = ""], options) => search([root], options);
    await leaking.put(["memories", "asha2"], "other", { content: "x" });
    await leaking.put(place, "own-1", { content: "x" });
    await leaking.put(["memories", "asha3"], "another", { content: "x" });
    await leaking.put(place, "own-2", { content: "x" });
    const logger = keepingLogger();
    const tool = createSearchMemoryTool({ namespace, store: leaking, logger });
    const keys = async (args: { query: string; limit?: number; offset?: number }) => {
      const found: { key: string }[] = JSON.parse(String(await tool.invoke(args, asha)));
      return found.map(({ key }) => key);
    };
    expect(await keys({ query: "x" })).toEqual(["own-1", "own-2"]);
    expect(await keys({ query: "x", limit: 1 })).toEqual(["own-1"]);
    expect(await keys({ query: "x", limit: 1, offset: 1 })).toEqual(["own-2"]);
    const manage = createManageMemoryTool({ namespace, store: leaking });
    expect(await manage.invoke({ action: "delete", id: "unknown" }, asha)).toMatch(
      /exist are: own-1, own-2\./,
    );
  });
});

describe("responseFormat", () => {
  it("puts the items, whole, beside the text", async () => {
    const store = new InMemoryStore();
    const content = "seat ".repeat(4000);
    await store.put(place, "long", { content });
    const tool = createSearchMemoryTool({ namespace, store, responseFormat: "content_and_artifact" });
    const message = (await tool.invoke(call({ query: "seat" }, "search_memory"), asha)) as ToolMessage;
    expect(message.text.length).toBeLessThanOrEqual(8000);
    expect(message.artifact).toHaveLength(1);
    expect(message.artifact[0].value.content === content).toBe(true);
    expect(await tool.invoke({ query: "seat" }, asha)).toBe(message.text);
  });

  it("is one of two", () => {
    const responseFormat = "artifact" as never;
    expect(() => createSearchMemoryTool({ namespace, responseFormat })).toThrow(
      /responseFormat must be "content" or/,
    );
  });
});

it("is shown to models as it is", () => {
  const schema = z.object({ name: z.string(), tags: z.array(z.string()).default([]) });
  const manage = createManageMemoryTool({ namespace, schema });
  const shown = convertToOpenAITool(manage);
  expect(shown).toMatchObject({
    function: {
      name: "manage_memory",
      description: manage.description,
      parameters: {
        type: "object",
        required: [],
        properties: {
          action: { enum: ["create", "update", "delete"] },
          content: { type: "object", required: ["name"], properties: { tags: { default: [] } } },
          id: { type: "string" },
        },
      },
    },
  });
});

it("does nothing where the run is aborted", async () => {
  const store = new InMemoryStore();
  const tool = createManageMemoryTool({ namespace, store });
  const signal = AbortSignal.abort(new Error("The user has left."));
  await expect(tool.invoke({ content: "x" }, { ...asha, signal })).rejects.toThrow("The user has left.");
  expect(await store.count(place)).toBe(0);
});

it("ranks with the index of LangGraph's store", async () => {
  const logger = keepingLogger();
  const store = new LangGraphStore({
    index: { dims: 8, embeddings: new SyntheticEmbeddings({ vectorSize: 8 }) },
  });
  const manage = createManageMemoryTool({ namespace, store });
  const search = createSearchMemoryTool({ namespace, store, logger });
  for (const content of ["a", "b", "c"]) await manage.invoke({ content }, asha);
  const found: { score: number }[] = JSON.parse(String(await search.invoke({ query: "b" }, asha)));
  const scores = found.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((left, right) => right - left));
  expect(scores).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
  expect(logger.warnings).toEqual([]);
});

it("warns once of LangGraph's store without an index", async () => {
  const logger = keepingLogger();
  const store = new LangGraphStore();
  const tool = createSearchMemoryTool({ namespace, store, logger });
  await store.put(place, "a", { content: "x" });
  await tool.invoke({ query: "x" }, asha);
  await tool.invoke({ query: "x" }, asha);
  expect(logger.warnings).toHaveLength(1);
});

test("a schema of zod 3 is shown and checked too", async () => {
  const schema = z3.object({ name: z3.string(), tags: z3.array(z3.string()).default([]) });
  const store = new InMemoryStore();
  const tool = createManageMemoryTool({ namespace, store, schema });
  expect(tool.schema).toMatchObject({
    properties: { content: { required: ["name"], properties: { tags: { type: "array", default: [] } } } },
  });
  expect(await tool.invoke({ content: { name: 1 } }, asha)).toMatch(/does not fit its schema: name: /);
  await tool.invoke({ content: { name: "Asha" } }, asha);
  expect((await store.search(place))[0]?.value).toEqual({ content: { name: "Asha", tags: [] } });
});

test("several calls of one message reach one store in any order", async () => {
  const store = new InMemoryStore();
  const tools = [createManageMemoryTool({ namespace }), createSearchMemoryTool({ namespace })];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools))
    .addEdge("__start__", "tools")
    .compile({ store });
  const calls = Array.from({ length: 5 }, (_, index) =>
    call({ content: `Fact ${index}.` }, "manage_memory", `call-${index}`),
  );
  const { messages } = await graph.invoke({ messages: [aiWith(...calls)] }, asha);
  expect(messages).toHaveLength(6);
  expect(await store.count(place)).toBe(5);
});
