import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it, vi } from "vitest";
import { memoryMiddleware, memoryTools, recallNode } from "../../../src/adapters/langgraph/index.ts";
import { MemoryEngine, renderMemories } from "../../../src/memory/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { idIn } from "../../tools/harness.ts";
import { recordingReducer } from "./saver-harness.ts";

const asha = { configurable: { memory_namespace: ["memories", "asha"] } };
const bela = { configurable: { memory_namespace: ["memories", "bela"] } };
const place = ["memories", "asha"];

function remembering() {
  const store = new InMemoryStore();
  const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
  const [manage, search] = memoryTools(engine);
  return { store, engine, manage, search };
}

describe("memoryTools of an engine", () => {
  it("write, find, change and forget through it: its history has every version", async () => {
    const { engine, manage, search } = remembering();
    const created = await manage.invoke({ content: "Likes the window seat." }, asha);
    expect(created).toMatch(/^created memory \S+$/);
    const id = idIn(created);
    const changed = await manage.invoke({ content: "Likes the aisle seat.", id, action: "update" }, asha);
    expect(changed).toBe(`updated memory ${id}`);

    const [item] = JSON.parse(await search.invoke({ query: "which seat?" }, asha));
    expect(item).toMatchObject({ namespace: place, key: id, value: { content: "Likes the aisle seat." } });
    expect(item.score).toBeGreaterThan(0);

    expect(await manage.invoke({ id: id.slice(0, 8), action: "delete" }, asha)).toBe(`Deleted memory ${id}`);
    expect(await search.invoke({ query: "which seat?" }, asha)).toBe("[]");
    const history = await engine.history(place, id);
    expect(history.map(({ action, content }) => [action, content])).toEqual([
      ["forget", undefined],
      ["update", "Likes the aisle seat."],
      ["insert", "Likes the window seat."],
    ]);
    expect(history[0]?.reason).toBe("a memory tool");
  });

  it("do not write twice what says the same", async () => {
    const { engine, manage } = remembering();
    const first = await manage.invoke({ content: "Likes the aisle seat." }, asha);
    expect(await manage.invoke({ content: "likes the aisle seat" }, asha)).toBe(first);
    expect(await engine.list(place)).toHaveLength(1);
    const echo = renderMemories(await engine.list(place));
    const answer = await manage.invoke({ content: echo }, asha);
    expect(answer).toBe("There is nothing in it to remember. Nothing was changed.");
  });

  it("neither show nor change what is private, nor another user's", async () => {
    const { engine, manage, search } = remembering();
    const [secret] = await engine.remember("Is planning a surprise.", place, {
      extract: false,
      private: true,
      source: "planner",
    });
    const own = idIn(await manage.invoke({ content: "Has a cat." }, bela));
    expect(await search.invoke({ query: "surprise" }, asha)).toBe("[]");
    expect(await search.invoke({ query: "" }, asha)).toBe("[]");
    for (const id of [secret?.key ?? "", own]) {
      const answer = await manage.invoke({ id, action: "delete" }, asha);
      expect(answer).toMatch(/^There is no memory with the id .* There are no memories yet\./);
    }
    expect(await engine.list(place)).toHaveLength(1);
    expect(await engine.list(["memories", "bela"])).toHaveLength(1);
  });

  it("find what private memories stand before", async () => {
    const { engine, manage, search } = remembering();
    const cat = idIn(await manage.invoke({ content: "Has a cat." }, asha));
    const dog = idIn(await manage.invoke({ content: "Has a dog." }, asha));
    for (let index = 0; index < 12; index += 1) {
      await engine.remember(`Secret number ${index}.`, place, { extract: false, private: true });
    }
    const keys = async (args: object): Promise<string[]> =>
      JSON.parse(await search.invoke({ query: "", ...args }, asha)).map(({ key }: { key: string }) => key);
    const both = await keys({});
    expect(both.toSorted()).toEqual([cat, dog].toSorted());
    expect([...(await keys({ limit: 1 })), ...(await keys({ limit: 1, offset: 1 }))]).toEqual(both);
    expect(await keys({ offset: 2 })).toEqual([]);
  });

  it("answer the wrong id with those that exist, and a search without a query with the newest", async () => {
    const { manage, search } = remembering();
    const id = idIn(await manage.invoke({ content: "Has a cat." }, asha));
    const answer = await manage.invoke({ id: "42", content: "Has a dog.", action: "update" }, asha);
    expect(answer).toBe(
      `There is no memory with the id "42". The ids that exist are: ${id}. Nothing was changed.`,
    );
    const [newest] = JSON.parse(await search.invoke({ query: " " }, asha));
    expect(newest).toMatchObject({ key: id, value: { content: "Has a cat." }, score: null });
  });

  it("page and filter what is found", async () => {
    const { engine, search } = remembering();
    for (let index = 0; index < 6; index += 1) {
      await engine.remember(`Seat number ${index}.`, place, {
        extract: false,
        metadata: { even: index % 2 === 0 },
      });
    }
    const keys = async (args: Record<string, unknown>) =>
      JSON.parse(await search.invoke({ query: "seat", ...args }, asha)).map(
        ({ key }: { key: string }) => key,
      );
    const all = await keys({});
    expect(all).toHaveLength(6);
    expect(await keys({ limit: 2, offset: 3 })).toEqual(all.slice(3, 5));
    expect(await keys({ filter: { "metadata.even": true } })).toHaveLength(3);
  });

  it("have the namespace of a ReducingSaver's hooks: of the config, else of the thread", async () => {
    const { engine, manage } = remembering();
    await manage.invoke({ content: "Has a cat." }, { configurable: { thread_id: "t1" } });
    expect(await engine.list(["memories", "t1"])).toHaveLength(1);
    const [under] = memoryTools(engine, { namespaceKey: "tenant" });
    await under.invoke({ content: "Has a dog." }, { configurable: { tenant: "/acme/asha" } });
    expect(await engine.list(["acme", "asha"])).toHaveLength(1);
    const [filled] = memoryTools(engine, { namespace: ["users", "{userId}"] });
    await filled.invoke({ content: "Has a bird." }, { configurable: { userId: 7 } });
    expect(await engine.list(["users", "7"])).toHaveLength(1);
  });
});

