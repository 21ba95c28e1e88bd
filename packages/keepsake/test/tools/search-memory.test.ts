import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";
import {
  type SearchMemoryOptions,
  searchMemoryTool,
  type ToolRun,
  type ToolStore,
} from "../../src/tools/index.ts";
import { asha, bela, keepingLogger, namespace } from "./harness.ts";

const place = ["memories", "asha"];

function searched(options: Partial<SearchMemoryOptions> = {}) {
  const store = new InMemoryStore();
  const tool = searchMemoryTool({ namespace, store, ...options });
  const find = async (args: unknown, run: ToolRun = asha) => JSON.parse(await tool.execute(args, run));
  return { store, tool, find };
}

async function withSeats() {
  const all = searched();
  await all.store.put(place, "seats", { content: "Prefers aisle seats on flights." });
  await all.store.put(place, "food", { content: "Eats no peanuts." });
  await all.store.put(["memories", "bela"], "bela-seats", { content: "Prefers window seats." });
  return all;
}

describe("results", () => {
  it("are items in the words that agents know, best first", async () => {
    const { find, store } = await withSeats();
    const item = await store.get(place, "seats");
    expect((await find({ query: "which seats?" }))[0]).toEqual({
      namespace: place,
      key: "seats",
      value: { content: "Prefers aisle seats on flights." },
      created_at: item?.createdAt.toISOString(),
      updated_at: item?.updatedAt.toISOString(),
      score: expect.any(Number),
    });
  });

  it("are an empty array where there is nothing", async () => {
    expect(await searched().tool.execute({ query: "seats" }, asha)).toBe("[]");
  });

  it("come from the namespace and those below it, and from no other", async () => {
    const { find, store } = await withSeats();
    await store.put(["memories", "asha", "work"], "nested", { content: "Seats near the door." });
    await store.put(["memories", "asha2"], "twin", { content: "Other seats." });
    const keys = (await find({ query: "seats" })).map(({ key }: { key: string }) => key);
    expect(keys.sort()).toEqual(["nested", "seats"]);
  });

  it("are found at once after a write, and gone at once after a delete", async () => {
    const { find, store } = searched();
    await store.put(place, "token", { content: "xyzzy-4711" });
    expect(await find({ query: "xyzzy-4711" })).toHaveLength(1);
    await store.delete(place, "token");
    expect(await find({ query: "xyzzy-4711" })).toEqual([]);
  });

  it("show values of langmem's manager and of an engine as they are", async () => {
    const { find, store } = searched();
    const values = [
      { kind: "Memory", content: { content: "Likes tea." } },
      { kind: "memory", content: "Likes tea with milk.", importance: 0.5, created_at: "2026-01-01" },
      { content: "Likes tea at night." },
    ];
    await Promise.all(values.map((value, index) => store.put(place, `key-${index}`, value)));
    const found = await find({ query: "tea" });
    expect(found.map(({ value }: { value: unknown }) => value)).toEqual(expect.arrayContaining(values));
  });

  it("without words in the query are the newest, without a score", async () => {
    const { find } = await withSeats();
    const found = await find({ query: "" });
    expect(found.map(({ key, score }: { key: string; score: unknown }) => [key, score])).toEqual([
      ["food", null],
      ["seats", null],
    ]);
  });
});

describe("limit, offset and filter", () => {
  async function withNumbers() {
    const all = searched();
    for (let index = 0; index < 15; index += 1) {
      await all.store.put(place, `key-${String(index).padStart(2, "0")}`, {
        content: `Fact ${index}.`,
        index,
      });
    }
    return all;
  }

  it("default to the first ten", async () => {
    const { find } = await withNumbers();
    expect(await find({ query: "fact" })).toHaveLength(10);
    expect(await find({ query: "fact", offset: 10 })).toHaveLength(5);
    expect(await find({ query: "fact", limit: null, offset: null, filter: null })).toHaveLength(10);
    expect(await find({ query: "fact", limit: "3" })).toHaveLength(3);
  });

  it("filters by fields of the values", async () => {
    const { find } = await withNumbers();
    expect(await find({ query: "fact", filter: { index: { $gte: 13 } } })).toHaveLength(2);
    expect(await find({ query: "fact", filter: '{"index": 3}' })).toHaveLength(1);
    expect(await find({ query: "fact", filter: {} })).toHaveLength(10);
  });

  test.each([
    [{}, /Pass a query/],
    [{ query: 5 }, /Pass a query/],
    [{ query: "x", limit: 0 }, /limit must be a whole number from 1 to 100, not 0/],
    [{ query: "x", limit: -1 }, /limit must/],
    [{ query: "x", limit: 1.5 }, /limit must/],
    [{ query: "x", limit: "many" }, /limit must/],
    [{ query: "x", offset: -1 }, /offset must/],
    [{ query: "x", offset: 1e9 }, /offset must/],
    [{ query: "x", filter: { index: { $gtt: 1 } } }, /unknown operator "\$gtt"/],
    [{ query: "x", filter: "index > 1" }, /filter is a(?:n| plain) object/i],
    [{ query: "x", filter: [1] }, /filter is a(?:n| plain) object/i],
    ["seats", /arguments must be an object/],
  ])("answers %j with an array that says what is wrong", async (args, sentence) => {
    expect(await (await withNumbers()).find(args)).toEqual([{ error: expect.stringMatching(sentence) }]);
  });

  it("are at most a hundred", async () => {
    const { find, store } = searched({ maxChars: 1_000_000 });
    await store.batch(
      Array.from({ length: 120 }, (_, index) => ({
        namespace: place,
        key: `${index}`,
        value: { content: "x" },
      })),
    );
    expect(await find({ query: "", limit: 5000 })).toHaveLength(100);
  });
});

