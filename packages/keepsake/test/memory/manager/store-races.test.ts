import { describe, expect, it } from "vitest";
import { z } from "zod";
import { factKey } from "../../../src/memory/engine/identity.ts";
import { MemoryEngine } from "../../../src/memory/engine/index.ts";
import type { Store } from "../../../src/store/index.ts";
import { insert, remove, said, update } from "./scripted-model.ts";
import { config, keepsakeStores, managerOf, namespace, text, valuesIn } from "./store-harness.ts";

const key = "a";

describe.each(keepsakeStores)("between two steps of a writer of %s", (_, open) => {
  it("a deletion that comes too late takes the change of another writer with it in no case", async () => {
    const store = open();
    await store.put(namespace, key, text("Likes tea."));
    const deciding = signalled();
    const writing = signalled();
    const deleting = signalled();
    const changer = managerOf(
      interposed(store, "compareAndSet", async (call) => {
        const version = await call();
        writing.tell();
        await deleting.told; // The change is written, and not yet looked at again.
        return version;
      }),
      [async () => deciding.told.then(() => update("m1", { content: "Likes tea a lot." }))],
    );
    const change = changer.manager.run({ messages: said("tea, a lot") }, config);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const deleter = managerOf(
      interposed(store, "get", async (call) => {
        const item = await call();
        deciding.tell();
        await writing.told; // What is deleted was read, and is not deleted yet.
        return item;
      }),
      [remove("m1")],
      { enableDeletes: true },
    );
    const deletion = await deleter.manager.run({ messages: said("no tea") }, config);
    deleting.tell();
    expect(deletion.deletes).toEqual([]);
    expect((await change).puts).toHaveLength(1);
    expect(await valuesIn(store)).toEqual([text("Likes tea a lot.")]);
  });

  it("a deletion leaves what another writer puts in the place of what it has deleted", async () => {
    const store = open();
    await store.put(namespace, key, text("Likes tea."));
    const { manager } = managerOf(
      interposed(store, "compareAndSet", async (call) => {
        const version = await call();
        await new Promise((resolve) => setTimeout(resolve, 5)); // What was deleted has gone.
        expect(await store.compareAndSet(namespace, key, null, text("Likes coffee."))).not.toBeNull();
        return version;
      }),
      [remove("m1")],
      { enableDeletes: true },
    );
    expect((await manager.run({ messages: said("no tea") }, config)).deletes).toHaveLength(1);
    expect(await valuesIn(store)).toEqual([text("Likes coffee.")]);
  });

  it.each([
    ["an update", update("m1", { content: "Likes coffee." })],
    ["a deletion", remove("m1")],
  ])("a purge leaves no text behind in a note of %s", async (_name, reply) => {
    const store = open();
    const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
    await store.put(namespace, key, text("Likes tea."));
    const { manager } = managerOf(
      interposed(store, "batch", async (call) => {
        await engine.forget(namespace, { key, purge: true }); // The note is about to be written.
        return call();
      }),
      [reply],
      { enableDeletes: true },
    );
    await manager.run({ messages: said("tea") }, config);
    expect(await valuesIn(store)).toEqual([]);
    expect(await store.search(["__keepsake", "history", ...namespace])).toEqual([]);
  });

  it.each([
    ["an update", key, update("m1", { content: "Likes green tea." })],
    ["an insertion", factKey(text("Likes green tea.")), insert("Memory", "Likes green tea.")],
  ])(
    "%s that a forgetting has overtaken leaves what another writer puts in its place",
    async (_name, at, reply) => {
      const store = open();
      const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
      await store.put(namespace, key, text("Likes tea."));
      const busy = interposed(
        store,
        "compareAndSet",
        async (call) => {
          const version = await call();
          await engine.forget(namespace, { key: at }); // The change is written, and not yet looked at again.
          await store.put(namespace, at, text("Likes coffee."));
          return version;
        },
        { at },
      );
      const { manager } = managerOf(busy, [reply]);
      expect(await manager.invoke({ messages: said("tea") }, config)).toEqual([]);
      expect(await valuesIn(store)).toContainEqual(text("Likes coffee."));
      expect(await valuesIn(store)).not.toContainEqual(text("Likes green tea."));
    },
  );

  it("what became impossible meanwhile is a problem of the run", async () => {
    const store = open();
    const Trip = z.object({ from: z.string(), to: z.string() }).refine(({ from, to }) => from !== to);
    await store.put(namespace, key, { kind: "Trip", content: { from: "Rome", to: "Oslo" } });
    const { manager } = managerOf(
      store,
      [
        async () => {
          await store.put(namespace, key, { kind: "Trip", content: { from: "Rome", to: "Bern" } });
          return update("m1", { from: "Bern" });
        },
      ],
      { schemas: { Trip } },
    );
    const { puts, problems } = await manager.run({ messages: said("Rome, Oslo") }, config);
    expect(puts).toEqual([]);
    expect(problems).toMatchObject([{ action: { action: "update", key }, problem: expect.any(String) }]);
  });

  it("writers that are faster again and again leave a delivery for another attempt", async () => {
    const store = open();
    await store.put(namespace, key, text("Likes tea."));
    let others = 0;
    const busy = interposed(
      store,
      "compareAndSet",
      async (call) => {
        others += 1;
        if (others <= 20) await store.put(namespace, key, { ...text("Likes tea."), others });
        return call();
      },
      { times: Number.POSITIVE_INFINITY },
    );
    const { manager, model } = managerOf(busy, [update("m1", { content: "Likes coffee." })]);
    const delivery = { ...config, deliveryId: "d1" };
    await expect(manager.run({ messages: said("tea") }, delivery)).rejects.toThrow(/faster/);
    expect((await manager.run({ messages: said("tea") }, delivery)).puts).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });
});

