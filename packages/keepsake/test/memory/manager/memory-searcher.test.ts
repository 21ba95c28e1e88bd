import { InMemoryStore as LangGraphStore } from "@langchain/langgraph";
import { describe, expect, it, vi } from "vitest";
import { createMemorySearcher } from "../../../src/memory/manager/memory-searcher.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { said, scriptedModel } from "./scripted-model.ts";

const namespace = ["memories", "asha"];
const config = { configurable: { langgraph_user_id: "asha" } };

async function filled<S extends InMemoryStore | LangGraphStore>(store: S): Promise<S> {
  await store.put(namespace, "tea", { content: "Likes tea with milk." });
  await store.put([...namespace, "trips"], "rome", {
    kind: "Trip",
    content: { place: "Rome", drink: "tea" },
  });
  await store.put(["memories", "ben"], "b", { content: "Ben likes tea." });
  return store;
}

describe("createMemorySearcher", () => {
  it("makes the searches that a model proposes, and gives each memory once, the best first", async () => {
    const store = await filled(new InMemoryStore());
    const model = scriptedModel({ queries: ["tea with milk", "trips to Rome", "tea"] });
    const searcher = createMemorySearcher(model, { store, prompt: "Search {freely}." });
    const items = await searcher.invoke({ messages: said("What do I drink in Rome?") }, config);
    expect(items.map(({ key }) => key).sort()).toEqual(["rome", "tea"]);
    const scores = items.map(({ score }) => score ?? 0);
    expect(scores).toEqual([...scores].sort((left, right) => right - left));
    expect(model.requests[0]?.prompt).toContain("Search {freely}.");
  });

  it("searches with the conversation where the model proposes nothing, within its limit", async () => {
    const store = await filled(new InMemoryStore());
    const searcher = createMemorySearcher(scriptedModel({ queries: [] }), { store, limit: 1 });
    expect(await searcher({ messages: said("tea, milk?") }, config)).toMatchObject([{ key: "tea" }]);
  });

  it("takes the store of the call, LangGraph's too", async () => {
    const store = await filled(new LangGraphStore());
    const searcher = createMemorySearcher(scriptedModel({ queries: ["tea"] }));
    expect(await searcher.invoke({ messages: said("tea?") }, { ...config, store })).toHaveLength(2);
    await expect(searcher.invoke({ messages: said("tea?") }, config)).rejects.toMatchObject({
      code: "missing_store",
    });
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("boom"))],
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
  ])("goes on where onEvent %s", async (_, onEvent) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const store = await filled(new InMemoryStore());
    const searcher = createMemorySearcher(scriptedModel({ queries: ["tea"] }), { store, onEvent });
    expect(await searcher.invoke({ messages: said("tea?") }, config)).toHaveLength(2);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  it("asks nothing where nothing was said", async () => {
    const searcher = createMemorySearcher(scriptedModel(), { store: new InMemoryStore() });
    expect(await searcher.invoke({ messages: [] }, config)).toEqual([]);
  });
});
