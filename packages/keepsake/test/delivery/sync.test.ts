import { describe, expect, it } from "vitest";
import { notTaken } from "../../src/delivery/index.ts";
import { asha, bench, gate, messages, recorder, seen, settle } from "./harness.ts";

describe("deliverSync", () => {
  it("is through at once with hooks that are", () => {
    const [first, second] = [recorder(), recorder()];
    const { deliverer, events } = bench([first.hook, second.hook]);
    deliverer.deliverSync(messages(1, 2), asha);
    expect(seen(first.calls)).toEqual([["m1", "m2"]]);
    expect(seen(second.calls)).toEqual([["m1", "m2"]]);
    expect(events.map(({ type }) => type)).toEqual(["delivered", "delivered"]);
  });

  it("starts the first hook at once, and the next when that one has settled", async () => {
    const { promise, open } = gate();
    const first = recorder(() => promise);
    const second = recorder();
    const { deliverer } = bench([first.hook, second.hook]);
    deliverer.deliverSync(messages(1, 2), asha);
    expect(first.calls).toHaveLength(1);
    await settle();
    expect(second.calls).toHaveLength(0);
    open();
    await deliverer.flush();
    expect(second.calls).toHaveLength(1);
  });

  it("survives hooks that fail, and offers again at the next call", () => {
    const { hook, calls } = recorder((call) => (call === 1 ? notTaken : undefined));
    const { deliverer } = bench([hook]);
    deliverer.deliverSync(messages(1, 1), asha);
    deliverer.deliverSync(messages(1, 2), asha);
    expect(seen(calls)).toEqual([["m1"], ["m1"], ["m2"]]);
  });

  it("keeps the order of one scope's calls, hook by hook", async () => {
    const order: string[] = [];
    const slow = async (name: string): Promise<void> => {
      order.push(`${name} begins`);
      await settle();
      order.push(`${name} ends`);
    };
    const { deliverer } = bench([([first]) => slow(`a ${first?.id}`), ([first]) => slow(`b ${first?.id}`)]);
    deliverer.deliverSync(messages(1, 1), asha);
    deliverer.deliverSync(messages(2, 2), asha);
    await deliverer.deliver(messages(3, 3), asha);
    const names = ["a m1", "b m1", "a m2", "b m2", "a m3", "b m3"];
    expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it("waits for a deliver that waits itself", async () => {
    const gates = [gate(), gate()];
    const { hook, calls } = recorder((call) => gates[call - 1]?.promise);
    const { deliverer } = bench([hook]);
    deliverer.deliverSync(messages(1, 1), asha);
    const second = deliverer.deliver(messages(2, 2), asha);
    deliverer.deliverSync(messages(3, 3), asha);
    gates[0]?.open();
    await settle();
    expect(seen(calls)).toEqual([["m1"], ["m2"]]);
    gates[1]?.open();
    await second;
    await deliverer.flush();
    expect(seen(calls)).toEqual([["m1"], ["m2"], ["m3"]]);
  });

  it("does not make other scopes wait", async () => {
    const { promise, open } = gate();
    const { hook, calls } = recorder((call) => (call === 1 ? promise : undefined));
    const { deliverer } = bench([hook]);
    deliverer.deliverSync(messages(1, 1), asha);
    deliverer.deliverSync(messages(2, 2), { namespace: ["memories", "ben"], threadId: undefined });
    expect(calls).toHaveLength(2);
    open();
    await deliverer.flush();
  });

  it("claims at once: an overlapping call delivers nothing twice", async () => {
    const { promise, open } = gate();
    const { hook, calls } = recorder(() => promise);
    const { deliverer } = bench([hook]);
    deliverer.deliverSync(messages(1, 2), asha);
    deliverer.deliverSync(messages(1, 3), asha);
    const outcome = deliverer.deliver(messages(1, 4), asha);
    open();
    expect(await outcome).toMatchObject({ taken: true });
    expect(seen(calls)).toEqual([["m1", "m2"], ["m3"], ["m4"]]);
  });

  it("starts the next call at once where nothing runs any more", async () => {
    const { hook, calls } = recorder(() => settle());
    const { deliverer } = bench([hook]);
    deliverer.deliverSync(messages(1, 1), asha);
    await deliverer.flush();
    deliverer.deliverSync(messages(2, 2), asha);
    expect(calls).toHaveLength(2);
    await deliverer.flush();
  });

  it("may be called by a hook", async () => {
    const again: (() => void)[] = [];
    const { hook, calls } = recorder((call) => (call === 1 ? again[0]?.() : undefined));
    const { deliverer } = bench([hook]);
    again.push(() => deliverer.deliverSync(messages(1, 3), asha));
    deliverer.deliverSync(messages(1, 2), asha);
    await deliverer.flush();
    expect(seen(calls)).toEqual([["m1", "m2"], ["m3"]]);
  });
});

describe("flush", () => {
  it("awaits what deliverSync started, then offers what failed again, once", async () => {
    const { hook, calls } = recorder(async () => {
      await settle();
      return notTaken;
    });
    const { deliverer } = bench([hook]);
    deliverer.deliverSync(messages(1, 1), asha);
    deliverer.deliverSync(messages(2, 2), { namespace: ["memories", "ben"], threadId: undefined });
    await deliverer.flush();
    expect(calls.map(({ context }) => context.attempt)).toEqual([1, 1, 2, 2]);
    await deliverer.flush();
    expect(calls.map(({ context }) => context.attempt).slice(4)).toEqual([3, 3]);
  });

  it("awaits what another flush has in hand", async () => {
    const { promise, open } = gate();
    const { hook } = recorder((call) => (call === 1 ? notTaken : promise));
    const { deliverer, events } = bench([hook]);
    await deliverer.deliver(messages(1, 1), asha);
    const first = deliverer.flush();
    await settle();
    const second = deliverer.flush().then(() => events.map(({ type }) => type));
    await settle();
    open();
    expect(await second).toEqual(["failed", "retried", "delivered"]);
    await first;
  });

  it("offers at most eight scopes at once, and all of them", async () => {
    let broken = true;
    let running = 0;
    let most = 0;
    const { deliverer, events } = bench([
      async () => {
        if (broken) return notTaken;
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
        return undefined;
      },
    ]);
    for (let index = 0; index < 30; index += 1) {
      await deliverer.deliver(messages(1, 1), { namespace: [`${index}`], threadId: undefined });
    }
    broken = false;
    await deliverer.flush();
    expect(most).toBe(8);
    expect(events.filter(({ type }) => type === "delivered")).toHaveLength(30);
  });
});
