import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryEngine } from "../../../src/memory/engine/index.ts";
import { insert, remove, said, update } from "./scripted-model.ts";
import {
  config,
  failingOnce,
  gate,
  keepsakeStores,
  managerOf,
  namespace,
  Profile,
  text,
  valuesIn,
} from "./store-harness.ts";

describe.each(keepsakeStores)("several writers of %s", (_, open) => {
  it("lose no update: fields that others changed while the model thought stay", async () => {
    const store = open();
    await store.put(namespace, "p", { kind: "Profile", content: { name: "Asha", age: 60, tags: ["tea"] } });
    const { manager } = managerOf(
      store,
      [
        async () => {
          const item = await store.get(namespace, "p");
          await store.put(namespace, "p", {
            ...item?.value,
            content: { name: "Asha B.", age: 60, tags: ["tea"] },
            seen: true,
          });
          await store.put(namespace, "n", text("Added meanwhile."));
          return update("m1", { age: 61 });
        },
      ],
      { schemas: { Profile } },
    );
    await manager.invoke({ messages: said("Asha is 61.") }, config);
    expect(await valuesIn(store)).toEqual(
      expect.arrayContaining([
        { kind: "Profile", content: { name: "Asha B.", age: 61, tags: ["tea"] }, seen: true },
        text("Added meanwhile."),
      ]),
    );
  });

  it("each keep their field where ten of them patch one profile at once", async () => {
    const store = open();
    const Counts = z.record(z.string(), z.number());
    await store.put(namespace, "default", { kind: "Counts", content: {} });
    const all = gate(10);
    const runs = Array.from({ length: 10 }, (_, index) =>
      managerOf(store, [() => all(update("m1", { [`f${index}`]: index }))], {
        schemas: { Counts },
        default: {},
      }),
    );
    await Promise.all(runs.map(({ manager }) => manager.invoke({ messages: said("…") }, config)));
    const item = await store.get(namespace, "default");
    expect(Object.keys(Object(item?.value.content))).toHaveLength(10);
  });

  it("insert the same once", async () => {
    const store = open();
    const both = gate(2);
    const run = () =>
      managerOf(store, [() => both(insert("Memory", "Likes tea."))]).manager.invoke(
        { messages: said("I like tea.") },
        config,
      );
    const puts = (await Promise.all([run(), run()])).flat();
    expect(puts).toHaveLength(1);
    expect(await valuesIn(store)).toEqual([text("Likes tea.")]);
  });

  it("do not delete what was changed meanwhile, nor bring back what was deleted", async () => {
    const store = open();
    await store.put(namespace, "a", text("Likes tea."));
    const changing = managerOf(
      store,
      [
        async () => {
          await store.put(namespace, "a", text("Likes tea a lot."));
          return remove("m1");
        },
      ],
      { enableDeletes: true },
    );
    expect((await changing.manager.run({ messages: said("tea") }, config)).deletes).toEqual([]);
    expect(changing.events.at(-1)).toMatchObject({
      type: "skipped",
      key: "a",
      reason: "it was changed meanwhile",
    });
    const deleting = managerOf(store, [
      async () => {
        await store.delete(namespace, "a");
        return update("m1", { content: "Likes green tea." });
      },
    ]);
    expect(await deleting.manager.invoke({ messages: said("tea") }, config)).toEqual([]);
    expect(await valuesIn(store)).toEqual([]);
  });

  it("write nothing of a namespace that was erased while the model thought", async () => {
    const store = open();
    const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
    await store.put(namespace, "a", text("Likes tea."));
    const { manager, events } = managerOf(store, [
      async () => {
        await engine.erase(namespace);
        return insert("Memory", "Likes coffee.");
      },
    ]);
    expect(await manager.invoke({ messages: said("coffee") }, config)).toEqual([]);
    expect(await valuesIn(store)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "skipped", reason: "it was forgotten meanwhile" });
  });

  it("keep the version before each change, where the engine finds and restores it", async () => {
    const store = open();
    const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
    const replies = [insert("Memory", "Likes tea."), update("m1", { content: "Likes coffee." })];
    const { manager } = managerOf(store, replies);
    const [{ key = "" } = {}] = await manager.invoke({ messages: said("I like tea.") }, config);
    await manager.invoke({ messages: said("Coffee, not tea.") }, config);
    const versions = await engine.history(namespace, key);
    expect(versions.map(({ action, content }) => [action, content])).toEqual([
      ["update", { content: "Likes coffee." }],
      ["insert", { content: "Likes tea." }],
    ]);
    await engine.restore(namespace, key, 1);
    expect(await valuesIn(store)).toMatchObject([text("Likes tea.")]);
  });

  it("keep the last version of what is deleted", async () => {
    const store = open();
    const { manager } = managerOf(
      store,
      [insert("Memory", "Likes tea."), update("m1", { content: "Likes coffee." }), remove("m1")],
      {
        enableDeletes: true,
      },
    );
    for (const words of ["I like tea.", "Rather coffee than tea.", "Forget coffee."])
      await manager.invoke({ messages: said(words) }, config);
    const notes = await store.search(["__keepsake", "history", ...namespace]);
    const kept = notes.map(({ value }) => [value.action, Object(value.before).value.content.content]);
    expect(kept.sort()).toEqual([
      ["forget", "Likes coffee."],
      ["update", "Likes tea."],
    ]);
  });

  it("carry a delivery out once: what comes again asks no model and writes nothing twice", async () => {
    const store = open();
    const delivery = { ...config, deliveryId: "d1" };
    const messages = said("I'm Asha, 61.");
    const reply = {
      actions: [
        { action: "insert", kind: "Memory", content: { content: "Is Asha." } },
        { action: "insert", kind: "Memory", content: { content: "Is 61." } },
      ],
    };
    const { manager, model } = managerOf(failingOnce(store, "Is 61."), [reply]);
    await expect(manager.invoke({ messages }, delivery)).rejects.toThrow("the database is away");
    expect(await store.count(namespace)).toBe(1);
    expect(await manager.invoke({ messages }, delivery)).toHaveLength(1);
    expect(await manager.invoke({ messages }, delivery)).toEqual([]);
    expect(await valuesIn(store)).toHaveLength(2);
    expect(model.requests).toHaveLength(1);
  });

  it("begin one profile where two do so at once, with what both found", async () => {
    const store = open();
    const both = gate(2);
    const run = (patch: unknown) =>
      managerOf(store, [() => both(update("m1", patch))], {
        schemas: { Profile },
        default: {},
      }).manager.invoke({ messages: said("…") }, config);
    await Promise.all([run({ name: "Asha" }), run({ age: 61 })]);
    expect(await valuesIn(store)).toEqual([
      { kind: "Profile", content: { name: "Asha", age: 61, tags: [] } },
    ]);
  });
});
