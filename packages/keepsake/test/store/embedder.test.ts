import { FakeEmbeddings } from "@langchain/core/utils/testing";
import { MockEmbeddingModelV3 } from "ai/test";
import { describe, expect, test, vi } from "vitest";
import { KeepsakeError } from "../../src/errors/index.ts";
import { createTextEmbedder } from "../../src/store/embed-texts.ts";
import type { Embedder } from "../../src/store/embedder.ts";
import { InMemoryStore } from "../../src/store/index.ts";
import { resolveEmbedder } from "../../src/store/resolve-embedder.ts";

const ns = ["n"];
const signal = new AbortController().signal;

/** An embedder of the test's own, and a clock that does not wait. */
function textEmbedder(embed: Embedder["embed"], maxTexts: unknown = undefined) {
  const pauses: number[] = [];
  const embedder = createTextEmbedder(
    { name: "test", maxTexts: () => maxTexts, embed },
    undefined,
    async (ms) => {
      pauses.push(ms);
    },
  );
  return { embedder, pauses };
}

const flat = async (texts: readonly string[]): Promise<number[][]> => texts.map(() => [1, 0]);
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `text ${n}`);

describe("what can be an embedder", () => {
  test("a function, with a model property as its name", async () => {
    const given: string[][] = [];
    const embed = async (texts: string[]): Promise<number[][]> => {
      given.push(texts);
      return [[1]];
    };
    const embedder = resolveEmbedder(embed);
    expect(embedder.name).toBeUndefined();
    expect(await embedder.embed(["a"], "query", signal)).toEqual([[1]]);
    expect(given).toEqual([["a"]]);
    expect(resolveEmbedder(Object.assign(async () => [], { model: "mine" })).name).toBe("mine");
  });

  test("LangChain's Embeddings: documents and queries by their own methods", async () => {
    const embeddings = Object.assign(new FakeEmbeddings(), { model: "fake-1" });
    const documents = vi.spyOn(embeddings, "embedDocuments");
    const queries = vi.spyOn(embeddings, "embedQuery");
    const store = new InMemoryStore({ index: { embed: embeddings } });
    await store.put(ns, "k", { content: "tea" });
    expect(documents).toHaveBeenCalledWith(["tea"]);
    expect(await store.search(ns, { query: "chai", mode: "vector" })).toHaveLength(1);
    expect(queries).toHaveBeenCalledWith("chai");
    expect(resolveEmbedder(embeddings).name).toBe("fake-1");
    expect(new InMemoryStore({ index: { embeddings } }).capabilities.vector).toBe(true);
  });

  test("an embedding model of the AI SDK, with as many texts a call as it takes", async () => {
    const calls: string[][] = [];
    const model = new MockEmbeddingModelV3({
      modelId: "mock-1",
      maxEmbeddingsPerCall: 2,
      doEmbed: async ({ values }) => {
        calls.push(values);
        return { embeddings: values.map(() => [1, 2]), warnings: [] };
      },
    });
    const store = new InMemoryStore({ index: { embed: model } });
    await store.batch(many(5).map((content, n) => ({ namespace: ns, key: `k${n}`, value: { content } })));
    expect(calls.map(({ length }) => length).sort()).toEqual([1, 2, 2]);
    expect(resolveEmbedder(model).name).toBe("mock-1");
  });

  test('"provider:model" loads the provider\'s package when it embeds', async () => {
    vi.doMock("@langchain/mistralai", () => ({
      MistralAIEmbeddings: class {
        readonly model: string;
        constructor(options: { model: string }) {
          this.model = options.model;
        }
        embedDocuments = async (texts: string[]) => texts.map(() => [this.model.length, 1]);
        embedQuery = async () => [1, 1];
      },
    }));
    const embedder = resolveEmbedder("mistralai:mistral-embed");
    expect(embedder.name).toBe("mistral-embed");
    expect(await embedder.embed(["a"], "document", signal)).toEqual([[13, 1]]);
    vi.doUnmock("@langchain/mistralai");
  });

  test("a provider whose package is missing: the item is kept, and the error says what to install", async () => {
    const store = new InMemoryStore({ index: { embed: "cohere:embed-v4.0" } });
    await expect(store.put(ns, "k", { content: "tea" })).rejects.toMatchObject({
      code: "missing_dependency",
      message: expect.stringContaining("npm install @langchain/cohere"),
    });
    expect(await store.search(ns, { query: "tea", mode: "keyword" })).toHaveLength(1);
  });

  test.each([
    [{ embed: "voyage:voyage-3" }, /providers are openai, google-genai.*pass a LangChain Embeddings object/],
    [{ embed: "opnai:x" }, /Did you mean "openai"\?/],
    [{ embed: "text-embedding-3-small" }, /it is "provider:model"/],
    [{ embed: "openai:" }, /it is "provider:model"/],
    [{ embed: {} }, /none of: a LangChain Embeddings object/],
    [{ embed: 5 }, /none of/],
    [{ dims: 0, embed: flat }, /`index.dims` is 0/],
    [{ dims: 3 }, /without `index.embed`/],
    [{ embed: flat, ranking: { vector: 0 } }, /`index.ranking.vector` is 0; it is a number above 0/],
    [{ embed: flat, ranking: { keywords: 1 } }, /Did you mean "keyword"/],
  ])("%j is refused at construction", (index, words) => {
    const construct = () => new InMemoryStore({ index: index as never });
    expect(construct).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringMatching(words) }),
    );
  });
});

