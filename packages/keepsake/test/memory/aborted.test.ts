import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createMemoryManager,
  createMemorySearcher,
  createMemoryStoreManager,
  MemoryEngine,
} from "../../src/memory/index.ts";
import { InMemoryStore } from "../../src/store/index.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): unknown => unhandled.push(reason);
beforeAll(() => process.on("unhandledRejection", keep));
afterAll(() => process.off("unhandledRejection", keep));

const namespace = ["memories", "asha"];
const store = new InMemoryStore();
const logger = { debug() {}, warn() {} };
const messages = "I live in Pune";
type Asked = () => Promise<never>;

describe("an aborted signal ends at once what waits for a model that does not look at it", () => {
  it.each<[string, (model: Asked, signal: AbortSignal) => Promise<unknown>]>([
    ["remember", (model, signal) => engine({ model }).remember(messages, namespace, { signal })],
    [
      "remember, with an extractor",
      (extractor, signal) =>
        engine({ extractor, consolidator: () => [] }).remember(messages, namespace, { signal }),
    ],
    ["a manager", (model, signal) => createMemoryManager(model).invoke({ messages }, { signal })],
    [
      "a manager with a store",
      (model, signal) =>
        createMemoryStoreManager(model, { store, namespace, logger }).run({ messages }, { signal }),
    ],
    [
      "a searcher",
      (model, signal) => createMemorySearcher(model, { store, namespace })({ messages }, { signal }),
    ],
  ])("%s", async (_what, work) => {
    const controller = new AbortController();
    let failLate = (): void => {};
    const model: Asked = () => {
      setImmediate(() => controller.abort(new Error("gone")));
      return new Promise((_, reject) => {
        failLate = () => reject(new Error("late"));
      });
    };
    await expect(work(model, controller.signal)).rejects.toThrow("gone");
    failLate();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
    expect(await store.count(namespace)).toBe(0);
  });
});

function engine(options: object): MemoryEngine {
  return new MemoryEngine({ store, logger, ...options });
}
