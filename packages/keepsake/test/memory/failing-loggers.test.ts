import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMemoryManager, MemoryEngine, reflect } from "../../src/memory/index.ts";
import { InMemoryStore } from "../../src/store/index.ts";

const namespace = ["memories", "asha"];
const unhandled: unknown[] = [];
const keep = (reason: unknown): unknown => unhandled.push(reason);
beforeAll(() => process.on("unhandledRejection", keep));
afterAll(() => process.off("unhandledRejection", keep));

describe.each([
  [
    "throws",
    () => {
      throw new Error("the log is down");
    },
  ],
  ["rejects", () => Promise.reject(new Error("the log is down"))],
])("a logger that %s", (_how, warn) => {
  const logger = { debug: warn, warn };
  const settled = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  };

  it("keeps nothing from being remembered where a model's fact is left out", async () => {
    const model = () => ({ facts: [{ content: "Asha likes tea" }, 5] });
    const engine = new MemoryEngine({ store: new InMemoryStore(), model, logger });
    expect(await engine.remember("x", namespace)).toHaveLength(1);
    await settled();
  });

  it("keeps nothing from being remembered where the consolidator or onEvent fails", async () => {
    const engine = new MemoryEngine({
      store: new InMemoryStore(),
      config: { consolidationThreshold: 0.001 },
      extractor: (transcript) => transcript.map(({ text }) => text),
      consolidator: () => Promise.reject(new Error("down")),
      onEvent: () => Promise.reject(new Error("down")),
      logger,
    });
    await engine.remember("Asha likes tea", namespace);
    expect(await engine.remember("Asha likes coffee", namespace)).toHaveLength(1);
    expect(engine.stats().failed).toBe(1);
    await settled();
  });

  it("breaks no manager", async () => {
    const actions = [{ action: "update", id: "m9", content: { content: "" } }];
    const manager = createMemoryManager(() => ({ actions }), { logger, enableInserts: false });
    const existing = [["id-1", "Asha likes tea"]] as const;
    expect(await manager.invoke({ messages: "I like coffee", existing })).toHaveLength(1);
    await settled();
  });

  it("breaks no reflection", async () => {
    const reflection = reflect(() => Promise.reject(new Error("down")), { namespace, logger });
    const { done } = reflection.submit({ messages: [] });
    await expect(done).rejects.toThrow("down");
    await reflection.close();
    expect(reflection.pending).toBe(0);
    await settled();
  });
});
