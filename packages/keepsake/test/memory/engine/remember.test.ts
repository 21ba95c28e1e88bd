import { describe, expect, it } from "vitest";
import type { MemoryEngine } from "../../../src/memory/engine/index.ts";
import type { Consolidator } from "../../../src/memory/types.ts";
import { asha, insertAll, kit, lines } from "./engine-kit.ts";

const delivered = { deliveryId: "d", attempt: 1, threadId: undefined, signal: new AbortController().signal };

describe("remember", () => {
  it("stores the facts of messages with where they come from", async () => {
    const { engine } = kit();
    const written = await engine.remember(
      [
        { role: "user", content: "Asha prefers window seats", id: "m1", name: "Asha" },
        { role: "assistant", content: "The booking code is QX7", id: "m2" },
      ],
      asha,
      { threadId: "t1", categories: ["travel"], metadata: { trip: 7 }, importance: 0.9 },
    );
    expect(written).toMatchObject([
      {
        content: "Asha prefers window seats",
        role: "human",
        name: "Asha",
        messageIds: ["m1"],
        threadId: "t1",
      },
      { content: "The booking code is QX7", role: "ai", messageIds: ["m2"], categories: ["travel"] },
    ]);
    expect(written[0]).toMatchObject({ importance: 0.9, metadata: { trip: 7 }, version: 1 });
    const [match] = await engine.recall("window seat", asha);
    expect(match?.record.content).toBe("Asha prefers window seats");
  });

  it.each([
    ["a text", "likes tea"],
    ["a message", { role: "user", content: "likes tea" }],
    ["a list of texts", ["likes tea"]],
    ["a list of messages", [{ type: "human", content: "likes tea" }]],
  ])("takes %s", async (_, content) => {
    const { engine, contents } = kit();
    await engine.remember(content, asha);
    expect(await contents()).toEqual(["likes tea"]);
  });

  it.each([[null], [7], [[7]], [undefined]])("refuses %j", async (content) => {
    await expect(kit().engine.remember(content, asha)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it.each([[null], [undefined], [[]], ["memories"], [["a", 1]], [["__keepsake", "plans"]], [[""]]])(
    "refuses the namespace %j",
    async (namespace) => {
      const { engine } = kit();
      await expect(engine.remember("x", namespace as never)).rejects.toMatchObject({
        code: "invalid_namespace",
      });
    },
  );

  it.each([
    [null],
    [undefined],
    [[]],
    [""],
    ["/__keepsake/plans"],
    [["__keepsake", "plans"]],
    [[""]],
    [[null]],
  ])("refuses the namespace %j of a delivery", async (namespace) => {
    const { engine } = kit();
    await expect(engine.onPrune([], namespace as never, delivered)).rejects.toMatchObject({
      code: "invalid_namespace",
    });
  });

  it.each([
    ["/memories/asha", ["memories", "asha"]],
    ["asha", ["asha"]],
    [
      ["asha", 7],
      ["asha", "7"],
    ],
  ])("reads the namespace %j of a delivery as recall does", async (given, labels) => {
    const { engine } = kit({ extractor: () => ["likes tea"] });
    await engine.onPrune([{ role: "user", content: "I like tea." }], given as never, delivered);
    expect(await engine.recall("tea", labels)).toHaveLength(1);
  });

  it("keeps texts as they are, without a model, where nothing is to be extracted", async () => {
    const { engine, calls, contents } = kit({ config: { consolidationThreshold: 0 } });
    await engine.remember(["likes tea", "likes coffee"], asha, { extract: false });
    await engine.remember("likes tea and coffee", asha, { extract: false });
    expect(await contents()).toEqual(["likes coffee", "likes tea", "likes tea and coffee"]);
    expect(calls()).toBe(0);
  });

  it("asks no model where there is nothing to read", async () => {
    const { engine, calls } = kit();
    expect(await engine.remember([], asha)).toEqual([]);
    expect(await engine.remember([{ role: "system", content: "Be kind" }], asha)).toEqual([]);
    expect(calls()).toBe(0);
  });

  it("does not take what was recalled for news", async () => {
    const { engine, contents } = kit();
    await engine.remember("Asha likes tea", asha);
    const block = await engine.context("tea", asha);
    expect(block).toContain("Asha likes tea");
    await engine.remember([{ role: "user", content: `${block}\nAsha likes jazz` }], asha);
    const stored = await contents();
    expect(stored.filter((content) => String(content).includes("tea"))).toEqual(["Asha likes tea"]);
  });

  it("lets what the extractor throws through, and reports it", async () => {
    const { engine, events } = kit({
      extractor: () => {
        throw new Error("no model");
      },
    });
    await expect(engine.remember("x", asha)).rejects.toThrow("no model");
    expect(events).toMatchObject([{ type: "model_call" }, { type: "failed", phase: "extract" }]);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a promise of nothing", Promise.resolve()],
    ["a text", "likes tea"],
    ["an object", { facts: [] }],
  ])("takes %s from the extractor for a failure, not for no facts", async (_what, answer) => {
    const { engine, contents, events } = kit({ extractor: () => answer as never });
    await expect(engine.remember("x", asha)).rejects.toMatchObject({ code: "invalid_input" });
    expect(await contents()).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ type: "failed", phase: "extract" }));
  });

  it("leaves out what is no fact, and says so", async () => {
    const { engine, events, contents } = kit({
      extractor: () => ["likes tea", "", null, 7, { role: "human" }, { content: "likes jazz" }] as never,
    });
    await engine.remember("x", asha);
    expect(await contents()).toEqual(["likes jazz", "likes tea"]);
    expect(events.filter(({ type }) => type === "fact_refused")).toHaveLength(4);
    expect(engine.stats()).toMatchObject({ batches: 1, extracted: 6, inserted: 2, refused: 4 });
  });
});