describe("embedding texts", () => {
  test("goes in batches, each text once, at most four calls at a time", async () => {
    let running = 0;
    let most = 0;
    const sizes: number[] = [];
    const { embedder } = textEmbedder(async (texts) => {
      running += 1;
      most = Math.max(most, running);
      sizes.push(texts.length);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return flat(texts);
    });
    const texts = many(1000);
    const [vectors] = await Promise.all([
      embedder.embed([...texts, ...texts], "document"),
      embedder.embed(many(200), "document"),
    ]);
    expect(vectors.size).toBe(1000);
    expect(most).toBe(4);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(96);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1200);
  });

  test("is tried again, with random pauses that grow", async () => {
    let calls = 0;
    const { embedder, pauses } = textEmbedder(async (texts) => {
      calls += 1;
      if (calls < 3) throw new Error("busy");
      return flat(texts);
    });
    expect((await embedder.embed(["a"], "document")).get("a")).toBeInstanceOf(Float32Array);
    expect(pauses).toHaveLength(2);
    expect(pauses[0]).toBeLessThanOrEqual(500);
    expect(pauses[1]).toBeLessThanOrEqual(1000);
  });

  test("gives up after three times, with the reason; other batches are not touched by it", async () => {
    const { embedder, pauses } = textEmbedder(async (texts) => {
      if (texts.includes("text 0")) throw new Error("quota");
      return flat(texts);
    });
    const vectors = await embedder.embed(many(150), "document");
    const first = vectors.get("text 0");
    expect(KeepsakeError.isInstance(first) && first.message).toBe("The embedder failed 3 times: quota");
    expect(vectors.get("text 149")).toBeInstanceOf(Float32Array);
    expect(pauses).toHaveLength(2);
  });

  test.each([
    [400, 1],
    [401, 1],
    [404, 1],
    [408, 3],
    [429, 3],
    [500, 3],
  ])("status %i is tried %i times", async (status, times) => {
    let calls = 0;
    const { embedder } = textEmbedder(async () => {
      calls += 1;
      throw Object.assign(new Error("refused"), { status });
    });
    await embedder.embed(["a"], "document");
    expect(calls).toBe(times);
  });

  test.each([
    ["document", 60],
    ["query", 5],
  ] as const)(
    "an embedder that never answers a %s counts as failed after %i seconds",
    async (purpose, seconds) => {
      vi.useFakeTimers();
      let calls = 0;
      const { embedder } = textEmbedder(() => {
        calls += 1;
        return new Promise(() => undefined);
      });
      const embedding = embedder.embed(["a"], purpose);
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      const outcome = (await embedding).get("a");
      expect(KeepsakeError.isInstance(outcome) && outcome.message).toMatch(
        `no answer within ${seconds} seconds`,
      );
      expect(calls).toBe(1);
      vi.useRealTimers();
    },
  );

  test("an aborted query rejects with the signal's reason, and the embedder is told", async () => {
    const stop = new AbortController();
    let told: AbortSignal | undefined;
    const { embedder } = textEmbedder((_texts, _purpose, given) => {
      told = given;
      return new Promise(() => undefined);
    });
    const embedding = embedder.embed(["a"], "query", stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error("enough"));
    await expect(embedding).rejects.toThrow("enough");
    expect(told?.aborted).toBe(true);
  });
});

