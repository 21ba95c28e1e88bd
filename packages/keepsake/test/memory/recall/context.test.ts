import { describe, expect, it } from "vitest";
import { recallContext } from "../../../src/memory/recall/context.ts";
import { estimateTokens } from "../../../src/message/index.ts";
import { keywordStore, namespace, settings } from "./harness.ts";

describe("a context for a prompt", () => {
  it("is the best memories, the most relevant first, each thing once", async () => {
    const store = keywordStore();
    await store.put(namespace, "a", { content: "The  seat is 12C." });
    await store.put(namespace, "b", { content: "the seat is 12c", importance: 0 });
    await store.put(namespace, "c", {
      kind: "Memory",
      content: { content: "A seat by the aisle, if there is one." },
    });
    await store.put(namespace, "d", { content: "She lives in Pune." });
    const block = await recallContext(store, settings, "which seat is it?", namespace);
    expect(block.match(/^- .*/gm)).toEqual([
      "- [2026-11-30] The  seat is 12C.",
      "- [2026-11-30, Memory] A seat by the aisle, if there is one.",
    ]);
  });

  it("costs no more than it may, and is empty where nothing is found", async () => {
    const store = keywordStore();
    for (let index = 0; index < 40; index += 1) {
      await store.put(namespace, `k${index}`, {
        content: `seat number ${index}, with much to say of it`.repeat(3),
      });
    }
    const block = await recallContext(store, settings, "seat", namespace, { maxTokens: 300 });
    expect(estimateTokens(block)).toBeLessThanOrEqual(300);
    expect(estimateTokens(block)).toBeGreaterThan(220);
    expect(await recallContext(store, settings, "weather", namespace)).toBe("");
    expect(await recallContext(store, settings, "", namespace)).toBe("");
  });

  it("refuses options that it does not have", async () => {
    const options: object = { maxToken: 5 };
    const refused = recallContext(keywordStore(), settings, "seat", namespace, options);
    await expect(refused).rejects.toMatchObject({ code: "invalid_config" });
  });
});