describe("maxChars", () => {
  const found = (content: string, index: number) => ({
    namespace: place,
    key: `key-${index}`,
    value: { content },
    createdAt: new Date(0),
    updatedAt: new Date(0),
  });

  /** A store that finds what it is given. */
  function finding(items: ReturnType<typeof found>[]): ToolStore {
    return {
      get: async () => null,
      put: async () => {},
      delete: async () => {},
      search: async (_, { limit = 10, offset = 0 } = {}) => items.slice(offset, offset + limit),
    };
  }

  it("bounds every answer, which is JSON, begins with the first item and tells where to go on", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: "grapheme", maxLength: 400 }),
            fc.string({ unit: "binary", maxLength: 90 }),
          ),
          {
            minLength: 1,
            maxLength: 12,
          },
        ),
        fc.integer({ min: 260, max: 3000 }),
        fc.integer({ min: 0, max: 3 }),
        async (contents, maxChars, offset) => {
          const store = finding(contents.map(found));
          const tool = searchMemoryTool({ namespace: place, store, maxChars });
          const text = await tool.execute({ query: "", offset });
          expect(text.length).toBeLessThanOrEqual(maxChars);
          const answer: Record<string, unknown>[] = JSON.parse(text);
          const rest =
            answer.at(-1) !== undefined && "omitted" in (answer.at(-1) ?? {}) ? answer.pop() : undefined;
          const expected = contents.slice(offset, offset + 10);
          expect(answer.length).toBeGreaterThanOrEqual(Math.min(1, expected.length));
          expect(answer.map(({ key }) => key)).toEqual(answer.map((_, index) => `key-${offset + index}`));
          const left = expected.length - answer.length;
          expect(rest).toEqual(left > 0 ? { omitted: left, next_offset: offset + answer.length } : undefined);
          answer.forEach((item, index) => {
            const { content } = item.value as { content: string };
            if (item.cut === undefined) expect(content).toBe(expected[index]);
            else expect(expected[index]?.startsWith(content.slice(0, -1))).toBe(true);
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it("cuts and marks the first item where even that is too long", async () => {
    const store = finding([found("a".repeat(20_000), 0), found("b", 1)]);
    const text = await searchMemoryTool({ namespace: place, store }).execute({ query: "" });
    const [first, rest] = JSON.parse(text);
    expect(text.length).toBe(8000);
    expect(first).toMatchObject({
      key: "key-0",
      cut: true,
      value: { content: expect.stringMatching(/^a{7000,}…$/) },
    });
    expect(rest).toEqual({ omitted: 1, next_offset: 1 });
  });

  test.each([400, 401])("cuts no character in two at %i", async (maxChars) => {
    const store = finding([found("🪑".repeat(900), 0)]);
    const text = await searchMemoryTool({ namespace: place, store, maxChars }).execute({ query: "" });
    expect(JSON.parse(text)[0].value.content).toMatch(/^(🪑){30,}…$/u);
  });

  it("leads through everything when the next offset is followed", async () => {
    const { store, find } = searched({ maxChars: 600 });
    for (let index = 0; index < 9; index += 1)
      await store.put(place, `key-${index}`, { content: "x".repeat(80) });
    const seen: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const answer: Record<string, unknown>[] = await find({ query: "", offset });
      const rest: Record<string, unknown> = answer.at(-1) ?? {};
      seen.push(...answer.filter((item) => "key" in item).map(({ key }) => String(key)));
      offset = typeof rest.next_offset === "number" ? rest.next_offset : undefined;
    }
    expect(seen.sort()).toEqual(Array.from({ length: 9 }, (_, index) => `key-${index}`));
  });

  it("does not cut what the app gets", async () => {
    const { store, tool } = searched({ maxChars: 300 });
    for (let index = 0; index < 5; index += 1)
      await store.put(place, `key-${index}`, { content: "x".repeat(500) });
    const { content, items } = await tool.find({ query: "" }, asha);
    expect(content.length).toBeLessThanOrEqual(300);
    expect(items.map(({ value }) => value.content)).toEqual(Array(5).fill("x".repeat(500)));
  });

  it("must be a count", () => {
    expect(() => searched({ maxChars: 0 })).toThrow(/maxChars must be a whole number from 1 on/);
  });
});

it("warns once of a store that cannot rank", async () => {
  const logger = keepingLogger();
  const unranked: ToolStore = {
    get: async () => null,
    put: async () => {},
    delete: async () => {},
    search: async () => [
      { namespace: place, key: "a", value: { content: "x" }, createdAt: new Date(), updatedAt: new Date() },
    ],
  };
  const tool = searchMemoryTool({ namespace: place, store: unranked, logger });
  await tool.execute({ query: "" });
  expect(logger.warnings).toEqual([]);
  await tool.execute({ query: "seats" });
  await tool.execute({ query: "seats" });
  await searchMemoryTool({ namespace: place, store: unranked, logger }).execute({ query: "seats" });
  expect(logger.warnings).toEqual([[expect.stringMatching(/search_memory: the store ignores the query/)]]);
  const ranking = searched({ logger });
  await ranking.store.put(place, "seats", { content: "aisle seats" });
  await ranking.find({ query: "seats" });
  expect(logger.warnings).toHaveLength(1);
});

it("has its own name and instructions", () => {
  const { tool } = searched({ name: "recall", instructions: "Search before you answer.\n" });
  expect(tool.name).toBe("recall");
  expect(tool.description).toMatch(/^Search your long-term memories.*\n\nSearch before you answer\.$/s);
});

it("keeps users apart", async () => {
  const { find } = await withSeats();
  expect(await find({ query: "seats" }, bela)).toMatchObject([{ key: "bela-seats" }]);
});
