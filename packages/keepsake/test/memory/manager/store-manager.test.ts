import {
  END,
  InMemoryStore as LangGraphStore,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { createMemoryStoreManager } from "../../../src/memory/manager/store-manager.ts";
import type { ModelRequest } from "../../../src/memory/models/types.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { manageMemoryTool, searchMemoryTool } from "../../../src/tools/index.ts";
import { insert, nothing, remove, said, scriptedModel, update } from "./scripted-model.ts";
import {
  config,
  failingOnce,
  labelOf,
  managerOf,
  namespace,
  Profile,
  stores,
  text,
  valuesIn,
  watchSearches,
} from "./store-harness.ts";

describe.each(stores)("createMemoryStoreManager in %s", (_, open) => {
  it("stores what is new as { kind, content }, and tells of it", async () => {
    const store = open();
    const { manager, types } = managerOf(store, [insert("Memory", { content: "Asha likes tea." })]);
    const puts = await manager.invoke({ messages: said("I like tea.") }, config);
    expect(puts).toMatchObject([{ namespace, key: expect.any(String), value: text("Asha likes tea.") }]);
    expect(await valuesIn(store)).toEqual([text("Asha likes tea.")]);
    expect(types()).toEqual(["model_call", "inserted"]);
  });

  it("makes a profile in one turn and corrects it in the next: one item", async () => {
    const store = open();
    const { manager } = managerOf(
      store,
      [update("m1", { name: "Asha", age: 60 }), update("m1", { age: 61 })],
      {
        schemas: { Profile },
        default: {},
      },
    );
    const [first] = await manager({ messages: said("I'm Asha, 60.") }, config);
    const [second] = await manager({ messages: said("It was my birthday, I'm 61!") }, config);
    expect([first?.key, second?.key]).toEqual(["default", "default"]);
    expect(await valuesIn(store)).toEqual([
      { kind: "Profile", content: { name: "Asha", age: 61, tags: [] } },
    ]);
  });

  it("makes a profile without a default, finds it again and corrects it: one item", async () => {
    const store = open();
    const { manager, model } = managerOf(
      store,
      [insert("Profile", { name: "Asha", age: 60 }), update("m1", { age: 61, tags: ["tea"] })],
      { schemas: { Profile } },
    );
    await manager({ messages: said("I'm Asha, 60.") }, config);
    await manager({ messages: said("Asha is 61 now and likes tea.") }, config);
    expect(model.requests[1]?.prompt).toContain('{"id":"m1","kind":"Profile"');
    expect(await valuesIn(store)).toEqual([
      { kind: "Profile", content: { name: "Asha", age: 61, tags: ["tea"] } },
    ]);
  });

  it("tells of deletions as well, and invoke gives the puts alone", async () => {
    const store = open();
    const { manager } = managerOf(store, [insert("Memory", "Likes tea."), remove("m1"), nothing], {
      enableDeletes: true,
    });
    const [put] = await manager.invoke({ messages: said("I like tea.") }, config);
    const result = await manager.run({ messages: said("Forget what I said about tea.") }, config);
    expect(result).toEqual({ puts: [], deletes: [{ namespace, key: put?.key }], problems: [] });
    expect(await valuesIn(store)).toEqual([]);
    expect(await manager.invoke({ messages: said("Hi.") }, config)).toEqual([]);
  });

  it("corrects what the memory tools wrote, in their form, and they read what it wrote", async () => {
    const store = open();
    const tool = manageMemoryTool({ namespace, store, logger: console });
    const key = String(await tool.execute({ content: "Likes tea." }))
      .split(" ")
      .at(-1);
    const { manager } = managerOf(store, [
      {
        actions: [
          { action: "update", id: "m1", content: { content: "Likes coffee." } },
          { action: "insert", kind: "Memory", content: { content: "Is Asha." } },
        ],
      },
    ]);
    const puts = await manager.invoke({ messages: said("I like coffee now, not tea.") }, config);
    expect(puts).toMatchObject([{ key, value: { content: "Likes coffee." } }, { value: text("Is Asha.") }]);
    expect(await valuesIn(store)).toContainEqual({ content: "Likes coffee." });
    const found = await searchMemoryTool({ namespace, store }).find({ query: "Asha" });
    expect(found.items.map(({ value }) => value.content)).toContainEqual({ content: "Is Asha." });
  });

  it("tolerates kinds and values that it does not know, and patches them where they are", async () => {
    const store = open();
    await store.put([...namespace, "trips"], "t", { kind: "Trip", content: { place: "Rome" }, rating: 5 });
    await store.put(namespace, "own", { city: "Porto", note: "a trip's value of the app" });
    const { manager, model } = managerOf(store, [
      (request: ModelRequest) => update(labelOf(request, '"place":"Rome"'), { place: "Venice" }),
      (request: ModelRequest) => update(labelOf(request, '"city":"Porto"'), { city: "Faro" }),
    ]);
    const [put] = await manager.invoke({ messages: said("The trip went to Venice, not Rome.") }, config);
    expect(put).toMatchObject({ namespace: [...namespace, "trips"], key: "t" });
    expect(put?.value).toMatchObject({ kind: "Trip", content: { place: "Venice" }, rating: 5 });
    await manager.invoke({ messages: said("The trip of the app is to Faro.") }, config);
    expect((await store.get(namespace, "own"))?.value).toEqual({
      city: "Faro",
      note: "a trip's value of the app",
    });
    expect(model.requests).toHaveLength(2);
  });

  it("writes nothing twice, in whatever words", async () => {
    const store = open();
    const again = insert("Memory", { content: "  likes TEA. " });
    const { manager, types } = managerOf(store, [insert("Memory", { content: "Likes tea." }), again]);
    await manager.invoke({ messages: said("I like tea.") }, config);
    expect(await manager.invoke({ messages: said("Did I say that I like tea?") }, config)).toEqual([]);
    expect(await valuesIn(store)).toHaveLength(1);
    expect(types()).not.toContain("failed");
  });

  it("sees no other user's memories, and writes to none", async () => {
    const store = open();
    await store.put(["memories", "ben"], "b", text("Ben likes tea."));
    await store.put(["memories", "asha2"], "c", text("Asha2 likes tea."));
    const { manager, model } = managerOf(
      store,
      [update("m1", { content: "Likes milk." }), update("m1", { content: "Likes milk." })],
      {
        enableInserts: false,
      },
    );
    expect(await manager.invoke({ messages: said("tea") }, config)).toEqual([]);
    expect(model.requests).toEqual([]);
    expect((await store.get(["memories", "ben"], "b"))?.value).toEqual(text("Ben likes tea."));
  });

  it("has get, search, put and delete on its namespace", async () => {
    const { manager } = managerOf(open(), [], { schemas: { Profile } });
    await manager.put("p", { kind: "Profile", content: { name: "Asha" } }, config);
    expect((await manager.get("p", config))?.value).toMatchObject({ content: { name: "Asha", tags: [] } });
    expect(await manager.search({ query: "Asha" }, config)).toMatchObject([{ key: "p" }]);
    expect(await manager.search({ filter: { kind: "Other" } }, config)).toEqual([]);
    const wrong = { kind: "Profile", content: { name: 5 } };
    await expect(manager.put("p", wrong, config)).rejects.toMatchObject({ code: "invalid_value" });
    await manager.delete("p", config);
    expect(await manager.get("p", config)).toBeNull();
  });
});

describe("a profile", () => {
  it("is stored and told of when it is begun, whatever the model adds to it", async () => {
    const store = new InMemoryStore();
    const { manager } = managerOf(store, [nothing], { schemas: { Profile }, default: { name: "?" } });
    expect((await manager.get("default", config))?.value).toEqual({
      kind: "Profile",
      content: { name: "?", tags: [] },
    });
    expect(await store.count(namespace)).toBe(0);
    expect(await manager.invoke({ messages: said("Hi.") }, config)).toMatchObject([{ key: "default" }]);
    expect(await valuesIn(store)).toEqual([{ kind: "Profile", content: { name: "?", tags: [] } }]);
  });

  it("comes from a factory with the call's config, and may be a text", async () => {
    const store = new InMemoryStore();
    const { manager } = managerOf(store, [nothing], {
      defaultFactory: async ({ configurable }) => `About ${Object(configurable).langgraph_user_id}.`,
    });
    await manager.invoke({ messages: said("Hi.") }, config);
    expect(await valuesIn(store)).toEqual([text("About asha.")]);
  });

  it("stays the only one, unless inserts are asked for", async () => {
    const more = insert("Profile", { name: "Ben" });
    const alone = managerOf(new InMemoryStore(), [more, nothing], { schemas: { Profile }, default: {} });
    expect(await alone.manager.invoke({ messages: said("Ben is here.") }, config)).toHaveLength(1);
    const both = managerOf(new InMemoryStore(), [more], {
      schemas: { Profile },
      default: {},
      enableInserts: true,
    });
    expect(await both.manager.invoke({ messages: said("Ben is here.") }, config)).toHaveLength(2);
  });

  it.each([
    ["default and defaultFactory", { default: {}, defaultFactory: () => ({}) }, /cannot both/],
    ["a default that fits no schema", { default: { name: 5 } }, /fits none of the schemas.*name/s],
    ["a text for a profile", { default: "Asha" }, /fits none/],
  ])("refuses %s", (_, options, message) => {
    expect(() => createMemoryStoreManager(scriptedModel(), { schemas: { Profile }, ...options })).toThrow(
      message,
    );
  });
});

describe("recall", () => {
  it("searches with the last message of a person and with windows, each memory once, as many as the limit says", async () => {
    const store = new InMemoryStore();
    const queries = watchSearches(store);
    for (let index = 0; index < 8; index += 1)
      await store.put(namespace, `k${index}`, text(`Likes tea number ${index}.`));
    const { manager, model } = managerOf(store, [nothing], { queryLimit: 2 });
    const messages = [
      { role: "user", content: "I drink tea." },
      { role: "assistant", content: "Noted." },
      { role: "user", content: "And coffee." },
      { role: "assistant", content: "Fine." },
    ];
    await manager.invoke({ messages }, config);
    expect(queries).toEqual([
      ["And coffee.", "Fine.", "And coffee.\nFine.", "I drink tea.\nNoted.\nAnd coffee.\nFine."],
    ]);
    expect(model.requests[0]?.prompt.match(/"kind":"Memory"/g)).toHaveLength(2);
  });

  it("finds memories with a limit of one", async () => {
    const store = new InMemoryStore();
    await store.put(namespace, "a", text("Likes tea."));
    const { manager } = managerOf(store, [update("m1", { content: "Likes coffee." })], { queryLimit: 1 });
    await manager.invoke(
      {
        messages: [
          { role: "user", content: "No tea any more." },
          { role: "assistant", content: "I see." },
        ],
      },
      config,
    );
    expect(await valuesIn(store)).toEqual([text("Likes coffee.")]);
  });

  it("lets a model propose the queries, and does without where it proposes none", async () => {
    const store = new InMemoryStore();
    const queries = watchSearches(store);
    const queryModel = scriptedModel({ queries: ["favourite drink", "favourite drink"] }, "no idea");
    const { manager, types } = managerOf(store, [nothing, nothing], { queryModel });
    await manager.invoke({ messages: said("tea") }, config);
    await manager.invoke({ messages: said("tea") }, config);
    expect(queries).toEqual([["favourite drink"], ["tea"]]);
    expect(types().filter((type) => type === "model_call")).toHaveLength(4);
  });

  it("leaves turns and private memories alone", async () => {
    const store = new InMemoryStore();
    for (let index = 0; index < 5; index += 1)
      await store.put(namespace, `t${index}`, { kind: "turn", content: "tea tea tea" });
    await store.put(namespace, "p", { kind: "memory", content: "tea in secret", private: true });
    await store.put(namespace, "m", { kind: "memory", content: "Likes tea among other things." });
    const { manager, model } = managerOf(store, [nothing], { queryLimit: 3 });
    await manager.invoke({ messages: said("tea") }, config);
    expect(model.requests[0]?.prompt.match(/"kind":/g)).toHaveLength(1);
  });

  it("asks nothing of a model where nothing was said", async () => {
    const { manager, model } = managerOf(new InMemoryStore(), [], { schemas: { Profile }, default: {} });
    expect(await manager.invoke({ messages: [{ role: "system", content: "Be brief." }] }, config)).toEqual(
      [],
    );
    expect(model.requests).toEqual([]);
  });
});

describe("phases", () => {
  it("work on what was found and what is new, before anything is written", async () => {
    const store = new InMemoryStore();
    await store.put(namespace, "a", text("Likes tea."));
    const { manager, model } = managerOf(
      store,
      [
        insert("Memory", "Likes green tea."),
        {
          actions: [
            { action: "update", id: "m1", content: { content: "Likes tea, best green." } },
            { action: "delete", id: "m2" },
          ],
        },
        nothing,
      ],
      { phases: [{}, { instructions: "Polish.", includeMessages: true, enableDeletes: false }] },
    );
    await manager.invoke({ messages: said("Green tea!") }, config);
    expect(await valuesIn(store)).toEqual([text("Likes tea, best green.")]);
    expect(model.requests[1]?.prompt).not.toContain("Green tea!");
    expect(model.requests[2]?.prompt).toContain("Green tea!");
    expect(model.requests[2]?.system).toContain("Polish.");
  });
});

describe("the store and the namespace", () => {
  it("come from each call, and are never kept", async () => {
    const [first, second] = [new InMemoryStore(), new LangGraphStore()];
    const { manager } = managerOf(undefined, [insert("Memory", "One."), insert("Memory", "Two.")]);
    await manager.invoke({ messages: said("1") }, { ...config, store: first });
    await manager.invoke({ messages: said("2") }, { context: { langgraph_user_id: 7 }, store: second });
    expect(await valuesIn(first)).toEqual([text("One.")]);
    expect(await valuesIn(second, ["memories", "7"])).toEqual([text("Two.")]);
  });

  it.each([
    ["keepsake's", () => new InMemoryStore()],
    ["LangGraph's", () => new LangGraphStore()],
  ])("come from the config of a node, through the wrapper of the graph: %s", async (_, open) => {
    const store = open();
    const { manager, model } = managerOf(undefined, [
      insert("Memory", "Likes tea."),
      update("m1", { content: "Likes coffee." }),
    ]);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("remember", async ({ messages }, nodeConfig) => {
        await manager.invoke({ messages }, nodeConfig);
        return {};
      })
      .addEdge(START, "remember")
      .addEdge("remember", END)
      .compile({ store });
    await graph.invoke({ messages: [{ role: "user", content: "I like tea." }] }, config);
    await graph.invoke({ messages: [{ role: "user", content: "Not tea, coffee." }] }, config);
    expect(await valuesIn(store)).toEqual([text("Likes coffee.")]);
    expect(model.requests).toHaveLength(2);
  });

  it("are refused where they are missing, without a model call", async () => {
    const { manager, model } = managerOf(undefined, []);
    const messages = said("Hi.");
    await expect(manager.invoke({ messages }, config)).rejects.toMatchObject({ code: "missing_store" });
    await expect(manager.invoke({ messages }, { ...config, store: { put() {} } })).rejects.toMatchObject({
      code: "missing_store",
    });
    await expect(manager.invoke({ messages }, { store: new InMemoryStore() })).rejects.toMatchObject({
      code: "missing_namespace_value",
    });
    expect(model.requests).toEqual([]);
  });

  it("may have labels that LangGraph's stores refuse", async () => {
    const store = new LangGraphStore();
    const { manager } = managerOf(store, [
      insert("Memory", "Likes tea."),
      update("m1", { content: "Likes coffee." }),
    ]);
    const ofMail = { configurable: { langgraph_user_id: "asha@example.org" } };
    await manager.invoke({ messages: said("I like tea.") }, ofMail);
    const [put] = await manager.invoke({ messages: said("Not tea, coffee.") }, ofMail);
    expect(put).toMatchObject({ namespace: ["memories", "asha@example.org"], value: text("Likes coffee.") });
  });
});

describe("failures", () => {
  it("of a store are not swallowed", async () => {
    const store = failingOnce(new InMemoryStore(), "Likes tea.");
    const { manager } = managerOf(store, [insert("Memory", "Likes tea.")]);
    await expect(manager.invoke({ messages: said("tea") }, config)).rejects.toThrow("the database is away");
  });

  it("of a model leave the store as it was, and the batch for another attempt", async () => {
    const store = new InMemoryStore();
    const { manager } = managerOf(store, ["no", "no", insert("Memory", "Likes tea.")], { schemas: [] });
    const delivery = { ...config, deliveryId: "d1" };
    await expect(manager.invoke({ messages: said("tea") }, delivery)).rejects.toMatchObject({
      code: "extraction_failed",
    });
    expect(await store.count(namespace)).toBe(0);
    expect(await manager.invoke({ messages: said("tea") }, delivery)).toHaveLength(1);
  });

  it.each([
    ["an unknown option", { schema: {} }, /did you mean "schemas"/i],
    ["a phase of the wrong kind", { phases: [{ includeMessage: true }] }, /includeMessages/],
    ["a limit of none", { queryLimit: 0 }, /queryLimit/],
    ["a namespace with a lonely brace", { namespace: ["{a"] }, /brace/],
  ])("of the app are told at once: %s", (_, options, message) => {
    expect(() => createMemoryStoreManager(scriptedModel(), options as never)).toThrow(message);
  });
});
