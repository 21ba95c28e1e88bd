import { describe, expect, it } from "vitest";
import { rememberVerbatim } from "../../../src/memory/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { asha, gate, kit } from "./engine-kit.ts";

const ben = ["memories", "ben"];

describe("forget", () => {
  it.each([[{}], [{ purge: true }], [{ reason: "x" }]])("refuses %j: no criterion", async (options) => {
    const { engine, contents } = kit();
    await engine.remember("likes tea", asha);
    await expect(engine.forget(asha, options)).rejects.toMatchObject({ code: "invalid_input" });
    expect(await contents()).toEqual(["likes tea"]);
  });

  it.each([[{ key: "" }], [{ categories: [] }], [{ olderThan: new Date("never") }], [{ keys: ["a"] }]])(
    "refuses %j",
    async (options) => {
      await expect(kit().engine.forget(asha, options as never)).rejects.toMatchObject({
        code: "invalid_config",
      });
    },
  );

  it("removes a memory from the store and from what is found", async () => {
    const { engine, events } = kit();
    const [record] = await engine.remember("the token is zx81", asha);
    expect(await engine.recall("zx81", asha)).toHaveLength(1);
    expect(await engine.forget(asha, { key: record?.key })).toBe(1);
    expect(await engine.recall("zx81", asha)).toEqual([]);
    expect(await engine.forget(asha, { key: record?.key })).toBe(0);
    expect(events.filter(({ type }) => type === "forgotten")).toMatchObject([{ count: 1 }, { count: 0 }]);
  });

  it("removes all of a category, of one namespace, beyond any page", async () => {
    const { engine, contents } = kit({ config: { consolidationThreshold: 1 } });
    const texts = Array.from({ length: 620 }, (_, index) => `fact ${index}`);
    await engine.remember(texts, asha, { categories: ["trip"] });
    await engine.remember(["stays 1", "stays 2", "stays 3"], asha, { categories: ["work"] });
    await engine.remember("fact 1", ben, { categories: ["trip"] });
    await engine.remember("fact 1", [...asha, "nested"], { categories: ["trip"] });
    expect(await engine.forget(asha, { categories: ["trip", "nothing"] })).toBe(620);
    expect(await contents()).toEqual(["stays 1", "stays 2", "stays 3"]);
    expect(await contents(ben)).toEqual(["fact 1"]);
    expect(await contents([...asha, "nested"])).toEqual(["fact 1"]);
  });

  it("removes what is older than a date", async () => {
    let time = Date.UTC(2026, 0, 1);
    const now = (): number => time;
    const { engine, contents } = kit({ store: new InMemoryStore({ now }), now });
    await engine.remember("old", asha);
    time = Date.UTC(2026, 1, 1);
    await engine.remember("new", asha);
    expect(await engine.forget(asha, { olderThan: new Date(Date.UTC(2026, 1, 1)) })).toBe(1);
    expect(await contents()).toEqual(["new"]);
  });

  it("takes all criteria together", async () => {
    const { engine, contents } = kit();
    const [record] = await engine.remember("likes tea", asha, { categories: ["taste"] });
    expect(await engine.forget(asha, { key: record?.key, categories: ["work"] })).toBe(0);
    expect(await contents()).toEqual(["likes tea"]);
  });

  it("keeps the history, unless it is purged", async () => {
    const { engine, store } = kit();
    const [record] = await engine.remember("likes tea", asha);
    const key = record?.key ?? "";
    await engine.forget(asha, { key });
    expect(await engine.history(asha, key)).toHaveLength(2);
    await engine.restore(asha, key, 1);
    await engine.forget(asha, { key, purge: true });
    expect(await engine.history(asha, key)).toEqual([]);
    const rest = await store.search(["__keepsake"], { limit: 100 });
    expect(JSON.stringify(rest)).not.toContain("tea");
  });

  it("purges the history of what was forgotten before", async () => {
    const { engine } = kit();
    const [record] = await engine.remember("likes tea", asha);
    const key = record?.key ?? "";
    await engine.forget(asha, { key });
    await engine.forget(asha, { key, purge: true });
    expect(await engine.history(asha, key)).toEqual([]);
  });

  it("lets the same be remembered again later, at the very same time by the clock", async () => {
    const now = (): number => Date.UTC(2026, 0, 1);
    const { engine, contents } = kit({ store: new InMemoryStore({ now }), now });
    const [record] = await engine.remember("likes tea", asha);
    await engine.forget(asha, { key: record?.key });
    await engine.remember("likes tea", asha);
    expect(await contents()).toEqual(["likes tea"]);
  });
});

