import { turnIndex } from "keepsake/memory";
import { InMemoryStore } from "keepsake/store";
import { describe, expect, it, vi } from "vitest";
import type { Dialogue } from "./dataset.ts";
import { replay } from "./replay.ts";

const dialogue: Dialogue = {
  id: "tiny",
  messages: Array.from({ length: 40 }, (_, index) => ({
    id: `D1:${index + 1}`,
    role: index % 2 === 0 ? "user" : "assistant",
    name: index % 2 === 0 ? "Ines" : "Otto",
    content: index === 7 ? "The boat is called Alva." : `Remark number ${index} on the weather.`,
    timestamp: "2021-03-03T00:05:00.000Z",
  })),
  questions: [{ text: "What is the boat called?", category: 4, evidence: ["D1:8"] }],
  unresolved: 0,
};

describe("a replay", () => {
  it("answers each question with the ids of the turns found, best first", async () => {
    const [answer, ...others] = await replay(dialogue, new InMemoryStore({ index: turnIndex }));
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ category: 4, evidence: ["D1:8"] });
    expect(answer?.found[0]).toBe("D1:8");
    expect(answer?.found).toHaveLength(answer?.characters.length ?? 0);
    expect(answer?.characters[0]).toBeGreaterThan("The boat is called Alva.".length);
  });

  it("fails where a turn was lost", async () => {
    const store = new InMemoryStore();
    const { batch } = InMemoryStore.prototype;
    vi.spyOn(store, "batch").mockImplementation((operations) =>
      batch.call(
        store,
        operations.filter((operation) => !JSON.stringify(operation).includes("number 12 ")),
      ),
    );
    await expect(replay(dialogue, store)).rejects.toThrow("tiny: as many items as turns");
  });
});