describe("what a schema does not know", () => {
  it("stays also within the fields of a record", async () => {
    for (const [, open] of keepsakeStores) {
      const store = open();
      const content = {
        name: "Asha",
        address: { city: "Pune", zip: "411001" },
        pets: [{ name: "Rex", age: 3 }],
      };
      await store.put(namespace, key, { kind: "Person", content });
      const Person = z.object({
        name: z.string(),
        address: z.object({ city: z.string(), street: z.string().optional() }),
        pets: z.array(z.object({ name: z.string() })),
      });
      const { manager } = managerOf(store, [update("m1", { address: { street: "MG Road" } })], {
        schemas: { Person },
      });
      await manager.run({ messages: said("Asha lives in MG Road, Pune.") }, config);
      expect(await valuesIn(store)).toEqual([
        { kind: "Person", content: { ...content, address: { ...content.address, street: "MG Road" } } },
      ]);
    }
  });
});

describe("a memory that many others of no concern are like", () => {
  it("is found behind them", async () => {
    for (const [, open] of keepsakeStores) {
      const store = open();
      await store.put(
        namespace,
        key,
        text("Once, a long while ago, she said that tea was what she had most."),
      );
      for (let index = 0; index < 120; index += 1) {
        const hidden = index % 2 === 0 ? { kind: "turn" } : { private: true };
        await store.put(namespace, `t${index}`, { content: `Green tea, please. ${index}`, ...hidden });
      }
      const { manager, model } = managerOf(store, [{ actions: [] }]);
      await manager.run({ messages: said("Green tea, please.") }, config);
      expect(model.requests[0]?.prompt).toContain("a long while ago");
    }
  });
});

describe("a conversation longer than a model takes", () => {
  it("is shown in parts, and every message in one of them", async () => {
    for (const [, open] of keepsakeStores) {
      const store = open();
      const messages = Array.from({ length: 60 }, (_, index) => ({
        role: "user",
        content: `note${index}! ${"word ".repeat(1_000)}`,
      }));
      const seen: string[] = [];
      const reply = ({ prompt }: { readonly prompt: string }) => {
        seen.push(prompt);
        return insert("Memory", `Part ${seen.length}.`);
      };
      const { manager } = managerOf(store, Array(60).fill(reply));
      await manager.run({ messages }, config);
      expect(Math.max(...seen.map(({ length }) => length))).toBeLessThan(120_000);
      for (const index of messages.keys())
        expect(seen.some((prompt) => prompt.includes(`note${index}!`))).toBe(true);
      expect(await valuesIn(store)).toHaveLength(seen.length);
    }
  });
});

/** A store in which something is done around the first calls of a function: for one key, or of `batch`: for its notes of changes. */
function interposed(
  store: Store,
  name: "get" | "compareAndSet" | "batch",
  around: (call: () => Promise<unknown>) => Promise<unknown>,
  { times = 1, at = key } = {},
): Store {
  let left = times;
  return new Proxy(store, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(value, target, args);
        const isMeant = name === "batch" ? Object(args[0])[0]?.namespace?.[1] === "history" : args[1] === at;
        const isNote = name !== "batch" || Object.hasOwn(Object(args[0])[0] ?? {}, "value");
        if (member !== name || !isMeant || !isNote || left === 0) return call();
        left -= 1;
        return around(call);
      };
    },
  });
}

function signalled(): { readonly told: Promise<void>; tell(): void } {
  let tell = (): void => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { told, tell: () => tell() };
}
