import { describe, expect, it, vi } from "vitest";
import { notTaken } from "../../src/delivery/index.ts";
import { KeepsakeError } from "../../src/errors/index.ts";
import { asha, bench, gate, message, messages, recorder, seen, settle } from "./harness.ts";

const down = new Error("store is down");
const failing = (): never => {
  throw down;
};

type Settle = (value?: unknown) => void;

/** An object with the `then` given: no literal, which linters take for a mistake. */
const then = "then";
const thenable = (value: unknown): object => Object.defineProperty({}, then, { value });

const settlesTwice = (first: "yes" | "no"): object =>
  thenable((yes: Settle, no: Settle) => {
    if (first === "no") no(down);
    yes();
    yes(notTaken);
  });

/** Fails so often, then takes. */
const failingTimes = (times: number) =>
  recorder((call) => {
    if (call <= times) throw down;
  });

describe("not taken", () => {
  it.each([
    ["throws", failing],
    ["rejects", () => Promise.reject(down)],
    ["returns notTaken", () => notTaken],
    ["resolves to notTaken", async () => notTaken],
    ["throws undefined", () => Promise.reject(undefined)],
    ["returns a thenable that throws", () => thenable(failing)],
    ["returns a thenable that rejects and then resolves", () => settlesTwice("no")],
    [
      "returns an object whose `then` cannot be read",
      () => Object.defineProperty({}, then, { get: failing }),
    ],
  ])("is what a hook that %s has left it", async (_, behave) => {
    const { hook, calls } = recorder((call) => (call === 1 ? behave() : undefined));
    const { deliverer } = bench([hook]);
    expect(await deliverer.deliver(messages(1, 2), asha)).toMatchObject({ taken: false });
    expect(await deliverer.deliver([], asha)).toMatchObject({ taken: true });
    expect(calls).toHaveLength(2);
    expect(calls[1]?.context).toMatchObject({ attempt: 2, deliveryId: calls[0]?.context.deliveryId });
  });

  it.each([
    ["nothing", undefined],
    ["false", false],
    ["an error as a value", down],
    ["an object with a `then` that is no function", thenable(1)],
    ["a thenable that resolves twice", settlesTwice("yes")],
  ])("is not what a hook that returns %s means", async (_, value) => {
    const { hook, calls } = recorder(() => value);
    const { deliverer } = bench([hook]);
    expect(await deliverer.deliver(messages(1, 2), asha)).toMatchObject({ taken: true });
    await deliverer.flush();
    expect(calls).toHaveLength(1);
  });

  it("does not keep the next hooks from running", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([failing, hook]);
    expect(await deliverer.deliver(messages(1, 2), asha)).toMatchObject({ taken: false });
    await deliverer.deliver(messages(1, 2), asha);
    expect(calls).toHaveLength(1);
  });

  it("is logged, but not for notTaken", async () => {
    const broken = bench([failing]);
    await broken.deliverer.deliver(messages(1, 2), asha);
    expect(broken.warnings).toHaveLength(1);
    expect(broken.warnings[0]?.[0]).toContain("onPrune[0]");
    expect(broken.warnings[0]?.[1]).toBe(down);
    const full = bench([() => notTaken]);
    await full.deliverer.deliver(messages(1, 2), asha);
    expect(full.warnings).toEqual([]);
    expect(full.events).toMatchObject([{ type: "failed", error: notTaken }]);
  });
});

