import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { demoTurns } from "../../../../cli/src/demo/conversation.ts";
import { questions } from "../../../../cli/src/demo/script.ts";
import { MessageReducer } from "../../../src/index.ts";
import { MemoryEngine, type MemoryEvent } from "../../../src/memory/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { asha, kit } from "./engine-kit.ts";

describe("stats and events", () => {
  it("count what became of facts, and never quote one", async () => {
    const { engine, events } = kit({
      config: { consolidationThreshold: 0.001 },
      consolidator: (proposals) =>
        proposals.map(({ nearest }, fact) => ({
          fact,
          action: "update",
          target: nearest[0]?.key,
          reason: "newer",
        })),
    });
    const [record] = await engine.remember("lives in Lisbon, zx81", asha, {
      threadId: "t",
      deliveryId: "d1",
    });
    await engine.remember("lives in Porto, zx81", asha, { deliveryId: "d2" });
    await engine.remember("lives in Porto, zx81", asha, { deliveryId: "d3" });
    await engine.recall("zx81", asha);
    await engine.forget(asha, { key: record?.key });
    expect(engine.stats()).toEqual({
      ...{ batches: 3, extracted: 3, inserted: 1, updated: 1, skipped: 1, refused: 0, failed: 0 },
      ...{ recalled: 1, forgotten: 1, modelCalls: 4, inputTokens: 0, outputTokens: 0 },
    });
    expect(events.map(({ type }) => type)).toEqual([
      ...["model_call", "extracted", "inserted"],
      ...["model_call", "extracted", "model_call", "updated"],
      ...["model_call", "extracted", "skipped"],
      ...["recalled", "forgotten"],
    ]);
    expect(events[2]).toEqual({
      ...{
        type: "inserted",
        namespace: asha,
        threadId: "t",
        deliveryId: "d1",
        key: record?.key,
        reason: undefined,
      },
    });
    expect(JSON.stringify(events)).not.toMatch(/zx81|Lisbon|Porto/);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("oops");
      },
    ],
    ["rejects", () => Promise.reject(new Error("oops"))],
  ])("an onEvent that %s breaks nothing, and is warned about", async (_how, onEvent) => {
    const warnings: unknown[] = [];
    const engine = new MemoryEngine({
      store: new InMemoryStore(),
      extractor: () => ["likes tea"],
      consolidator: () => [],
      logger: { debug: () => undefined, warn: (message) => warnings.push(message) },
      onEvent,
    });
    expect(await engine.remember("x", asha)).toHaveLength(1);
    expect(warnings).toHaveLength(3);
  });
});

