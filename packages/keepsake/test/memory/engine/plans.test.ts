import { describe, expect, it } from "vitest";
import type { HookContext } from "../../../src/delivery/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { asha, gate, kit } from "./engine-kit.ts";

const plans = ["__keepsake", "plans", ...asha];
const deliveryId = "d1";

/** Fails at one write, once. */
class FailingStore extends InMemoryStore {
  failAt: number = Number.POSITIVE_INFINITY;
  writes = 0;

  override async compareAndSet(...call: Parameters<InMemoryStore["compareAndSet"]>): Promise<number | null> {
    this.writes += 1;
    if (this.writes === this.failAt) throw new Error("disk full");
    return super.compareAndSet(...call);
  }
}

const texts = Array.from({ length: 40 }, (_, index) => `Fact number ${index}`);

describe("a delivery", () => {
  it("that is repeated makes no model call and writes nothing twice", async () => {
    const { engine, calls, contents, events } = kit();
    await engine.remember(texts, asha, { deliveryId });
    expect(calls()).toBe(1);
    expect(await engine.remember(texts, asha, { deliveryId })).toEqual([]);
    expect(calls()).toBe(1);
    expect(await contents()).toEqual([...texts].sort());
    expect(events.at(-1)).toMatchObject({ type: "replayed", deliveryId });
  });

  it("goes on where a write failed, without the model", async () => {
    for (let failAt = 1; failAt <= texts.length + 1; failAt += 8) {
      const store = new FailingStore();
      store.failAt = failAt;
      const { engine, calls, contents, events } = kit({ store });
      await expect(engine.remember(texts, asha, { deliveryId })).rejects.toThrow("disk full");
      await engine.remember(texts, asha, { deliveryId });
      expect(await contents()).toEqual([...texts].sort());
      expect(calls()).toBe(failAt === 1 ? 2 : 1);
      if (failAt > 1)
        expect(events).toContainEqual(expect.objectContaining({ type: "failed", phase: "write" }));
    }
  });

  it("is carried on by another engine with another model", async () => {
    const store = new FailingStore();
    store.failAt = 9;
    const first = kit({ store });
    await expect(first.engine.remember(texts, asha, { deliveryId })).rejects.toThrow();
    const second = kit({ store, extractor: () => ["something else"] });
    const written = await second.engine.remember(texts, asha, { deliveryId });
    expect(written.map(({ content }) => content).sort()).toEqual([...texts].sort());
    expect(second.events.map(({ type }) => type)).not.toContain("skipped");
    expect(second.calls()).toBe(0);
    expect(await second.contents()).toEqual([...texts].sort());
  });

  it("of two workers at once follows one plan", async () => {
    const store = new InMemoryStore();
    const { opened, open } = gate();
    const slow = kit({ store, extractor: () => opened.then(() => ["said the slow model"]) });
    const quick = kit({ store, extractor: () => ["said the quick model"] });
    const waiting = slow.engine.remember("x", asha, { deliveryId });
    await quick.engine.remember("x", asha, { deliveryId });
    open();
    await waiting;
    expect(await quick.contents()).toEqual(["said the quick model"]);
  });

  it("shrinks its plan when it is done, to a note that expires", async () => {
    let time = Date.UTC(2026, 0, 1);
    const store = new InMemoryStore({ now: () => time });
    const { engine } = kit({ store, now: () => time });
    await engine.remember(texts, asha, { deliveryId });
    expect((await store.search(plans)).map(({ value }) => value)).toEqual([{ done: true }]);
    expect(await store.search(plans, { query: "Fact number" })).toEqual([]);
    time += 31 * 24 * 60 * 60 * 1000;
    expect(await store.count(plans)).toBe(0);
  });

  it("of another id is another", async () => {
    const { engine, contents } = kit();
    await engine.remember("one", asha, { deliveryId: "a" });
    await engine.remember("two", asha, { deliveryId: "b" });
    await engine.remember("two", ["memories", "ben"], { deliveryId: "b" });
    expect(await contents()).toEqual(["one", "two"]);
    expect(await contents(["memories", "ben"])).toEqual(["two"]);
  });

  it("does not bring back what was changed since", async () => {
    const store = new FailingStore();
    store.failAt = 6;
    const first = kit({ store });
    await expect(first.engine.remember(texts.slice(0, 8), asha, { deliveryId })).rejects.toThrow();
    const changing = kit({
      store,
      extractor: () => ["Fact number 0 was wrong"],
      config: { consolidationThreshold: 0.01 },
      consolidator: ([proposal]) => {
        const target = proposal?.nearest.find(({ content }) => content === "Fact number 0")?.key;
        return [{ fact: 0, action: "update", target }];
      },
    });
    await changing.engine.remember("x", asha);
    await first.engine.remember(texts.slice(0, 8), asha, { deliveryId });
    expect(await first.contents()).toEqual([...texts.slice(1, 8), "Fact number 0 was wrong"].sort());
  });
});

describe("onPrune", () => {
  const context = (signal: AbortSignal): HookContext => ({ deliveryId, attempt: 1, threadId: "t1", signal });

  it("is a hook that keeps thread and delivery", async () => {
    const { engine, calls, store } = kit();
    const { onPrune } = engine;
    const { signal } = new AbortController();
    await onPrune([{ role: "user", content: "likes tea", id: "m1" }], asha, context(signal));
    await onPrune([{ role: "user", content: "likes tea", id: "m1" }], asha, context(signal));
    expect(await engine.list(asha)).toMatchObject([{ threadId: "t1", messageIds: ["m1"] }]);
    expect(calls()).toBe(1);
    expect(await store.count(plans)).toBe(1);
  });

  it("ends when the reducer gives up on it", async () => {
    const { engine, calls } = kit();
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(engine.onPrune(["x"], asha, context(signal))).rejects.toThrow("too late");
    expect(calls()).toBe(0);
  });
});