describe("a save that began before something was forgotten does not bring it back", () => {
  it("with a slow extractor", async () => {
    const store = new InMemoryStore();
    const { opened, open } = gate();
    const slow = kit({ store, extractor: () => opened.then(() => ["likes tea", "likes jazz"]) });
    const quick = kit({ store });
    const [record] = await quick.engine.remember("likes tea", asha);
    const saving = slow.engine.remember("x", asha);
    await quick.engine.forget(asha, { key: record?.key });
    open();
    await saving;
    expect(await quick.contents()).toEqual(["likes jazz"]);
    expect(slow.events).toContainEqual(expect.objectContaining({ type: "skipped", reason: "forgotten" }));
  });

  it("with a slow consolidator that updates it", async () => {
    const store = new InMemoryStore();
    const { opened, open } = gate();
    const asked = gate();
    const slow = kit({
      store,
      config: { consolidationThreshold: 0.01 },
      consolidator: async (proposals) => {
        asked.open();
        await opened;
        return [{ fact: 0, action: "update", target: proposals[0]?.nearest[0]?.key }];
      },
    });
    const [record] = await slow.engine.remember("Asha has a rash", asha);
    const saving = slow.engine.remember("Asha has a rash on her arm", asha);
    await asked.opened;
    await slow.engine.forget(asha, { key: record?.key, purge: true });
    open();
    await saving;
    expect(await slow.contents()).toEqual([]);
    expect(await slow.engine.history(asha, record?.key ?? "")).toEqual([]);
  });

  it("by its category", async () => {
    const { opened, open } = gate();
    const facts = [{ content: "likes tea", categories: ["taste"] }, { content: "likes jazz" }];
    const { engine, contents } = kit({ extractor: () => opened.then(() => facts) });
    const saving = engine.remember("x", asha);
    await engine.forget(asha, { categories: ["taste"] });
    open();
    await saving;
    expect(await contents()).toEqual(["likes jazz"]);
  });

  it("behind the very write", async () => {
    class Interrupted extends InMemoryStore {
      interrupt: ((key: string) => Promise<unknown>) | undefined;
      override async compareAndSet(
        ...call: Parameters<InMemoryStore["compareAndSet"]>
      ): Promise<number | null> {
        const [namespace, key] = call;
        const { interrupt } = this;
        if (namespace[0] === "memories" && interrupt !== undefined) {
          this.interrupt = undefined;
          await interrupt(key);
        }
        return super.compareAndSet(...call);
      }
    }
    const store = new Interrupted();
    const { engine, contents } = kit({ store });
    store.interrupt = (key) => engine.forget(asha, { key });
    expect(await engine.remember("likes tea", asha)).toEqual([]);
    expect(await contents()).toEqual([]);
    store.interrupt = () => engine.erase(["memories"]);
    expect(await engine.remember("likes tea", asha, { deliveryId: "d" })).toEqual([]);
    expect(await contents()).toEqual([]);
    expect(await store.count(["__keepsake", "plans"])).toBe(0);
  });

  it("when it is delivered again", async () => {
    class Failing extends InMemoryStore {
      fails = true;
      override async compareAndSet(
        ...call: Parameters<InMemoryStore["compareAndSet"]>
      ): Promise<number | null> {
        const version = await super.compareAndSet(...call);
        if (call[0][0] === "memories" && this.fails) throw new Error("lost connection");
        return version;
      }
    }
    const store = new Failing();
    const { engine, contents } = kit({ store });
    await expect(engine.remember("likes tea", asha, { deliveryId: "d" })).rejects.toThrow();
    store.fails = false;
    const [record] = await engine.list(asha);
    await engine.forget(asha, { key: record?.key });
    await engine.remember("likes tea", asha, { deliveryId: "d" });
    expect(await contents()).toEqual([]);
  });
});