describe("a model", () => {
  const turns = Array.from({ length: 30 }, (_, turn) => [
    { role: "user", content: `I visited town number ${turn} in ${1990 + turn}`, id: `u${turn}` },
    { role: "assistant", content: `Noted: ticket QX${turn}`, id: `a${turn}` },
  ]);

  it("is asked at most twice per pruned batch of a conversation of 30 turns, and its tokens are counted", async () => {
    const events: MemoryEvent[] = [];
    let asked = 0;
    const engine = new MemoryEngine({
      store: new InMemoryStore(),
      onEvent: (event) => events.push(event),
      logger: { debug: () => undefined, warn: () => undefined },
      config: { consolidationThreshold: 0.01 },
      model: async ({ schemaName, prompt }) => {
        asked += 1;
        const tokens = { input: 100, output: 10 };
        if (schemaName !== "facts") return { value: { decisions: [] }, tokens };
        const found = [...prompt.matchAll(/town number \d+|QX\d+/g)].map(([text]) => fact(text));
        return { value: { facts: found }, tokens };
      },
    });
    const reducer = new MessageReducer({ onPrune: [engine.onPrune] });
    let existing: unknown[] = [];
    for (const turn of turns) {
      const { surviving } = await reducer.reduce({ existing, new: turn, namespace: asha });
      existing = surviving;
    }
    await reducer.handOver({ messages: existing, namespace: asha });
    const { batches, modelCalls, inputTokens, outputTokens, failed, refused } = engine.stats();
    expect({ failed, refused }).toEqual({ failed: 0, refused: 0 });
    expect(batches).toBeGreaterThan(3);
    expect(modelCalls).toBe(asked);
    expect(asked).toBeLessThanOrEqual(batches * 2);
    expect([inputTokens, outputTokens]).toEqual([asked * 100, asked * 10]);
    expect(await engine.list(asha, { limit: 100 })).toHaveLength(60);
    expect(Math.max(...callsOfBatches(events))).toBeLessThanOrEqual(2);
  });

  it("is asked at most twice per pruned batch of the demo's conversation, whose answers are facts then", async () => {
    const events: MemoryEvent[] = [];
    const engine = new MemoryEngine({
      store: new InMemoryStore(),
      onEvent: (event) => events.push(event),
      logger: { debug: () => undefined, warn: () => undefined },
      config: { consolidationThreshold: 0.01 },
      model: async ({ schemaName, prompt }) => {
        if (schemaName !== "facts") return { value: { decisions: [] } };
        const lines = prompt.match(/^\{"id":.*$/gm) ?? [];
        return { value: { facts: lines.map((line) => fact(JSON.parse(line).text)) } };
      },
    });
    const reducer = new MessageReducer({ onPrune: [engine.onPrune], minMessages: 6, maxMessages: 14 });
    const turns = demoTurns();
    expect(turns).toHaveLength(30);
    let existing: unknown[] = [];
    for (const { messages } of turns) {
      const { surviving } = await reducer.reduce({ existing, new: [...messages], namespace: asha });
      existing = surviving;
    }
    const { batches, failed, refused } = engine.stats();
    expect({ failed, refused }).toEqual({ failed: 0, refused: 0 });
    expect(batches).toBeGreaterThan(3);
    expect(callsOfBatches(events)).toHaveLength(batches);
    expect(Math.max(...callsOfBatches(events))).toBe(2);
    for (const { question, answer } of questions) {
      const matches = await engine.recall(question, asha, { limit: 5 });
      expect(matches.map(({ record }) => record.content).join("\n")).toContain(answer);
    }
  });

  it.each([
    ["of an unknown fact", [{ fact: "f9", action: "update", memory: "m1" }], -1, "insert"],
    ["for an unknown memory", [{ fact: "f1", action: "update", memory: "m77" }], 0, "update"],
    ["to do what there is not", [{ fact: "f1", action: "delete", memory: "m1" }], 0, "insert"],
    [
      "that it contradicts",
      ["skip", "update"].map((action) => ({ fact: "f1", action, memory: "m1" })),
      0,
      "skip",
    ],
    ["that is no JSON", "sorry, zx81", -1, "insert"],
  ])("is reported and counted where it gives a decision %s", async (_what, decided, index, action) => {
    const store = new InMemoryStore();
    const earlier = kit({ store, extractor: () => [{ ...home, content: "Asha lives in Pune, zx81." }] });
    await earlier.engine.remember("x", asha);
    const { engine, events, contents } = kit({
      store,
      extractor: undefined,
      consolidator: undefined,
      model: ({ schemaName }) => {
        if (schemaName === "facts") return { facts: [{ ...home, content: "Asha lives in Goa, zx81." }] };
        return typeof decided === "string" ? decided : { decisions: decided };
      },
    });
    await engine.remember("I live in Goa", asha, { deliveryId: "d1" });
    expect(await contents()).toHaveLength(2);
    expect(events.filter(({ type }) => type === "decision_refused")).toEqual([
      expect.objectContaining({
        ...{ namespace: asha, deliveryId: "d1", reason: expect.any(String) },
        decision: expect.objectContaining({ fact: index, action }),
      }),
    ]);
    expect(engine.stats().refused).toBe(1);
    expect(JSON.stringify(events)).not.toContain("zx81");
  });

  it.each([
    ["wrong facts again", () => ({ facts: [{ content: "Asha likes tea" }, { zx81: "" }, 5] }), 2],
    ["no answer when asked again", answers({ facts: ["likes tea", { zx81: "" }] }, "no"), 1],
    ["the facts when asked again", answers({ facts: ["likes tea", 5] }, { facts: ["likes cake"] }), 0],
  ])("is reported and counted where it gives %s", async (_what, model, refused) => {
    const { engine, events } = kit({ extractor: undefined, consolidator: undefined, model });
    await engine.remember("x", asha, { threadId: "t" });
    const reported = events.filter(({ type }) => type === "fact_refused");
    expect(reported).toHaveLength(refused);
    for (const event of reported) expect(event).toMatchObject({ namespace: asha, threadId: "t" });
    expect(engine.stats().refused).toBe(refused);
    expect(JSON.stringify(events)).not.toContain("zx81");
  });

  const home = { subject: "Asha", attribute: "home" };

  /** One answer after the other. */
  function answers(...given: readonly unknown[]): () => unknown {
    let asked = -1;
    return () => {
      asked += 1;
      return given[asked];
    };
  }

  function fact(content: string): unknown {
    return { content, messages: [], subject: "", attribute: "", categories: [], importance: 0.5, date: "" };
  }

  /** How often the model was asked for each batch: calls of one batch follow each other. */
  function callsOfBatches(events: readonly MemoryEvent[]): number[] {
    const counts: number[] = [];
    for (const event of events) {
      if (event.type !== "model_call") continue;
      if (event.purpose === "extract") counts.push(0);
      counts.push((counts.pop() ?? 0) + 1);
    }
    return counts;
  }
});

describe("OpenTelemetry", () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  afterAll(() => trace.disable());

  beforeEach(() => exporter.reset());

  it("has spans with counts, and neither texts nor names", async () => {
    const { engine } = kit();
    const [record] = await engine.remember("Asha likes zx81", asha);
    await engine.recall("zx81", asha);
    await engine.context("zx81", asha);
    await engine.forget(asha, { key: record?.key });
    await engine.erase(asha);
    const spans = exporter.getFinishedSpans();
    expect(
      spans.map(({ name, attributes }) => [name, Object.values(attributes).map((value) => typeof value)]),
    ).toEqual(
      ["remember", "recall", "context", "forget", "erase"].map((name) => [`keepsake.${name}`, ["number"]]),
    );
    expect(spans[0]?.attributes).toEqual({ "keepsake.memories.written": 1 });
    expect(
      JSON.stringify(spans.map(({ name, attributes, events }) => [name, attributes, events])),
    ).not.toMatch(/asha|zx81/i);
  });

  it("marks what failed, without the message", async () => {
    const { engine } = kit({ extractor: () => Promise.reject(new TypeError("quotes zx81")) });
    await expect(engine.remember("x", asha)).rejects.toThrow();
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "TypeError" } });
    expect(JSON.stringify([span?.status, span?.attributes, span?.events])).not.toContain("zx81");
  });
});
