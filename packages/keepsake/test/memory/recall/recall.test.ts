import { describe, expect, it } from "vitest";
import { recall } from "../../../src/memory/recall/recall.ts";
import { compareMatches, placeOf } from "../../../src/memory/recall/score.ts";
import type { RecallOptions } from "../../../src/memory/recall/types.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { daysAgo, keywordStore, namespace, now, settings, vectorStore } from "./harness.ts";

type Values = Readonly<Record<string, Record<string, unknown>>>;

async function filled(values: Values, store: InMemoryStore = keywordStore()): Promise<InMemoryStore> {
  for (const [key, value] of Object.entries(values)) await store.put(namespace, key, value);
  return store;
}

async function keysOf(store: InMemoryStore, query: string, options?: RecallOptions): Promise<string[]> {
  return (await recall(store, settings, query, namespace, options)).map(({ record }) => record.key);
}

describe.each([
  ["words", keywordStore],
  ["words and vectors", vectorStore],
])("recalling from a store with %s", (_, makeStore) => {
  it("finds what is like the query, best first, with scores from 0 to 1", async () => {
    const store = await filled(
      {
        seat: { kind: "memory", content: "Asha prefers an aisle seat.", at: daysAgo(0), importance: 1 },
        food: {
          kind: "memory",
          content: "Asha eats no meat, and prefers tea.",
          at: daysAgo(0),
          importance: 1,
        },
        town: { kind: "memory", content: "She lives in Pune." },
      },
      makeStore(),
    );
    const [first, second] = await recall(store, settings, "which seat does Asha prefer?", namespace);
    expect([first?.record.key, second?.record.key]).toEqual(["seat", "food"]);
    expect(first?.score).toBeGreaterThan(second?.score ?? 1);
    expect(first?.score).toBeLessThanOrEqual(1);
    expect(first?.reasons[0]).toBe("semantic");
    expect(first?.similarity).toBeGreaterThan(0.5);
  });

  it("reads what langmem, the memory tools and rememberVerbatim wrote", async () => {
    const store = await filled(
      {
        langmem: { kind: "Memory", content: { content: "the seat is 12C" } },
        tool: { content: "the seat is by the aisle" },
        turn: { kind: "turn", role: "human", content: "any seat will do" },
        own: { content: null, seat: "window" },
      },
      makeStore(),
    );
    expect((await keysOf(store, "seat")).toSorted()).toEqual(
      expect.arrayContaining(["langmem", "tool", "turn"]),
    );
  });

  it.each(["", " \n\t"])("finds nothing for the query %j", async (query) => {
    expect(await keysOf(await filled({ a: { content: "seat" } }, makeStore()), query)).toEqual([]);
  });

  it("looks below the namespace and never beside it", async () => {
    const store = makeStore();
    await store.put([...namespace, "work"], "below", { content: "seat below" });
    await store.put(["memories", "asha2"], "beside", { content: "seat beside" });
    await store.put(["memories"], "above", { content: "seat above" });
    expect(await keysOf(store, "seat")).toEqual(["below"]);
  });

  it("does not let what is hidden starve what is not", async () => {
    const store = makeStore();
    for (let index = 0; index < 1000; index += 1) {
      await store.put(namespace, `private-${index}`, { content: "seat seat", private: true, source: "hr" });
    }
    for (const key of ["a", "b", "c"])
      await store.put(namespace, key, { content: "a seat among other words" });
    expect((await keysOf(store, "seat", { limit: 5 })).toSorted()).toEqual(["a", "b", "c"]);
    expect(await keysOf(store, "seat", { limit: 5, source: "hr" })).toHaveLength(5);
  });

  it("passes over nothing from page to page", async () => {
    const store = makeStore();
    for (const key of ["p", "q", "r"]) await store.put(namespace, key, { content: "seat", private: true });
    await store.put(namespace, "next", { content: "a seat among other words" });
    expect(await keysOf(store, "seat", { limit: 1 })).toEqual(["next"]);
  });

  it("never finds what has expired, is gone, or is kept for keepsake itself", async () => {
    let time = now;
    const store = new InMemoryStore({ now: () => time });
    await store.put(namespace, "gone", { content: "seat" });
    await store.delete(namespace, "gone");
    await store.put(["__keepsake", "history", ...namespace], "old", { content: "seat" });
    await store.put(namespace, "brief", { content: "seat" }, undefined, { ttlMs: 10 });
    expect(await keysOf(store, "seat")).toEqual(["brief"]);
    time += 10;
    expect(await keysOf(store, "seat")).toEqual([]);
  });
});

