import { beforeEach, describe, expect, test } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";

const namespace = ["n"];
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

let store: InMemoryStore;
beforeEach(async () => {
  store = new InMemoryStore();
  for (const n of [1, 2]) await store.put(namespace, `k${n}`, { n });
});

describe("a filter that is no plain object", () => {
  test.each([
    ["a Map", new Map([["n", 1]])],
    ["an inherited one", Object.create({ n: 99 })],
    ["an array", []],
    ["a text", "n"],
    ["a Set", new Set(["n"])],
  ])("%s is refused by every call, and removes nothing", async (_name, filter) => {
    for (const call of [
      store.search(namespace, { filter }),
      store.count(namespace, { filter }),
      store.deleteAll(namespace, { filter }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: "invalid_filter" });
    }
    expect(await store.count(namespace)).toBe(2);
  });

  test.each([{ filter: undefined }, { filter: null }])("a deletion with %j is refused", async (options) => {
    await expect(store.deleteAll(namespace, options as never)).rejects.toMatchObject({
      code: "invalid_filter",
      message: expect.stringContaining("Nothing was removed"),
    });
    expect(await store.count(namespace)).toBe(2);
  });

  test.each([
    ["null", null],
    ["a Map", new Map([["filter", { n: 99 }]])],
    ["an inherited filter", Object.create({ filter: { n: 99 } })],
    ["a text", "filter"],
  ])("a deletion whose options are %s is refused", async (_name, options) => {
    await expect(store.deleteAll(namespace, options as never)).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(await store.count(namespace)).toBe(2);
  });

  test("options of another kind are refused by searches and counts, too", async () => {
    const options = new Map([["filter", { n: 99 }]]) as never;
    await expect(store.search(namespace, options)).rejects.toMatchObject({ code: "invalid_input" });
    await expect(store.count(namespace, options)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("a deletion without a filter removes everything under its prefix", async () => {
    expect(await store.deleteAll(namespace, {})).toBe(2);
  });
});

describe("messages say what was given", () => {
  test.each([
    [1n, /is the bigint 1/],
    [new Date(0), /is a Date/],
    [cyclic, /is an object with something inside that JSON cannot keep/],
    [new Map(), /is a Map/],
  ])("the filter value %s", async (value, words) => {
    await expect(store.search(namespace, { filter: { n: value } } as never)).rejects.toMatchObject({
      code: "invalid_filter",
      message: expect.stringMatching(words),
    });
  });

  test("a number that is a text, and an expected version that is missing", async () => {
    await expect(store.search(namespace, { limit: "5" as never })).rejects.toThrow(/`limit` is the text "5"/);
    await expect(store.compareAndSet(namespace, "k", undefined as never, {})).rejects.toThrow(
      /`expectedVersion` is undefined; .*, or null where there must be no item/,
    );
  });
});
