import { join } from "node:path";
import {
  Annotation,
  type BaseStore,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { describe, expect, expectTypeOf, test } from "vitest";
import { InMemoryStore, type Item, type SearchItem, type Store } from "../../src/store/index.ts";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const State = Annotation.Root({
  user: Annotation<string>,
  found: Annotation<string[]>,
  before: Annotation<string | undefined>,
});
type Node = (
  state: typeof State.State,
  config: LangGraphRunnableConfig,
) => Promise<Partial<typeof State.State>>;

/** A graph of two nodes: what the first one writes in one go, the second one reads in one go. */
function graph(remember: Node, recall: Node) {
  return new StateGraph(State)
    .addNode("remember", remember)
    .addNode("recall", recall)
    .addEdge(START, "remember")
    .addEdge("remember", "recall")
    .addEdge("recall", END);
}

const remember: Node = async ({ user }, { store }) => {
  if (store === undefined) throw new Error("the graph has no store");
  const namespace = ["memories", user];
  // Started together, these become one batch, in this order.
  const [before, , , after] = await Promise.all([
    store.get(namespace, "seat"),
    store.put(namespace, "seat", { content: "prefers a window seat" }),
    store.put(namespace, "food", { content: "allergic to peanuts" }),
    store.get(namespace, "seat"),
  ]);
  return { before: before?.value.content, found: [String(after?.value.content)] };
};

const recall: Node = async ({ user, found }, { store }) => {
  if (store === undefined) throw new Error("the graph has no store");
  const namespace = ["memories", user];
  const [hits, filtered, , all] = await Promise.all([
    store.search(namespace, { query: "which seats?" }),
    store.search(namespace, { filter: { content: "allergic to peanuts" } }),
    store.delete(namespace, "food"),
    store.search(namespace),
  ]);
  return { found: [...found, ...[hits, filtered, all].map((items) => items.map(({ key }) => key).join())] };
};

const stores: readonly (readonly [string, () => InMemoryStore | SqliteStore])[] = [
  ["InMemoryStore", () => new InMemoryStore()],
  ["SqliteStore", () => new SqliteStore(join(folder, "graph.db"), { driver: "libsql" })],
];

describe.each(stores)("%s in a graph", (_name, open) => {
  test("nodes put, get, search and delete through LangGraph's batching, each user for itself", async () => {
    const store = open();
    const app = graph(remember, recall).compile({ store });
    const expected = ["prefers a window seat", "seat", "food", "seat"];
    const first = await app.invoke({ user: "u1" });
    expect(first.before).toBeUndefined();
    expect(first.found).toEqual(expected);
    const [again, other] = await Promise.all([app.invoke({ user: "u1" }), app.invoke({ user: "u10" })]);
    expect(again.before).toBe("prefers a window seat");
    expect(other.before).toBeUndefined();
    expect(other.found).toEqual(expected);
    expect(await store.listNamespaces()).toEqual([
      ["memories", "u1"],
      ["memories", "u10"],
    ]);
    expect((await store.search(["memories", "u1"], { query: "seats" }))[0]).toMatchObject({
      key: "seat",
      version: 2,
      signals: { keyword: expect.any(Number) },
    });
    await store.close();
  });

  test("what cannot be stored fails the node that stored it, and says why", async () => {
    const store = open();
    const failing: Node = async (_state, { store: given }) => {
      await given?.put(["memories"], "k", { bad: Number.NaN });
      return {};
    };
    const app = graph(failing, recall).compile({ store });
    await expect(app.invoke({ user: "u" })).rejects.toThrow(/holds NaN at "bad"/);
    await store.close();
  });
});

test("inside a node LangGraph's batching has no listing, and leaves out `index`", async () => {
  const store = new InMemoryStore();
  let listing: unknown;
  const node: Node = async (_state, { store: given }) => {
    await given?.put(["memories"], "k", { content: "tea" }, false);
    listing = await given?.listNamespaces().catch((error: unknown) => error);
    return {};
  };
  await graph(node, recall).compile({ store }).invoke({ user: "u", found: [] });
  expect(String(listing)).toMatch(/not implemented/);
  expect(await store.search(["memories"], { query: "tea" })).toHaveLength(1);
});

test("the types of every store are LangGraph's, without a cast", () => {
  graph(remember, recall).compile({ store: new InMemoryStore() });
  graph(remember, recall).compile({ store: new SqliteStore(":memory:") });
  graph(remember, recall).compile({ store: new PostgresStore({ connectionString: "postgres://unused" }) });
  expectTypeOf<PostgresStore>().toExtend<BaseStore>();
  expectTypeOf<InMemoryStore>().toExtend<BaseStore>();
  expectTypeOf<SqliteStore>().toExtend<BaseStore>();
  expectTypeOf<Store>().toExtend<BaseStore>();
});

test("a batch gives back what its operations say", async () => {
  const store = new InMemoryStore();
  const results = await store.batch([
    { namespace: ["a"], key: "k", value: { n: 1 } },
    { namespace: ["a"], key: "k" },
    { namespacePrefix: ["a"], limit: 5 },
    { matchConditions: [{ matchType: "prefix", path: ["a"] }], limit: 5, offset: 0 },
    { namespace: ["a"], key: "k", value: null },
  ]);
  expectTypeOf(results).toEqualTypeOf<[undefined, Item | null, SearchItem[], string[][], undefined]>();
  expect(results.map((result) => (Array.isArray(result) ? result.length : result?.key))).toEqual([
    undefined,
    "k",
    1,
    1,
    undefined,
  ]);
});
