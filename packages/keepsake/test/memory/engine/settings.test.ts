import { InMemoryStore as LangGraphStore } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryEngine, type MemoryEngineOptions } from "../../../src/memory/engine/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { insertAll, lines } from "./engine-kit.ts";

const functions = { extractor: lines, consolidator: insertAll };

function refusal(options: unknown): string {
  try {
    new MemoryEngine(options as MemoryEngineOptions);
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid_config" });
    return String(error);
  }
  throw new Error("it was accepted");
}

describe("a MemoryEngine refuses", () => {
  const store = new InMemoryStore();

  it.each<[string, unknown, RegExp]>([
    ["no options", undefined, /options must be an object/],
    ["neither a model nor functions", { store }, /neither a model.*rememberVerbatim/],
    ["an extractor alone", { store, extractor: lines }, /`consolidator` is missing/],
    ["a consolidator alone", { store, consolidator: insertAll }, /`extractor` is missing/],
    ["what is no model", { store, model: 7 }, /model must be/],
    ["no store", functions, /there is no `store`/],
    ["LangGraph's store", { ...functions, store: new LangGraphStore() }, /compare and set.*SqliteStore/],
    ["what is no store", { ...functions, store: new Map() }, /is none/],
    ["a misspelt option", { ...functions, store, extracter: lines }, /Did you mean "extractor"/],
    [
      "a misspelt field",
      { ...functions, store, config: { semanticWeigth: 1 } },
      /Did you mean "semanticWeight"/,
    ],
    ["a negative weight", { ...functions, store, config: { recencyWeight: -1 } }, /recencyWeight must be/],
    ["a threshold above 1", { ...functions, store, config: { consolidationThreshold: 85 } }, /from 0 to 1/],
    ["a limit of 0", { ...functions, store, config: { consolidationLimit: 0 } }, /from 1 on/],
    ["a half-life of 0", { ...functions, store, config: { recencyHalfLifeDays: 0 } }, /above 0/],
    ["NaN", { ...functions, store, config: { importanceWeight: Number.NaN } }, /importanceWeight must be/],
    ["prompts without a model", { ...functions, store, prompts: {} }, /no `model`/],
    ["a schema that is none", { ...functions, store, schema: 7 }, /schemas of memories/],
  ])("%s", (_, options, message) => {
    expect(refusal(options)).toMatch(message);
  });

  it("weights that are all 0", () => {
    const config = { semanticWeight: 0, recencyWeight: 0, importanceWeight: 0 };
    expect(refusal({ ...functions, store, config })).toMatch(/all 0/);
  });

  it("a store that cannot rank", () => {
    class Mute extends InMemoryStore {
      override get capabilities(): InMemoryStore["capabilities"] {
        return { ...super.capabilities, keyword: false, vector: false };
      }
    }
    expect(refusal({ ...functions, store: new Mute() })).toMatch(/rank neither.*embed/);
  });
});

describe("a MemoryEngine takes", () => {
  it.each<[string, Partial<MemoryEngineOptions>]>([
    ["weights that do not sum to 1", { ...functions, config: { semanticWeight: 3, recencyWeight: 0 } }],
    ["undefined for left out", { ...functions, config: { consolidationLimit: undefined }, model: undefined }],
    ["a model alone", { model: async () => ({ facts: [] }) }],
    ["a model and one function", { model: async () => ({ facts: [] }), consolidator: insertAll }],
    ["schemas by name", { ...functions, schema: { Profile: z.object({ name: z.string() }) } }],
  ])("%s", (_, options) => {
    expect(new MemoryEngine({ store: new InMemoryStore(), ...options }).stats()).toMatchObject({
      batches: 0,
    });
  });
});