describe("the score", () => {
  it("is the weighted mean of similarity, newness and importance", async () => {
    const store = await filled({ a: { content: "seat", at: daysAgo(30), importance: 0.8 } });
    const [match] = await recall(store, settings, "seat", namespace);
    expect(match?.similarity).toBeGreaterThan(0.5);
    expect(match?.score).toBeCloseTo(0.5 * (match?.similarity ?? 0) + 0.3 * 0.5 + 0.2 * 0.8, 6);
  });

  it("does not depend on the scale of the weights", async () => {
    const store = await filled({
      a: { content: "seat", at: daysAgo(9) },
      b: { content: "seat, and a table" },
    });
    const tenfold = { ...settings, semanticWeight: 5, recencyWeight: 3, importanceWeight: 2 };
    const scores = async (chosen: typeof settings): Promise<number[]> =>
      (await recall(store, chosen, "seat", namespace)).map(({ score }) => score);
    const [one, ten] = [await scores(settings), await scores(tenfold)];
    one.forEach((score, index) => {
      expect(ten[index]).toBeCloseTo(score, 9);
    });
  });

  it("puts the newer of two that are alike first, then the more important", async () => {
    const store = await filled({
      old: { content: "the seat", at: daysAgo(200) },
      new: { content: "the seat", at: daysAgo(2) },
      weighty: { content: "the seat", at: daysAgo(200), importance: 1 },
    });
    const matches = await recall(store, settings, "seat", namespace);
    expect(matches.map(({ record }) => record.key)).toEqual(["new", "weighty", "old"]);
    expect(matches[0]?.reasons).toContain("recency");
    expect(matches[1]?.reasons).toContain("importance");
  });

  it("takes a time to come for now", async () => {
    const store = await filled({
      a: { content: "seat", at: daysAgo(-400) },
      b: { content: "seat", at: daysAgo(0) },
    });
    const [one, two] = await recall(store, settings, "seat", namespace);
    expect(one?.score).toBe(two?.score);
    expect(one?.score).toBeLessThanOrEqual(1);
  });

  it("reckons age from the last change where nobody says when it was said", async () => {
    const store = await filled({ a: { content: "seat", created_at: daysAgo(900) } });
    const [match] = await recall(store, settings, "seat", namespace);
    expect(match?.reasons).toContain("recency");
  });

  it("orders equals by place, however they were found", async () => {
    const store = await filled({ c: { content: "seat" }, a: { content: "seat" }, b: { content: "seat" } });
    await store.put([...namespace, "x"], "0", { content: "seat" });
    const matches = await recall(store, settings, "seat", namespace);
    const places = matches.map(({ record }) => placeOf(record));
    expect(places).toEqual(places.toSorted());
    expect(matches.toReversed().sort(compareMatches)).toEqual(matches);
  });

  it("lets words count as much without vectors as with useless ones", async () => {
    const values = { a: { content: "the aisle seat" }, b: { content: "the seat" } };
    const [words] = await recall(await filled(values), settings, "aisle seat", namespace);
    const [both] = await recall(await filled(values, vectorStore()), settings, "aisle seat", namespace);
    expect(words?.similarity).toBeGreaterThan(0.9);
    expect(both?.similarity).toBeGreaterThanOrEqual(words?.similarity ?? 1);
  });
});

describe("the options of a recall", () => {
  const values: Values = {
    a: { content: "seat a", categories: ["travel", "work"], source: "app", importance: 1 },
    b: { content: "seat b", categories: ["home"], source: "crm", colour: "red" },
    c: { content: "seat c", categories: "travel", private: true, source: "crm" },
    d: { content: "seat d", private: true, source: null },
  };

  it.each<[string, RecallOptions, string[]]>([
    ["none", {}, ["a", "b"]],
    ["a category", { categories: ["travel"] }, ["a"]],
    ["any of several categories", { categories: ["home", "work", "x"] }, ["a", "b"]],
    ["no categories", { categories: [] }, ["a", "b"]],
    ["a source, its private ones included", { source: "crm" }, ["b", "c"]],
    ["another source", { source: "cr" }, []],
    ["private ones", { includePrivate: true }, ["a", "b", "c", "d"]],
    ["private ones of a category", { includePrivate: true, categories: ["travel"] }, ["a"]],
    ["a filter", { filter: { colour: { $in: ["red", "blue"] } } }, ["b"]],
    ["a filter and a source that contradict", { filter: { source: "app" }, source: "crm" }, []],
    ["a limit of 0", { limit: 0 }, []],
    ["a score that none has", { minScore: 1 }, []],
  ])("%s", async (_, options, keys) => {
    expect((await keysOf(await filled(values), "seat", options)).toSorted()).toEqual(keys);
  });

  it("limit leaves the best, minScore what is good enough", async () => {
    const store = await filled(values);
    expect(await keysOf(store, "seat", { limit: 1 })).toEqual(["a"]);
    const [best] = await recall(store, settings, "seat", namespace);
    expect(await keysOf(store, "seat", { minScore: (best?.score ?? 0) - 1e-9 })).toEqual(["a"]);
  });

  it.each<[object, RegExp]>([
    [{ limit: -1 }, /limit must be a whole number/],
    [{ limit: 1.5 }, /limit/],
    [{ minscore: 0.5 }, /Did you mean "minScore"/],
    [{ minScore: 7 }, /from 0 to 1/],
    [{ categories: "travel" }, /list of strings/],
    [{ includePrivate: "yes" }, /true or false/],
    [{ source: 7 }, /source/],
  ])("refuses %j", async (options, message) => {
    const refused = recall(keywordStore(), settings, "seat", namespace, options);
    await expect(refused).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(message),
    });
  });

  it.each([[[]], ["asha"], [null], [undefined], [["__keepsake", "history", "asha"]], [["a", 7]]])(
    "refuses the namespace %j",
    async (place) => {
      const refused = recall(keywordStore(), settings, "seat", place as string[]);
      await expect(refused).rejects.toMatchObject({ code: "invalid_namespace" });
    },
  );

  it("gives up when it is told to", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    const given = recall(await filled(values), settings, "seat", namespace, { signal });
    await expect(given).rejects.toThrow("enough");
  });
});
