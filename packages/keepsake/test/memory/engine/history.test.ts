import { describe, expect, it } from "vitest";
import type { MemoryEngine } from "../../../src/memory/engine/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { asha, type Kit, kit } from "./engine-kit.ts";

/** A clock that moves on at each look: the lives of a memory are told apart by when they began. */
function tickingStore(): InMemoryStore {
  let now = Date.UTC(2026, 0, 1);
  return new InMemoryStore({
    now: () => {
      now += 1;
      return now;
    },
  });
}

/** An engine whose second and later facts change the first memory. */
function changing(): Kit {
  return kit({
    store: tickingStore(),
    config: { consolidationThreshold: 0.001 },
    consolidator: ([proposal]) => [
      { fact: 0, action: "update", target: proposal?.nearest[0]?.key, reason: "corrected" },
    ],
  });
}

async function live(engine: MemoryEngine, ...cities: string[]): Promise<string> {
  let key = "";
  for (const [index, city] of cities.entries()) {
    const message = { role: "user", content: `Asha lives in ${city}`, id: `m${index + 1}` };
    const [record] = await engine.remember([message], asha);
    key = record?.key ?? key;
  }
  return key;
}

describe("history", () => {
  it("tells what was when, why, and from which messages, the newest first", async () => {
    const { engine } = changing();
    const key = await live(engine, "Lisbon", "Porto", "Faro");
    expect(await engine.history(asha, key)).toMatchObject([
      {
        version: 3,
        action: "update",
        content: "Asha lives in Faro",
        reason: "corrected",
        messageIds: ["m3"],
      },
      { version: 2, action: "update", content: "Asha lives in Porto", messageIds: ["m2"] },
      {
        version: 1,
        action: "insert",
        content: "Asha lives in Lisbon",
        reason: undefined,
        messageIds: ["m1"],
      },
    ]);
    expect(await engine.get(asha, key)).toMatchObject({ version: 3, messageIds: ["m1", "m2", "m3"] });
  });

  it("is empty for what never was, and of one key and namespace alone", async () => {
    const { engine } = changing();
    const key = await live(engine, "Lisbon", "Porto");
    expect(await engine.history(asha, "nothing")).toEqual([]);
    expect(await engine.history(["memories"], key)).toEqual([]);
    expect(await engine.history([...asha, "work"], key)).toEqual([]);
  });

  it("knows versions that something else wrote", async () => {
    const { engine, store } = changing();
    const key = await live(engine, "Lisbon");
    await store.put(asha, key, { content: "Asha lives in Rome" });
    await live(engine, "Porto");
    expect(await engine.history(asha, key)).toMatchObject([
      { version: 3, action: "update", content: "Asha lives in Porto" },
      { version: 2, action: "write", content: "Asha lives in Rome" },
    ]);
  });

  it("tells lives apart that began in the same millisecond", async () => {
    const now = (): number => Date.UTC(2026, 0, 1);
    const { engine } = kit({ store: new InMemoryStore({ now }), now });
    const key = await live(engine, "Lisbon");
    await engine.update(asha, key, "Asha lives in Porto");
    await engine.forget(asha, { key, reason: "first" });
    await live(engine, "Lisbon");
    await engine.forget(asha, { key, reason: "second" });
    await live(engine, "Lisbon");
    await engine.update(asha, key, "Asha lives in Faro");
    const history = await engine.history(asha, key);
    expect(history.map(({ version }) => version)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(history.slice(0, 2).map(({ content }) => content)).toEqual([
      "Asha lives in Faro",
      "Asha lives in Lisbon",
    ]);
    const forgotten = history.filter(({ action }) => action === "forget").map(({ reason }) => reason);
    expect(forgotten.sort()).toEqual(["first", "second"]);
    const contents = history.map(({ content }) => content);
    expect(contents.indexOf("Asha lives in Porto")).toBeGreaterThan(2);
    for (const { version, content } of history.filter((entry) => entry.record !== undefined)) {
      await engine.restore(asha, key, version);
      expect(await engine.get(asha, key)).toMatchObject({ content });
    }
  });

  it("is not found by searches", async () => {
    const { engine, store } = changing();
    await live(engine, "Lisbon", "Porto");
    expect(await engine.recall("Lisbon", asha)).toEqual([]);
    expect(await store.search([], { query: "Lisbon" })).toEqual([]);
    expect(await store.search(["__keepsake"], { query: "Lisbon" })).toEqual([]);
  });
});

describe("restore", () => {
  it("makes an earlier version the current one, and keeps those after it", async () => {
    const { engine, contents, events } = changing();
    const key = await live(engine, "Lisbon", "Porto");
    expect(await engine.restore(asha, key, 1)).toMatchObject({ content: "Asha lives in Lisbon", version: 3 });
    expect(await contents()).toEqual(["Asha lives in Lisbon"]);
    expect((await engine.recall("Lisbon", asha)).length).toBe(1);
    expect(await engine.history(asha, key)).toMatchObject([
      { version: 3, action: "restore", content: "Asha lives in Lisbon" },
      { version: 2, action: "update", content: "Asha lives in Porto" },
      { version: 1, action: "insert" },
    ]);
    expect(events.at(-2)).toMatchObject({ type: "restored", key });
  });

  it("brings back what was forgotten, with the day it was made; versions count on", async () => {
    const { engine } = changing();
    const key = await live(engine, "Lisbon", "Porto");
    const before = await engine.get(asha, key);
    await engine.forget(asha, { key, reason: "asked to" });
    expect(await engine.get(asha, key)).toBeNull();
    expect(await engine.history(asha, key)).toMatchObject([
      { version: 3, action: "forget", reason: "asked to", content: undefined },
      { version: 2, content: "Asha lives in Porto" },
      { version: 1, content: "Asha lives in Lisbon" },
    ]);
    const restored = await engine.restore(asha, key, 2);
    expect(restored).toMatchObject({ content: "Asha lives in Porto", createdAt: before?.createdAt });
    const versions = (await engine.history(asha, key)).map(({ version, action }) => [version, action]);
    expect(versions).toEqual([
      [4, "restore"],
      [3, "forget"],
      [2, "update"],
      [1, "insert"],
    ]);
  });

  it.each([0, 3, 9, 1.5])("refuses version %s, and names those there are", async (version) => {
    const { engine } = changing();
    const key = await live(engine, "Lisbon");
    await engine.forget(asha, { key });
    await live(engine, "Lisbon");
    await engine.forget(asha, { key });
    await expect(engine.restore(asha, key, version === 3 ? 4 : version)).rejects.toMatchObject({
      code: "invalid_input",
      data: { known: [1, 3] },
    });
  });
});
