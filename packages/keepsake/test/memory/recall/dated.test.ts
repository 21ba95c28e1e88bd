import { describe, expect, it } from "vitest";
import { recall } from "../../../src/memory/recall/recall.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { hashingEmbedder } from "../../../src/testing/index.ts";
import { daysAgo, keywordStore, namespace, settings, vectorStore } from "./harness.ts";

describe.each([
  ["words", keywordStore],
  ["words and vectors", vectorStore],
])("a question that names a time, asked of a store with %s", (_, makeStore) => {
  it("prefers memories of that time to newer ones that are as like", async () => {
    const store = makeStore();
    await store.put(namespace, "then", {
      content: "Asha ate at Nobu.",
      at: daysAgo(20),
      eventDate: "2026-03-14",
    });
    await store.put(namespace, "now", { content: "Asha ate at Nobu again.", at: daysAgo(1) });
    const [first, second] = await recall(store, settings, "where did Asha eat last March?", namespace);
    expect(first?.record.key).toBe("then");
    expect(first?.reasons).toContain("date");
    expect(second?.reasons).not.toContain("date");
    const [newest] = await recall(store, settings, "where did Asha eat?", namespace);
    expect(newest?.record.key).toBe("now");
  });

  it("knows how like the query a memory of that time is", async () => {
    const store = makeStore();
    for (let index = 0; index < 60; index += 1) {
      await store.put(namespace, `noise-${index}`, { content: `Nobu Nobu Nobu ${index}`, at: daysAgo(3) });
    }
    await store.put(namespace, "then", {
      content: "dinner at Nobu, with Tom and Maya",
      eventDate: "2026-03-14",
    });
    const matches = await recall(store, settings, "Nobu last March", namespace, { limit: 3 });
    expect(matches[0]?.record.key).toBe("then");
    expect(matches[0]?.similarity).toBeGreaterThan(0);
  });

  it("finds a memory of that time that shares no word with it, among many that do", async () => {
    const store = makeStore();
    for (let index = 0; index < 300; index += 1) {
      await store.put(namespace, `noise-${index}`, {
        content: `what happened: dinner ${index}`,
        at: daysAgo(3),
      });
    }
    await store.put(namespace, "then", { content: "Maya broke her arm.", eventDate: "2023-05-08" });
    const matches = await recall(store, settings, "what happened on 8 May 2023?", namespace, { limit: 3 });
    expect(matches[0]?.record.key).toBe("then");
    expect(matches).toHaveLength(3);
  });

  it.each([
    ["a day", { eventDate: "2023-05-08" }],
    ["a day with its time", { eventDate: "2023-05-31T23:30:00Z" }],
    ["the month", { eventDate: "2023-05" }],
    ["the year", { eventDate: "2023" }],
    ["when it was said", { at: "2023-05-01T00:00:00.000Z" }],
    [
      "when it was said, for want of a date that is one",
      { at: "2023-05-02T00:00:00.000Z", eventDate: "spring" },
    ],
  ])("knows what is dated then by %s", async (__, dates) => {
    const store = makeStore();
    await store.put(namespace, "then", { content: "Maya broke her arm.", ...dates });
    const [match] = await recall(store, settings, "in May 2023", namespace);
    expect(match?.record.key).toBe("then");
    expect(match?.score).toBeGreaterThan(0.1);
  });

  it.each([
    ["another day", { eventDate: "2023-06-01" }],
    ["another year", { eventDate: "2022" }],
    ["said then of another time", { at: "2023-05-02T00:00:00.000Z", eventDate: "2020-01" }],
  ])("does not take for it what is of %s", async (__, dates) => {
    const store = makeStore();
    await store.put(namespace, "other", { content: "Maya broke her arm.", ...dates });
    const [match] = await recall(store, settings, "in May 2023", namespace);
    expect(match?.reasons ?? []).not.toContain("date");
  });

  it.each([
    ["since 2023", { eventDate: "2023" }],
    ["since May 2023", { eventDate: "2023-05" }],
    ["before 2024", { eventDate: "2019-12-31" }],
    ["before 2024", { eventDate: "2023" }],
  ])("knows %s what is dated by %j", async (query, dates) => {
    const store = makeStore();
    await store.put(namespace, "then", { content: "Maya broke her arm.", ...dates });
    const [match] = await recall(store, settings, query, namespace);
    expect(match?.reasons).toContain("date");
  });

  it("ranks a day within the time above its whole year", async () => {
    const store = makeStore();
    await store.put(namespace, "year", { content: "Maya moved.", eventDate: "2023" });
    await store.put(namespace, "day", { content: "Maya broke her arm.", eventDate: "2023-05-08" });
    const matches = await recall(store, settings, "in May 2023", namespace);
    expect(matches.map(({ record }) => record.key)).toEqual(["day", "year"]);
  });

  it("does not let hidden memories of that time starve the others", async () => {
    const store = makeStore();
    await store.put(namespace, "then", { content: "Maya broke her arm.", eventDate: "2023-05-08" });
    for (let index = 0; index < 200; index += 1) {
      await store.put(namespace, `z-${index}`, {
        content: "private",
        eventDate: "2023-05-08",
        private: true,
      });
    }
    const matches = await recall(store, settings, "what was in May 2023?", namespace, { limit: 2 });
    expect(matches.map(({ record }) => record.key)).toEqual(["then"]);
  });

  it("keeps to the filter, the private and the namespace", async () => {
    const store = makeStore();
    const dated = { content: "Maya broke her arm.", eventDate: "2023-05-08", at: "2023-05-08T10:00:00.000Z" };
    await store.put(namespace, "private", { ...dated, private: true });
    await store.put(namespace, "filtered", { ...dated, colour: "red" });
    await store.put(["memories", "tom"], "foreign", dated);
    await store.put(namespace, "own", { ...dated, colour: "blue" });
    const asked = { filter: { colour: "blue", at: { $gt: "2023" } } };
    const matches = await recall(store, settings, "in May 2023", namespace, asked);
    expect(matches.map(({ record }) => record.key)).toEqual(["own"]);
    const none = { filter: { at: { $gt: "2024" } } };
    expect(await recall(store, settings, "in May 2023", namespace, none)).toEqual([]);
  });
});

it("is embedded once", async () => {
  const embed = hashingEmbedder();
  const store = new InMemoryStore({ index: { fields: ["content"], embed } });
  await store.put(namespace, "then", { content: "Maya broke her arm.", eventDate: "2023-05-08" });
  await recall(store, settings, "what was in May 2023?", namespace);
  expect(embed.embedded.filter((text) => text.includes("May 2023"))).toEqual(["what was in May 2023?"]);
});