describe("a store with an embedder", () => {
  test("warns once of a failing embedder, with the reason, and searches by words", async () => {
    const warnings: unknown[][] = [];
    const logger = { debug: () => undefined, warn: (...given: unknown[]) => warnings.push(given) };
    const failing = async () => {
      throw Object.assign(new Error("no such key"), { status: 401 });
    };
    const store = new InMemoryStore({ index: { embed: failing }, logger });
    for (const key of ["a", "b"]) await store.put(ns, key, { content: "tea" });
    for (const query of ["tea", "green tea"]) expect(await store.search(ns, { query })).toHaveLength(2);
    expect(warnings.map(([message]) => message)).toEqual([
      expect.stringMatching(/stored without vectors.*`reindex\(\)` makes up for it.*no such key/),
      expect.stringMatching(/searched for by its words alone.*no such key/),
    ]);
    expect(warnings[0]?.[1]).toMatchObject({ code: "embedding_failed", cause: { message: "no such key" } });
  });

  test("embeds outside of its transactions: other work goes on while the embedder thinks", async () => {
    let answer: (() => void) | undefined;
    const slow = async (texts: string[]) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return texts.map(() => [1, 0]);
    };
    const store = new InMemoryStore({ index: { embed: slow, fields: ["content"] } });
    const put = store.put(ns, "slow", { content: "tea" });
    await store.put(ns, "quick", { note: "nothing to embed" });
    expect(await store.count(ns)).toBe(1);
    answer?.();
    await put;
    expect(await store.count(ns)).toBe(2);
  });

  test("closing waits for a put whose text is being embedded", async () => {
    let answer: (() => void) | undefined;
    const slow = async (texts: string[]) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return texts.map(() => [1, 0]);
    };
    const store = new InMemoryStore({ index: { embed: slow } });
    const put = store.put(ns, "k", { content: "tea" });
    await vi.waitFor(() => expect(answer).toBeDefined());
    const closed = store.close();
    answer?.();
    await put;
    await closed;
  });

  test("puts at any moment of a move are stored with vectors of the new model", async () => {
    for (let pause = 0; pause < 40; pause += 1) {
      const old = Object.assign(async (texts: string[]) => texts.map(() => [1, 0]), { model: "old" });
      const moved = Object.assign(async (texts: string[]) => texts.map(() => [0, 1]), { model: "new" });
      const store = new InMemoryStore({ index: { embed: old, fields: ["content"] } });
      await store.put(ns, "first", { content: "tea" });
      const moving = store.reindex({ embed: moved });
      for (let turn = 0; turn < pause; turn += 1) await Promise.resolve();
      await store.put(ns, "second", { content: "chai" });
      await moving;
      expect(await store.search(ns, { query: "x", mode: "vector" })).toHaveLength(2);
    }
  });

  test("stops a reindex after three pages of which nothing could be embedded", async () => {
    let calls = 0;
    let broken = false;
    const embed = async (texts: string[]) => {
      calls += 1;
      if (broken) throw Object.assign(new Error("down"), { status: 400 });
      return texts.map(() => [1, 0]);
    };
    const logger = { debug: () => undefined, warn: () => undefined };
    const store = new InMemoryStore({ index: { embed, fields: ["content"] }, logger });
    broken = true;
    await store.batch(many(3000).map((content, n) => ({ namespace: ns, key: `k${n}`, value: { content } })));
    calls = 0;
    await expect(store.reindex()).rejects.toMatchObject({
      code: "embedding_failed",
      message: expect.stringMatching(/900 of 900 items.*down/),
    });
    expect(calls).toBe(12);
    broken = false;
    expect(await store.reindex()).toBe(3000);
  });
});