describe("exact duplicates", () => {
  it.each([
    ["case", "ASHA LIKES TEA"],
    ["spaces", "  Asha   likes\ttea "],
    ["Unicode form", "Ａsha likes tea"],
    ["punctuation at the ends", "“Asha likes tea.”"],
  ])("differ in %s and are stored once, without a model", async (_, twin) => {
    const { engine, contents, events } = kit({ extractor: lines, config: { consolidationThreshold: 1 } });
    await engine.remember("Asha likes tea", asha);
    await engine.remember(twin, asha);
    await engine.remember(["Asha likes tea", twin], asha);
    expect(await contents()).toEqual(["Asha likes tea"]);
    expect(events.filter(({ type }) => type === "skipped")).toMatchObject([
      { reason: "duplicate" },
      { reason: "duplicate" },
    ]);
  });

  it("do not differ in a number", async () => {
    const { engine, contents } = kit();
    const texts = ["There are 37 snapshots", "There are 15 snapshots", "-5 degrees", "5 degrees", "C#", "C"];
    await engine.remember(texts, asha);
    expect(await contents()).toEqual([...texts].sort());
  });

  it("are of one person", async () => {
    const { engine, contents } = kit({
      extractor: () => [
        { content: "I like tea", name: "Asha" },
        { content: "I like tea", name: "Ben" },
        { content: "I like tea", name: "asha" },
      ],
    });
    await engine.remember("x", asha);
    await engine.remember("x", asha);
    expect(await contents()).toEqual(["I like tea", "I like tea"]);
  });

  it("are of one source, and private or not", async () => {
    const { engine, contents } = kit();
    await engine.remember("likes tea", asha);
    await engine.remember("likes tea", asha, { source: "crm" });
    await engine.remember("likes tea", asha, { private: true, source: "crm" });
    await engine.remember("likes tea", asha, { private: true, source: "crm" });
    expect(await contents()).toEqual(["likes tea", "likes tea", "likes tea"]);
  });

  it("are found under any key, whoever wrote them", async () => {
    const { engine, store, contents } = kit();
    await store.put(asha, "from-a-tool", { content: "Asha likes tea." });
    await store.put(asha, "from-langmem", { kind: "Memory", content: { content: "Asha likes jazz" } });
    await engine.remember(["Asha likes tea", "Asha likes jazz"], asha);
    expect((await engine.list(asha)).map(({ key }) => key).sort()).toEqual(["from-a-tool", "from-langmem"]);
    expect(await contents()).toHaveLength(2);
  });

  it("are not looked for in other namespaces", async () => {
    const { engine, contents } = kit();
    await engine.remember("likes tea", ["memories", "asha", "work"]);
    await engine.remember("likes tea", ["memories", "ash"]);
    await engine.remember("likes tea", asha);
    expect(await contents()).toEqual(["likes tea"]);
  });

  it("one message forty times is one memory", async () => {
    const { engine, contents } = kit();
    for (let round = 0; round < 40; round += 1) await engine.remember("There are 37 snapshots", asha);
    expect(await contents()).toEqual(["There are 37 snapshots"]);
  });
});

