import { describe, expect, it } from "vitest";
import { z } from "zod";
import { InMemoryStore } from "../../../src/store/index.ts";
import { asha, kit } from "./engine-kit.ts";

async function remembered(text = "Likes the window seat.") {
  const made = kit();
  const [record] = await made.engine.remember(text, asha);
  return { ...made, key: record?.key ?? "" };
}

describe("update", () => {
  it("replaces what a memory says, and keeps what it said before", async () => {
    const { engine, key, events } = await remembered();
    const record = await engine.update(asha, key, "Likes the aisle seat.", { reason: "the user said so" });
    expect(record).toMatchObject({ key, content: "Likes the aisle seat.", version: 2 });
    const history = await engine.history(asha, key);
    expect(history.map(({ action, content, reason }) => [action, content, reason])).toEqual([
      ["update", "Likes the aisle seat.", "the user said so"],
      ["insert", "Likes the window seat.", undefined],
    ]);
    expect(events.at(-1)).toMatchObject({ type: "updated", key, reason: "the user said so" });
    expect((await engine.restore(asha, key, 1)).content).toBe("Likes the window seat.");
  });

  it("leaves what else a memory has, but for the day that its old words were about", async () => {
    const { engine, store } = kit();
    const value = {
      kind: "memory",
      content: "Flies on Monday.",
      eventDate: "2026-11-30",
      date: "30 November 2026",
    };
    await store.put(asha, "1", { ...value, categories: ["travel"], importance: 0.9 });
    const record = await engine.update(asha, "1", "Takes the train.");
    expect(record).toMatchObject({ categories: ["travel"], importance: 0.9, eventDate: undefined });
    expect((await store.get(asha, "1"))?.value).not.toHaveProperty("date");
  });

  it("is found again by what it says now, and not written a second time", async () => {
    const { engine, key } = await remembered();
    await engine.update(asha, key, "Likes the aisle seat.");
    expect(await engine.remember("likes the aisle seat", asha)).toEqual([]);
    expect(await engine.list(asha)).toHaveLength(1);
  });

  it("gives null where there is no such memory, and brings none back that is forgotten meanwhile", async () => {
    const { engine, key } = await remembered();
    expect(await engine.update(asha, "unknown", "Has a cat.")).toBeNull();
    expect(await engine.update(["memories", "bela"], key, "Has a cat.")).toBeNull();
    await engine.forget(asha, { key });
    expect(await engine.update(asha, key, "Has a cat.")).toBeNull();
  });

  it("of two at once loses neither, and leaves nothing of one that came too late", async () => {
    const { engine, key } = await remembered();
    const texts = ["one", "two", "three"].map((word) => `Likes seat ${word}.`);
    await Promise.all(texts.map((text) => engine.update(asha, key, text)));
    const said = (await engine.history(asha, key)).map(({ content }) => content);
    expect(said.sort()).toEqual([...texts, "Likes the window seat."].sort());

    const store = new InMemoryStore();
    const other = kit({ store }).engine;
    const [record] = await other.remember("Likes the window seat.", asha);
    const compareAndSet = store.compareAndSet.bind(store);
    store.compareAndSet = async (...args) => {
      store.compareAndSet = compareAndSet;
      await other.erase(asha);
      return compareAndSet(...args);
    };
    expect(await other.update(asha, record?.key ?? "", "Likes the aisle seat.")).toBeNull();
    expect(await other.history(asha, record?.key ?? "")).toEqual([]);
  });

  it("refuses content that is none, or does not fit the schema of the memory", async () => {
    const { engine, key } = await remembered();
    for (const content of ["", " ", null, undefined, { seat: "aisle" }, ["aisle"], 5]) {
      await expect(engine.update(asha, key, content)).rejects.toMatchObject({ code: "invalid_input" });
    }
    const typed = kit({ schema: { Profile: z.object({ age: z.number() }) } });
    await typed.store.put(asha, "1", { kind: "Profile", content: { age: 60 } });
    await expect(typed.engine.update(asha, "1", { age: "old" })).rejects.toThrow(/no Profile/);
    expect((await typed.engine.update(asha, "1", { age: 61 }))?.content).toEqual({ age: 61 });
  });
});
