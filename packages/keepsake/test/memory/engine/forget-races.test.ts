import { describe, expect, it } from "vitest";
import { markForgotten } from "../../../src/memory/engine/marks.ts";
import { InMemoryStore, type Item } from "../../../src/store/index.ts";
import { asha, kit } from "./engine-kit.ts";

type Moment = "search" | "get" | "batch" | "compareAndSet";

/** A store in which somebody comes between: once, behind the first call of a kind that a condition holds for. */
class Interrupted extends InMemoryStore {
  #interruption:
    | { moment: Moment; on: (subject: string) => boolean; act: () => Promise<unknown> }
    | undefined;

  interrupt(moment: Moment, on: (subject: string) => boolean, act: () => Promise<unknown>): void {
    this.#interruption = { moment, on, act };
  }

  async #pass(moment: Moment, subject: unknown): Promise<void> {
    const due = this.#interruption;
    if (due?.moment !== moment || !due.on(JSON.stringify(subject))) return;
    this.#interruption = undefined;
    await due.act();
  }

  override async search(...call: Parameters<InMemoryStore["search"]>): ReturnType<InMemoryStore["search"]> {
    const found = await super.search(...call);
    await this.#pass("search", call);
    return found;
  }

  override async get(...call: Parameters<InMemoryStore["get"]>): Promise<Item | null> {
    const item = await super.get(...call);
    await this.#pass("get", call);
    return item;
  }

  override async batch(operations: readonly unknown[]): Promise<never> {
    const results = await super.batch(operations);
    await this.#pass("batch", operations);
    return results as never;
  }

  override async compareAndSet(...call: Parameters<InMemoryStore["compareAndSet"]>): Promise<number | null> {
    const version = await super.compareAndSet(...call);
    await this.#pass("compareAndSet", call);
    return version;
  }
}

const inMemories = (subject: string): boolean => /^\[\["memories","asha"/.test(subject);

describe("what another writer makes of a memory while it is being forgotten", () => {
  it("stays where it is not meant any more", async () => {
    const store = new Interrupted();
    const { engine, contents } = kit({ store });
    const [record] = await engine.remember("went to Goa", asha, { categories: ["trip"] });
    const key = record?.key ?? "";
    store.interrupt("search", inMemories, () =>
      store.put(asha, key, { content: "works in Goa", categories: ["work"] }),
    );
    expect(await engine.forget(asha, { categories: ["trip"] })).toBe(0);
    expect(await contents()).toEqual(["works in Goa"]);
    const actions = (await engine.history(asha, key)).map(({ action }) => action);
    expect(actions).not.toContain("forget");
  });

  it("goes as well where it is, and is kept in the history", async () => {
    const store = new Interrupted();
    const { engine, contents } = kit({ store });
    const [record] = await engine.remember("went to Goa", asha, { categories: ["trip"] });
    const key = record?.key ?? "";
    store.interrupt("search", inMemories, () => engine.update(asha, key, "flew to Goa"));
    expect(await engine.forget(asha, { categories: ["trip"] })).toBe(1);
    expect(await contents()).toEqual([]);
    expect((await engine.history(asha, key)).map(({ content }) => content)).toEqual([
      undefined,
      "flew to Goa",
      "went to Goa",
    ]);
    expect(await store.search(["__keepsake", "history"])).toHaveLength(2);
  });

  it("leaves no trace where the history is purged", async () => {
    const store = new Interrupted();
    const { engine } = kit({ store });
    const [record] = await engine.remember("went to Goa", asha, { categories: ["trip"] });
    const inHistory = (subject: string): boolean => subject.startsWith('[["__keepsake","history"');
    store.interrupt("search", inHistory, () => engine.update(asha, record?.key ?? "", "flew to Goa"));
    expect(await engine.forget(asha, { categories: ["trip"], purge: true })).toBe(1);
    const rest = [...(await store.search([])), ...(await store.search(["__keepsake"], { limit: 100 }))];
    expect(JSON.stringify(rest)).not.toContain("Goa");
  });
});

it("a change by hand that a purge overtakes leaves nothing behind", async () => {
  const store = new Interrupted();
  const { engine } = kit({ store });
  const [record] = await engine.remember("went to Goa", asha);
  const key = record?.key ?? "";
  store.interrupt("get", inMemories, () => engine.forget(asha, { key, purge: true }));
  expect(await engine.update(asha, key, "flew to Goa")).toBeNull();
  const rest = [...(await store.search([])), ...(await store.search(["__keepsake"], { limit: 100 }))];
  expect(JSON.stringify(rest)).not.toContain("Goa");
});

describe("a save that was overtaken", () => {
  it("by a purge leaves no note of what was purged", async () => {
    const store = new Interrupted();
    const { engine, contents } = kit({
      store,
      config: { consolidationThreshold: 0.001 },
      consolidator: ([proposal]) => [{ fact: 0, action: "update", target: proposal?.nearest[0]?.key }],
    });
    const [first] = await engine.remember("lives in Lisbon", asha);
    store.interrupt("get", inMemories, () => engine.forget(asha, { key: first?.key, purge: true }));
    await engine.remember("lives in Porto", asha);
    expect(await contents()).toEqual(["lives in Porto"]);
    expect(JSON.stringify(await store.search(["__keepsake"], { limit: 100 }))).not.toContain("Lisbon");
  });

  it("by a forgetting removes what it wrote, not what stands in its place", async () => {
    const store = new Interrupted();
    const { engine, contents } = kit({ store });
    store.interrupt("compareAndSet", inMemories, async () => {
      const [written] = await engine.list(asha);
      const key = written?.key ?? "";
      store.interrupt(
        "batch",
        (subject) => subject.includes('"memories"') && subject.includes(key),
        () => store.put(asha, key, { content: "likes tea, she says again" }),
      );
      await markForgotten(store, asha, { key }, Date.now());
    });
    expect(await engine.remember("likes tea", asha)).toEqual([]);
    expect(await contents()).toEqual(["likes tea, she says again"]);
  });

  it("by an erasure leaves the plan that another attempt has made since", async () => {
    const store = new Interrupted();
    const { engine } = kit({ store });
    const failing = kit({ store });
    store.interrupt("compareAndSet", inMemories, async () => {
      await engine.erase(asha);
      store.interrupt("compareAndSet", inMemories, () => Promise.reject(new Error("lost connection")));
      await expect(failing.engine.remember("likes tea", asha, { deliveryId: "d" })).rejects.toThrow("lost");
    });
    expect(await engine.remember("likes tea", asha, { deliveryId: "d" })).toEqual([]);
    expect(await store.search(["__keepsake", "plans"])).toMatchObject([{ value: { steps: [{}] } }]);
  });

  it("by an erasure leaves the history of what was remembered since", async () => {
    const store = new Interrupted();
    const { engine, contents } = kit({
      store,
      config: { consolidationThreshold: 0.001 },
      consolidator: ([proposal]) => [{ fact: 0, action: "update", target: proposal?.nearest[0]?.key }],
    });
    const later = kit({ store });
    const [first] = await engine.remember("lives in Lisbon", asha);
    const key = first?.key ?? "";
    store.interrupt("compareAndSet", inMemories, async () => {
      await engine.erase(asha);
      await later.engine.remember("lives in Lisbon", asha);
      await later.engine.update(asha, key, "lives in Faro");
    });
    expect(await engine.remember("lives in Porto", asha)).toEqual([]);
    expect(await contents()).toEqual(["lives in Faro"]);
    expect((await engine.history(asha, key)).map(({ content }) => content)).toEqual([
      "lives in Faro",
      "lives in Lisbon",
    ]);
  });
});