const update =
  (content: string | undefined): Consolidator =>
  (proposals) =>
    proposals.map(({ nearest }, fact) => ({
      fact,
      action: "update",
      target: nearest[0]?.key,
      content,
      reason: "newer",
    }));

describe("consolidation", () => {
  const config = { consolidationThreshold: 0.05 };

  async function livesIn(engine: MemoryEngine, city: string): Promise<void> {
    await engine.remember(`Asha lives in ${city}`, asha);
  }

  it("asks once for a batch, only of facts that have memories near them", async () => {
    const asked: number[] = [];
    const { engine, calls } = kit({
      config,
      consolidator: (proposals) => {
        asked.push(proposals.length);
        return [];
      },
    });
    await livesIn(engine, "Lisbon");
    expect(calls()).toBe(1);
    await engine.remember(["Asha lives in Porto", "Asha lives in Faro", "Ben owns a boat"], asha);
    expect(calls()).toBe(3);
    expect(asked).toEqual([2]);
  });

  it("updates a memory and keeps its key", async () => {
    const { engine, contents } = kit({ config, consolidator: update("Asha lives in Porto, not Lisbon") });
    await livesIn(engine, "Lisbon");
    const [before] = await engine.list(asha);
    const [record] = await engine.remember(
      [{ role: "user", content: "Asha lives in Porto", id: "m2" }],
      asha,
    );
    expect(record).toMatchObject({ key: before?.key, version: 2, messageIds: ["m2"] });
    expect(await contents()).toEqual(["Asha lives in Porto, not Lisbon"]);
    expect(engine.stats()).toMatchObject({ inserted: 1, updated: 1 });
  });

  it("is asked of memories about the same property of the same subject, however they are worded", async () => {
    const facts = [
      { content: "Asha's home town is Lisbon", subject: "Asha", attribute: "home" },
      { content: "Asha moved to Porto", subject: "asha", attribute: "Home" },
    ];
    const { engine, contents } = kit({
      extractor: () => facts.splice(0, 1),
      consolidator: update(undefined),
    });
    await engine.remember("x", asha);
    await engine.remember("x", asha);
    expect(await contents()).toEqual(["Asha moved to Porto"]);
  });

  it("skips", async () => {
    const { engine, contents, events } = kit({
      config,
      consolidator: (proposals) => [{ fact: 0, action: "skip", target: proposals[0]?.nearest[0]?.key }],
    });
    await livesIn(engine, "Lisbon");
    await livesIn(engine, "Lisbon, Portugal");
    expect(await contents()).toEqual(["Asha lives in Lisbon"]);
    expect(events.at(-1)).toMatchObject({ type: "skipped" });
  });

  it("is not asked at a threshold of 1", async () => {
    const { engine, calls } = kit({ config: { consolidationThreshold: 1 } });
    await livesIn(engine, "Lisbon");
    await livesIn(engine, "Lisbon today");
    expect(calls()).toBe(2);
  });

  it("sees only memories of the very namespace, source and privacy, and no raw turns", async () => {
    const seen: unknown[] = [];
    const { engine, store } = kit({
      config: { consolidationThreshold: 0.01 },
      consolidator: (proposals) => {
        seen.push(...proposals.flatMap(({ nearest }) => nearest.map(({ content }) => content)));
        return [];
      },
    });
    await engine.remember("Asha lives in Lisbon", [...asha, "work"]);
    await engine.remember("Asha lives in Rome", asha, { private: true });
    await engine.remember("Asha lives in Paris", asha, { source: "crm" });
    await store.put(asha, "turn", { kind: "turn", content: "Asha lives in Oslo" });
    await engine.remember("Asha lives in Bern", asha);
    await engine.remember("Asha lives in Porto", asha);
    expect(seen).toEqual(["Asha lives in Bern"]);
  });

  it("finds the memory of the namespace behind many nested ones", async () => {
    const { engine, store, calls } = kit({ config });
    await livesIn(engine, "Lisbon");
    for (let index = 0; index < 50; index += 1)
      await store.put([...asha, "work"], `k${index}`, { content: "Asha lives in Lisbon today" });
    await livesIn(engine, "Lisbon today");
    expect(calls()).toBe(3);
  });
});