describe("held deliveries", () => {
  it("are offered again unchanged, before what is new, which is a delivery of its own", async () => {
    const { hook, calls } = failingTimes(1);
    const { deliverer } = bench([hook]);
    await deliverer.deliver(messages(1, 2), asha);
    expect(await deliverer.deliver(messages(1, 3), asha)).toMatchObject({ taken: true });
    expect(seen(calls)).toEqual([["m1", "m2"], ["m1", "m2"], ["m3"]]);
    expect(calls.map(({ context }) => context.attempt)).toEqual([1, 2, 1]);
    expect(calls[1]?.context.deliveryId).toBe(calls[0]?.context.deliveryId);
    expect(calls[2]?.context.deliveryId).not.toBe(calls[0]?.context.deliveryId);
  });

  it("are the hook's that failed: the others get what is new alone", async () => {
    const broken = failingTimes(1);
    const { hook, calls } = recorder();
    const { deliverer } = bench([broken.hook, hook]);
    await deliverer.deliver(messages(1, 2), asha);
    await deliverer.deliver(messages(1, 3), asha);
    expect(seen(broken.calls)).toEqual([["m1", "m2"], ["m1", "m2"], ["m3"]]);
    expect(seen(calls)).toEqual([["m1", "m2"], ["m3"]]);
  });

  it("do not keep what is new back when they fail again", async () => {
    const { hook, calls } = recorder((call) => (call <= 2 ? failing() : undefined));
    const { deliverer } = bench([hook]);
    await deliverer.deliver(messages(1, 1), asha);
    expect(await deliverer.deliver(messages(2, 2), asha)).toMatchObject({ taken: true });
    expect(seen(calls)).toEqual([["m1"], ["m1"], ["m2"]]);
  });

  it("keep their order over several failures", async () => {
    const { hook, calls } = failingTimes(5);
    const { deliverer } = bench([hook]);
    for (const number of [1, 2, 3]) await deliverer.deliver(messages(number, number), asha);
    expect(seen(calls).flat()).toEqual(["m1", "m1", "m2", "m1", "m2", "m3"]);
    await deliverer.flush();
    expect(seen(calls).slice(6).flat()).toEqual(["m1", "m2"]);
  });

  it.each(["deliver", "deliverSync"] as const)(
    "of every thread are offered again at the %s of any thread of their namespace, before what is new",
    async (method) => {
      const { hook, calls } = failingTimes(4);
      const { deliverer } = bench([hook]);
      const { namespace } = asha;
      const ben = { namespace: ["memories", "ben"], threadId: "first" };
      await deliverer.deliver(messages(1, 2), ben);
      await deliverer.deliver(messages(1, 2), { namespace, threadId: "first" });
      await deliverer.deliver(messages(1, 1), { namespace: ["memories", "asha"], threadId: "second" });
      await deliverer[method](messages(1, 3), { namespace, threadId: "third" });
      await settle();
      const offers = calls.map(({ messages: { length }, context }) => [
        context.threadId,
        length,
        context.attempt,
      ]);
      expect(offers).toEqual([
        ["first", 2, 1], // ben's
        ["first", 2, 1],
        ["first", 2, 2],
        ["second", 1, 1],
        ["first", 2, 3],
        ["second", 1, 2],
        ["third", 3, 1],
      ]);
      expect(calls.slice(1).map((call) => call.namespace)).toEqual(Array(6).fill(namespace));
      expect(calls[2]?.context.deliveryId).toBe(calls[1]?.context.deliveryId);
      await deliverer.flush();
      expect(calls.slice(7).map((call) => call.namespace)).toEqual([ben.namespace]);
    },
  );

  it("of another thread say nothing of what is new", async () => {
    const { deliverer } = bench([(_pruned, _namespace, { threadId }) => (threadId === "old" ? notTaken : 0)]);
    const { namespace } = asha;
    expect(await deliverer.deliver(messages(1, 1), { namespace, threadId: "old" })).toMatchObject({
      taken: false,
    });
    expect(await deliverer.deliver(messages(1, 1), { namespace, threadId: "new" })).toMatchObject({
      taken: true,
    });
    expect(await deliverer.deliver(messages(1, 1), { namespace, threadId: "old" })).toMatchObject({
      taken: false,
    });
  });

  it("are offered once at a time, whichever threads come by", async () => {
    const { promise, open } = gate();
    const { hook, calls } = recorder((call) => (call === 1 ? failing() : promise));
    const { deliverer } = bench([hook]);
    const { namespace } = asha;
    const outcomes = [await deliverer.deliver(messages(1, 1), { namespace, threadId: "first" })];
    const later = ["second", "third", "first"].map((threadId) =>
      deliverer.deliver(messages(1, threadId === "first" ? 1 : 0), { namespace, threadId }),
    );
    await settle();
    expect(calls).toHaveLength(2);
    open();
    expect([...outcomes, ...(await Promise.all(later))].map(({ taken }) => taken)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(calls).toHaveLength(2);
  });

  it("wait for their own namespace's next call, or for flush", async () => {
    const { hook, calls } = failingTimes(2);
    const { deliverer } = bench([hook]);
    const ben = { namespace: ["memories", "ben"], threadId: undefined };
    await deliverer.deliver(messages(1, 1), asha);
    await deliverer.deliver(messages(2, 2), ben);
    expect(seen(calls)).toEqual([["m1"], ["m2"]]);
    await deliverer.flush();
    expect(seen(calls)).toEqual([["m1"], ["m2"], ["m1"], ["m2"]]);
    expect(calls[2]?.namespace).toEqual(asha.namespace);
    expect(calls[3]?.namespace).toEqual(ben.namespace);
    await deliverer.flush();
    expect(calls).toHaveLength(4);
  });

  it("are not changed by what a hook did to its list", async () => {
    const sizes: number[] = [];
    const { deliverer } = bench([
      (pruned) => {
        sizes.push(pruned.length);
        pruned.length = 0;
        throw down;
      },
    ]);
    await deliverer.deliver(messages(1, 3), asha);
    await deliverer.flush();
    expect(sizes).toEqual([3, 3]);
  });

  it("go to the namespace that they were made for, though the app has changed its array since", async () => {
    const { hook, calls } = failingTimes(1);
    const { deliverer } = bench([hook]);
    const namespace = ["memories", "asha"];
    await deliverer.deliver(messages(1, 1), { namespace, threadId: undefined });
    namespace[1] = "ben";
    await deliverer.flush();
    expect(calls[1]?.namespace).toEqual(["memories", "asha"]);
  });

  it("overwrite what half an attempt left, where the hook writes under deliveryId and position", async () => {
    const store = new Map<string, string>();
    const { deliverer } = bench([
      (pruned, _, { deliveryId, attempt }) => {
        for (const [index, { content }] of pruned.entries()) {
          if (attempt === 1 && index === 2) throw down;
          store.set(`${deliveryId}-${index}`, content);
        }
      },
    ]);
    await deliverer.deliver(messages(1, 4), asha);
    expect(store.size).toBe(2);
    await deliverer.deliver(messages(1, 5), asha);
    expect([...store.values()]).toEqual(messages(1, 5).map(({ content }) => content));
  });

  it("are offered once at a time", async () => {
    const { promise, open } = gate();
    const { hook, calls } = recorder((call) => (call === 1 ? failing() : promise));
    const { deliverer } = bench([hook]);
    await deliverer.deliver(messages(1, 1), asha);
    const retries = [deliverer.deliver([], asha), deliverer.deliver(messages(1, 1), asha), deliverer.flush()];
    await settle();
    expect(calls).toHaveLength(2);
    open();
    await Promise.all(retries);
    expect(calls).toHaveLength(2);
  });

  it("hold messages without an id, which are known again by the object", async () => {
    const { hook, calls } = failingTimes(2);
    const { deliverer } = bench([hook]);
    const [first, second] = [message("ok"), message("ok")];
    expect(await deliverer.deliver([first], asha)).toMatchObject({ taken: false });
    expect(await deliverer.deliver([first], asha)).toMatchObject({ taken: false });
    expect(await deliverer.deliver([first, second], asha)).toMatchObject({ taken: true });
    expect(calls.map((call) => call.messages)).toEqual([[first], [first], [first], [second]]);
    expect(calls.map(({ context }) => context.attempt)).toEqual([1, 2, 3, 1]);
  });

  it("keep a message without an id from the hooks that have taken it, while it comes by again", async () => {
    const broken = failingTimes(2);
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook, broken.hook]);
    const kept = message("ok");
    expect(await deliverer.deliver([kept], asha)).toMatchObject({ taken: false });
    expect(await deliverer.deliver([kept, message("new")], asha)).toMatchObject({ taken: false });
    expect(await deliverer.deliver([kept], asha)).toMatchObject({ taken: true });
    expect(seen(calls)).toEqual([["ok"], ["new"]]);
    await deliverer.deliver([kept], asha);
    expect(seen(calls)).toEqual([["ok"], ["new"], ["ok"]]);
  });

  it("know a message again that was given its id since", async () => {
    const { hook, calls } = failingTimes(1);
    const { deliverer } = bench([hook]);
    const late: { role: string; content: string; id?: string } = { role: "user", content: "hello" };
    await deliverer.deliver([late], asha);
    late.id = "a";
    await deliverer.deliver([late], asha);
    expect(calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
  });

  it("are known again though the ledger has forgotten them", async () => {
    const { hook, calls } = recorder(failing);
    const { deliverer } = bench([hook], { dedupeWindow: 1 });
    await deliverer.deliver(messages(1, 3), asha);
    expect(await deliverer.deliver(messages(1, 3), asha)).toMatchObject({ taken: false });
    expect(calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
  });

  it("leave the outcome of other messages alone", async () => {
    const { hook } = recorder((call) => (call === 3 ? undefined : failing()));
    const { deliverer } = bench([hook]);
    await deliverer.deliver(messages(1, 1), asha);
    expect(await deliverer.deliver(messages(2, 2), asha)).toMatchObject({ taken: true });
  });
});

describe("bounds", () => {
  it("hold 1 000 deliveries: the oldest is dropped, reported, and new again", async () => {
    let broken = true;
    const { hook, calls } = recorder(() => (broken ? notTaken : undefined));
    const { deliverer, events, warnings } = bench([hook]);
    const scopes = Array.from({ length: 1_001 }, (_, index) => ({
      namespace: [`u${index}`],
      threadId: undefined,
    }));
    for (const scope of scopes) await deliverer.deliver(messages(1, 2), scope);
    expect(events.filter(({ type }) => type === "dropped")).toMatchObject([
      { deliveryId: calls[0]?.context.deliveryId, attempt: 1, count: 2, namespace: ["u0"], hook: 0 },
    ]);
    expect(warnings).toHaveLength(1);
    broken = false;
    calls.length = 0;
    await deliverer.flush();
    expect(calls).toHaveLength(1_000);
    for (const scope of scopes) await deliverer.deliver(messages(1, 2), scope);
    expect(calls.slice(1_000).map((call) => call.namespace)).toEqual([["u0"]]);
  });

  it("hold 50 000 messages, or one delivery of any size", async () => {
    const { hook, calls } = recorder(() => notTaken);
    const { deliverer, events } = bench([hook]);
    const dropped = (): number => events.filter(({ type }) => type === "dropped").length;
    const huge = Array.from({ length: 50_001 }, () => message("no id"));
    await deliverer.deliver(huge, asha);
    expect(dropped()).toBe(0);
    await deliverer.deliver([message("one more")], asha);
    expect(dropped()).toBe(1);
    await deliverer.flush();
    expect(calls.at(-1)?.messages).toHaveLength(1);
    for (const number of [1, 2])
      await deliverer.deliver(
        Array.from({ length: 25_000 }, () => message(`${number}`)),
        asha,
      );
    expect(dropped()).toBe(2);
  });

  it("counts a dropped delivery as not taken", async () => {
    const { promise, fail } = gate();
    const { deliverer } = bench([({ length }) => (length === 1 ? promise : notTaken)]);
    const outcome = deliverer.deliver([message("early")], asha);
    for (let index = 0; index < 1_000; index += 1) {
      await deliverer.deliver([message("a"), message("b")], { namespace: [`${index}`], threadId: undefined });
    }
    fail(down);
    expect(await outcome).toMatchObject({ taken: false });
  });
});

describe("hookTimeoutMs", () => {
  it("gives a hook up that has not settled, and aborts its signal", async () => {
    const { hook, calls } = recorder((call) => (call === 1 ? new Promise(() => {}) : undefined));
    const { deliverer, warnings } = bench([hook], { hookTimeoutMs: 5 });
    expect(await deliverer.deliver(messages(1, 1), asha)).toMatchObject({ taken: false });
    const reason: unknown = calls[0]?.context.signal.reason;
    expect(KeepsakeError.isInstance(reason) && reason.code).toBe("hook_timeout");
    expect(warnings[0]?.[1]).toBe(reason);
    expect(await deliverer.deliver([], asha)).toMatchObject({ taken: true });
    expect(calls[1]?.context.signal.aborted).toBe(false);
    expect(calls[1]?.context.attempt).toBe(2);
  });

  it.each([
    ["succeeds", (late: ReturnType<typeof gate>) => late.open()],
    ["fails", (late: ReturnType<typeof gate>) => late.fail(down)],
  ])("ignores a hook that %s afterwards", async (_, end) => {
    const late = gate();
    const { hook, calls } = recorder((call) => (call === 1 ? late.promise : undefined));
    const { deliverer, events } = bench([hook], { hookTimeoutMs: 5 });
    await deliverer.deliver(messages(1, 1), asha);
    end(late);
    await settle();
    expect(events.map(({ type }) => type)).toEqual(["failed"]);
    await deliverer.flush();
    expect(calls).toHaveLength(2);
    expect(events.map(({ type }) => type)).toEqual(["failed", "retried", "delivered"]);
  });

  it("leaves no timer behind", async () => {
    vi.useFakeTimers();
    try {
      const { deliverer } = bench([async () => {}], { hookTimeoutMs: 1_000 });
      expect(await deliverer.deliver(messages(1, 1), asha)).toMatchObject({ taken: true });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
