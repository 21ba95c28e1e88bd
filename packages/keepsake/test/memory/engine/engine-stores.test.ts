import { describe, expect, it } from "vitest";
import { durable, InMemoryOutbox, type Outbox } from "../../../src/delivery/index.ts";
import { MessageReducer } from "../../../src/reducer/index.ts";
import { PostgresStore } from "../../../src/stores/postgres/index.ts";
import { SqliteOutbox } from "../../../src/stores/sqlite/index.ts";
import { embedded } from "../../stores/postgres-pools.ts";
import { asha, kit } from "./engine-kit.ts";

const ben = ["memories", "ben"];
const { pool } = await embedded({ pgvector: false });

describe("an engine on Postgres over one connection", () => {
  it("remembers once, corrects, keeps versions, forgets and erases", async () => {
    const store = new PostgresStore({ pool, schema: "engine_once" });
    const { engine, contents } = kit({ store });
    const texts = Array.from({ length: 20 }, (_, index) => `Asha knows fact number ${index}`);
    const deliveries = ["d1", "d1", "d2"].map((deliveryId) => engine.remember(texts, asha, { deliveryId }));
    await Promise.all(deliveries);
    expect(await contents()).toEqual([...texts].sort());

    const [found] = await engine.recall("fact number 7", asha, { limit: 1 });
    const key = found?.record.key ?? "";
    await engine.update(asha, key, "Asha has learnt it");
    expect(await engine.history(asha, key)).toHaveLength(2);
    expect(await engine.forget(asha, { key, purge: true })).toBe(1);
    expect(await contents()).toHaveLength(texts.length - 1);

    await engine.remember("Ben likes tea", ben);
    await engine.erase(asha);
    expect(await contents()).toEqual([]);
    expect(await contents(ben)).toEqual(["Ben likes tea"]);
    await store.close();
  });
});

const outboxes: readonly [string, () => Outbox][] = [
  ["InMemoryOutbox", () => new InMemoryOutbox()],
  ["SqliteOutbox", () => new SqliteOutbox(":memory:")],
];

describe.each(outboxes)("erase with an %s", (_name, open) => {
  it("removes what waits there of the person, and of no one else", async () => {
    const outbox = open();
    const { engine, contents } = kit();
    const failing = durable(
      async () => {
        throw new Error("not yet");
      },
      { name: "remember", outbox, logger: { debug: () => undefined, warn: () => undefined } },
    );
    const reducer = new MessageReducer({ onPrune: [failing] });
    for (const namespace of [asha, [...asha, "work"], ben])
      await reducer.handOver({ messages: [{ role: "user", id: "a", content: "I like tea." }], namespace });
    await engine.remember("Asha likes tea", asha);

    expect((await outbox.stats()).claimed).toBe(3);
    expect(await engine.erase(asha, { outboxes: [outbox] })).toBeGreaterThan(2);
    expect((await outbox.stats()).claimed).toBe(1);
    const left = await outbox.deliveries?.();
    if (left !== undefined) expect(left.map(({ namespace }) => namespace)).toEqual([ben]);
    expect(await contents()).toEqual([]);
  });
});
