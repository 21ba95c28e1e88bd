import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InMemoryStore, type Store } from "../../../src/store/index.ts";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";
import "../../seed.ts";
import type { Consolidator } from "../../../src/memory/types.ts";
import { temporaryFolder } from "../../stores/temporary-folder.ts";
import { asha, gate, type Kit, kit } from "./engine-kit.ts";

const folder = temporaryFolder();
let files = 0;

function sqlitePair(): [Store, Store] {
  files += 1;
  const path = join(folder, `${files}.db`);
  return [new SqliteStore(path), new SqliteStore(path)];
}

function memoryPair(): [Store, Store] {
  const store = new InMemoryStore();
  return [store, store];
}

describe.each([
  ["one store in memory", memoryPair],
  ["two connections to one file", sqlitePair],
] as const)("two engines on %s", (_, storesOf) => {
  it("that learn the same facts at once store each once", async () => {
    const [one, two] = storesOf().map((store) => kit({ store }));
    const texts = Array.from({ length: 60 }, (_, index) => `Fact ${index}`);
    const halves = [texts, texts.toReversed()];
    await Promise.all([one, two].map((engine, index) => engine?.engine.remember(halves[index] ?? [], asha)));
    expect(await one?.contents()).toEqual([...texts].sort());
  });

  it("twenty single facts at once from each: forty", async () => {
    const pair = storesOf().map((store) => kit({ store }));
    await Promise.all(
      pair.flatMap(({ engine }, who) =>
        Array.from({ length: 20 }, (_, index) => engine.remember(`Fact ${index} of ${who}`, asha)),
      ),
    );
    expect(await pair[0]?.contents()).toHaveLength(40);
  });

  it("that carry out one delivery at once keep the version before its change", async () => {
    const [first, second] = storesOf();
    const reached = gate();
    const { opened, open } = gate();
    const late = new Proxy(first, {
      get(target, name) {
        if (name === "compareAndSet")
          return async (...call: Parameters<Store["compareAndSet"]>) => {
            if (call[0].join() === asha.join()) {
              reached.open();
              await opened;
            }
            return target.compareAndSet(...call);
          };
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const consolidator: Consolidator = ([proposal]) => [
      { fact: 0, action: "update", target: proposal?.nearest[0]?.key },
    ];
    const options = { consolidator, config: { consolidationThreshold: 0.001 } };
    const fast = kit({ store: second, ...options });
    const [record] = await fast.engine.remember("Asha lives in Lisbon", asha);
    const delivered = { deliveryId: "d" };
    const slow = kit({ store: late, ...options }).engine.remember("Asha lives in Porto", asha, delivered);
    await reached.opened;
    await fast.engine.remember("Asha lives in Porto", asha, delivered);
    open();
    await slow;
    const history = await fast.engine.history(asha, record?.key ?? "");
    expect(history.map(({ content }) => content)).toEqual(["Asha lives in Porto", "Asha lives in Lisbon"]);
  });

  it("lose no change that was made while a consolidator was slow", async () => {
    const [first, second] = storesOf();
    const asked = gate();
    const { opened, open } = gate();
    const slow = kit({
      store: first,
      config: { consolidationThreshold: 0.001 },
      consolidator: async ([proposal]) => {
        asked.open();
        await opened;
        return [{ fact: 0, action: "update", target: proposal?.nearest[0]?.key }];
      },
    });
    const [record] = await slow.engine.remember("Asha lives in Lisbon", asha);
    const saving = slow.engine.remember("Asha lives in Porto", asha);
    await asked.opened;
    await second.put(asha, record?.key ?? "", { content: "Asha lives in Rome, she edited" });
    await kit({ store: second }).engine.remember("Asha owns a boat", asha);
    open();
    await saving;
    expect(await slow.contents()).toEqual([
      "Asha lives in Porto",
      "Asha lives in Rome, she edited",
      "Asha owns a boat",
    ]);
  });

  it("insert the fact where the memory to change was deleted meanwhile by something else", async () => {
    const [first, second] = storesOf();
    const asked = gate();
    const { opened, open } = gate();
    const { engine, contents } = kit({
      store: first,
      config: { consolidationThreshold: 0.001 },
      consolidator: async ([proposal]) => {
        asked.open();
        await opened;
        return [{ fact: 0, action: "update", target: proposal?.nearest[0]?.key }];
      },
    });
    const [record] = await engine.remember("Asha lives in Lisbon", asha);
    const saving = engine.remember("Asha lives in Porto", asha);
    await asked.opened;
    await second.delete(asha, record?.key ?? "");
    open();
    await saving;
    expect(await contents()).toEqual(["Asha lives in Porto"]);
  });

  it("merge the fields of a record that both change", async () => {
    const fields = Array.from({ length: 12 }, (_, index) => `field${index}`);
    const pair = storesOf().map((store) =>
      kit({
        store,
        extractor: ([said]) => [profile({ label: "profile", [said?.text ?? ""]: true, old: null })],
        consolidator: ([proposal]) => [{ fact: 0, action: "update", target: proposal?.nearest[0]?.key }],
      }),
    );
    await pair[0]?.store.put(asha, "profile", profile({ label: "profile", old: 1, kept: 2 }));
    await Promise.all(
      pair.flatMap(({ engine }, who) =>
        fields.filter((_, index) => index % 2 === who).map((field) => engine.remember(field, asha)),
      ),
    );
    const record = await pair[0]?.engine.get(asha, "profile");
    const expected = Object.fromEntries(fields.map((field) => [field, true]));
    expect(record?.content).toEqual({ label: "profile", kept: 2, ...expected });
    expect(await pair[0]?.engine.history(asha, "profile")).toHaveLength(13);
  });

  it("one changes a memory to what the other inserts: it is known once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [first, second] = storesOf();
      const changing = kit({
        store: first,
        config: { consolidationThreshold: 0.001 },
        consolidator: toPorto,
      });
      const inserting: Kit = kit({ store: second, config: { consolidationThreshold: 1 } });
      await changing.engine.remember("Asha lives in Lisbon", asha);
      const writes = [
        () => changing.engine.remember("Asha moved", asha),
        () => inserting.engine.remember("Asha lives in Porto", asha),
      ];
      await Promise.all((round % 2 === 0 ? writes : writes.toReversed()).map((write) => write()));
      // What is removed as a duplicate expires within a millisecond.
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(
        (await inserting.contents()).filter((content) => content === "Asha lives in Porto"),
      ).toHaveLength(1);
    }
  });
});

const toPorto: Consolidator = ([proposal]) => {
  const target = proposal?.nearest.find(({ content }) => content === "Asha lives in Lisbon")?.key;
  return [{ fact: 0, action: "update", target, content: "Asha lives in Porto" }];
};

function profile(content: Record<string, unknown>): Record<string, unknown> & { content: unknown } {
  return { kind: "Profile", subject: "Asha", attribute: "profile", content };
}

it("any interleaving of two engines keeps every fact, once", async () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", "d", "A", "b.", "e"), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), texts, texts, async (scheduler, left, right) => {
      const base = new InMemoryStore();
      const stores = [scheduled(base, scheduler), scheduled(base, scheduler)];
      const [one, two] = stores.map((store) => kit({ store }));
      const both = Promise.all([one?.engine.remember(left, asha), two?.engine.remember(right, asha)]);
      await scheduler.waitFor(both);
      const normal = [...left, ...right].map((text) => text.toLowerCase().replace(".", ""));
      const stored = (await kit({ store: base }).contents()).map((text) =>
        String(text).toLowerCase().replace(".", ""),
      );
      expect(stored.sort()).toEqual([...new Set(normal)].sort());
    }),
    { numRuns: 40 },
  );
});

/** A store whose calls are carried out when the scheduler lets them. */
function scheduled(base: InMemoryStore, scheduler: fc.Scheduler): Store {
  class Scheduled extends InMemoryStore {
    override async compareAndSet(
      ...call: Parameters<InMemoryStore["compareAndSet"]>
    ): Promise<number | null> {
      await scheduler.schedule(Promise.resolve());
      return base.compareAndSet(...call);
    }
    // biome-ignore lint/suspicious/noExplicitAny: as in the interface
    override async batch(operations: readonly unknown[]): Promise<any> {
      await scheduler.schedule(Promise.resolve());
      return base.batch(operations);
    }
    override async get(...call: Parameters<InMemoryStore["get"]>): ReturnType<InMemoryStore["get"]> {
      await scheduler.schedule(Promise.resolve());
      return base.get(...call);
    }
  }
  return new Scheduled();
}