describe("an agent with an engine", () => {
  it("recalls what it was told in another thread", async () => {
    const { engine } = remembering();
    const { reducer } = recordingReducer();
    const model = fakeModel()
      .respondWithTools([{ name: "manage_memory", args: { content: "Likes the aisle seat." }, id: "call-1" }])
      .respond(new AIMessage("Noted."))
      .respond(new AIMessage("The aisle."));
    const agent = createAgent({
      model,
      checkpointer: new MemorySaver(),
      middleware: [memoryMiddleware({ reducer, engine })],
    });
    const run = (thread_id: string) => ({ configurable: { ...asha.configurable, thread_id } });
    await agent.invoke({ messages: [new HumanMessage("I like the aisle seat.")] }, run("t1"));
    await agent.invoke({ messages: [new HumanMessage("Which seat do I like?")] }, run("t2"));
    const [prompt] = (model.calls.at(-1)?.messages ?? []) as AIMessage[];
    expect(prompt?.text).toContain("Likes the aisle seat.");
    const state = { messages: [new HumanMessage("Which seat?")] };
    expect((await recallNode(engine)(state, run("t3"))).memory).toContain("Likes the aisle seat.");
  });
});

describe("an engine for the tools", () => {
  it("is one that has all they call, and no store beside it", () => {
    const { engine, store } = remembering();
    const refused = expect.objectContaining({ code: "invalid_config" });
    expect(() => memoryTools({ recall: engine.recall } as never)).toThrow(refused);
    expect(() => memoryTools({ get() {} } as never)).toThrow(refused);
    expect(() => memoryTools(engine, { namespaces: [] } as never)).toThrow(/unknown option "namespaces"/);
    const { reducer } = recordingReducer();
    expect(() => memoryMiddleware({ reducer, engine, store })).toThrow(/not both/);
  });

  it("is not needed: without one the tools use the run's store, and say where there is none", async () => {
    const store = new InMemoryStore();
    const [manage] = memoryTools();
    await manage.invoke({ content: "Has a cat." }, { ...asha, store } as never);
    expect(await store.count(place)).toBe(1);
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    await expect(manage.invoke({ content: "Has a cat." }, asha)).rejects.toMatchObject({
      code: "missing_store",
    });
    expect(logged).toHaveBeenCalledOnce();
  });
});