describe("erase", () => {
  const everything = async (store: InMemoryStore): Promise<string> =>
    JSON.stringify([
      await store.search([], { limit: 1000 }),
      await store.search(["__keepsake"], { limit: 1000 }),
    ]);

  it("removes a person everywhere, and nobody else", async () => {
    const store = new InMemoryStore();
    const { engine } = kit({
      store,
      config: { consolidationThreshold: 0.01 },
      consolidator: ([proposal]) => [{ fact: 0, action: "update", target: proposal?.nearest[0]?.key }],
    });
    for (const namespace of [asha, [...asha, "work"], ben, ["memories", "asha2"]]) {
      await engine.remember("lives in Lisbon", namespace, { deliveryId: "d1" });
      await engine.remember("lives in Porto", namespace, { deliveryId: "d2" });
      const [record] = await engine.list(namespace);
      await engine.forget(namespace, { key: record?.key });
      await engine.remember("has a boat in Faro", namespace, { deliveryId: "d3" });
      const { signal } = new AbortController();
      const context = { deliveryId: "d4", attempt: 1, threadId: "t", signal };
      await rememberVerbatim(store)([{ role: "user", content: "hello from Oslo" }], namespace, context);
    }
    const others = async (): Promise<unknown> => [
      await store.search(ben, { limit: 100 }),
      await store.search(["memories", "asha2"], { limit: 100 }),
      ...(await Promise.all(
        ["plans", "history", "tombstones", "contents", "turns"].map((space) =>
          store.search(["__keepsake", space, ...ben], { limit: 100 }),
        ),
      )),
    ];
    const before = await others();
    const erased: unknown[] = [];
    const outbox = { erase: (namespace: unknown): number => erased.push(namespace) };
    expect(await engine.erase(asha, { outboxes: [outbox] })).toBeGreaterThan(10);
    expect(erased).toEqual([asha]);
    expect(await others()).toEqual(before);
    const left = await store.search(["__keepsake"], { limit: 1000 });
    const own = left.filter(({ namespace }) => namespace.includes("asha"));
    expect(own.map(({ namespace, value }) => [namespace, Object.keys(value).sort()])).toEqual([
      [
        ["__keepsake", "tombstones", ...asha],
        ["epoch", "erased", "rules"],
      ],
    ]);
    expect(await engine.list(asha)).toEqual([]);
  });

  it("is not undone by a save that began before, also in a namespace below", async () => {
    for (const namespace of [asha, [...asha, "work"]]) {
      const store = new InMemoryStore();
      const { opened, open } = gate();
      const { engine } = kit({ store, extractor: () => opened.then(() => ["likes tea"]) });
      const saving = engine.remember("x", namespace, { deliveryId: "d" });
      await engine.erase(asha);
      open();
      expect(await saving).toEqual([]);
      expect(await everything(store)).not.toContain("tea");
    }
  });

  it("lets the person be remembered again", async () => {
    const now = (): number => Date.UTC(2026, 0, 1);
    const { engine, contents } = kit({ store: new InMemoryStore({ now }), now });
    await engine.remember("likes tea", asha);
    await engine.erase(asha);
    await engine.erase(asha);
    await engine.remember("likes tea", asha);
    expect(await contents()).toEqual(["likes tea"]);
  });

  it("refuses the empty namespace, and what is no outbox", async () => {
    const { engine } = kit();
    await expect(engine.erase([])).rejects.toMatchObject({ code: "invalid_namespace" });
    await expect(engine.erase(asha, { outboxes: [{}] as never })).rejects.toMatchObject({
      code: "invalid_config",
    });
  });
});