describe("decisions that cannot be carried out", () => {
  const config = { consolidationThreshold: 0.1 };

  it.each<[string, Consolidator]>([
    ["an unknown target", () => [{ fact: 0, action: "update", target: "nobody" }]],
    ["no target", () => [{ fact: 0, action: "skip" }]],
    ["an unknown fact", () => [{ fact: 9, action: "skip", target: "x" }]],
    ["an unknown action", () => [{ fact: 0, action: "delete", target: "x" }] as never],
    ["no decision at all", () => [null, "insert"] as never],
    ["empty content", (p) => [{ fact: 0, action: "update", target: p[0]?.nearest[0]?.key, content: " " }]],
    [
      "content of another kind",
      (p) => [{ fact: 0, action: "update", target: p[0]?.nearest[0]?.key, content: {} }],
    ],
  ])("%s: the fact is inserted, and it is reported", async (_, consolidator) => {
    const { engine, contents, events } = kit({ config, consolidator });
    await engine.remember("Asha lives in Lisbon", asha);
    await engine.remember("Asha lives in Porto", asha);
    expect(await contents()).toEqual(["Asha lives in Lisbon", "Asha lives in Porto"]);
    expect(events.filter(({ type }) => type === "decision_refused").length).toBeGreaterThan(0);
  });

  it.each([
    ["subject", { subject: "Asha" }, { subject: "Ben" }],
    ["attribute", { attribute: "home" }, { attribute: "office" }],
    ["name", { role: "human", name: "Asha" }, { role: "human", name: "Ben" }],
    ["role, where a person's word would be overwritten", { role: "human" }, { role: "ai" }],
  ])("an update of another %s", async (_, first, second) => {
    const facts = [
      { content: "lives in Lisbon", ...first },
      { content: "lives in Porto", ...second },
    ];
    const { engine, contents, events } = kit({
      config,
      extractor: () => facts.splice(0, 1),
      consolidator: update(undefined),
    });
    await engine.remember("x", asha);
    await engine.remember("x", asha);
    expect(await contents()).toEqual(["lives in Lisbon", "lives in Porto"]);
    expect(events.filter(({ type }) => type === "decision_refused")).toHaveLength(1);
  });

  it("two decisions for one memory: the second fact is inserted", async () => {
    const { engine, contents, events } = kit({ config, consolidator: update(undefined) });
    await engine.remember("Asha lives in Lisbon", asha);
    await engine.remember(["Asha lives in Porto", "Asha lives in Faro"], asha);
    expect(await contents()).toEqual(["Asha lives in Faro", "Asha lives in Porto"]);
    expect(events.filter(({ type }) => type === "decision_refused")).toHaveLength(1);
  });

  it("a repetition of a memory that the same batch changes is inserted", async () => {
    const { engine, contents } = kit({
      config,
      consolidator: (proposals) =>
        proposals.map(({ nearest }, fact) => ({
          fact,
          action: fact === 0 ? "skip" : "update",
          target: nearest[0]?.key,
        })),
    });
    await engine.remember("Asha lives in Lisbon", asha);
    await engine.remember(["Asha lives in Lisbon city", "Asha lives in Porto"], asha);
    expect(await contents()).toEqual(["Asha lives in Lisbon", "Asha lives in Porto"]);
  });

  it("a consolidator that fails, or gives no list: every fact is inserted", async () => {
    for (const consolidator of [
      () => Promise.reject(new Error("overloaded")),
      () => ({ decisions: [] }) as never,
      () => undefined as never,
    ] as Consolidator[]) {
      const { engine, contents, events } = kit({ config, consolidator });
      await engine.remember("Asha lives in Lisbon", asha);
      await engine.remember(["Asha lives in Porto", "Asha lives in Faro"], asha);
      expect(await contents()).toHaveLength(3);
      expect(events.filter(({ type }) => type === "failed")).toMatchObject([{ phase: "consolidate" }]);
    }
  });

  it("a consolidator that is cut off by the caller: the batch is not taken", async () => {
    const { engine, contents } = kit({ config, consolidator: () => new Promise(() => undefined) });
    await engine.remember("Asha lives in Lisbon", asha);
    const controller = new AbortController();
    const remembering = engine.remember("Asha lives in Porto", asha, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("late")), 20);
    await expect(remembering).rejects.toThrow("late");
    expect(await contents()).toEqual(["Asha lives in Lisbon"]);
    expect(insertAll([], {} as never)).toEqual([]);
  });
});
