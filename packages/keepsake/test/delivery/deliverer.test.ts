import { describe, expect, it } from "vitest";
import { createDeliverer, createReporter, notTaken } from "../../src/delivery/index.ts";
import { asha, bench, gate, message, messages, recorder, seen, settle } from "./harness.ts";

describe("deliver", () => {
  it("hands the messages, the namespace and the context to every hook, in order", async () => {
    const order: string[] = [];
    const first = recorder(() => settle().then(() => order.push("first is through")));
    const second = recorder(() => order.push("second begins"));
    const { deliverer } = bench([first.hook, second.hook]);
    const namespace = ["memories", "asha"];
    const outcome = await deliverer.deliver(messages(1, 2), { namespace, threadId: "t1" });
    expect(outcome).toMatchObject({ taken: true });
    expect(order).toEqual(["first is through", "second begins"]);
    for (const { calls } of [first, second]) {
      expect(seen(calls)).toEqual([["m1", "m2"]]);
      expect(calls[0]?.namespace).toBe(namespace);
      expect(calls[0]?.context).toMatchObject({ attempt: 1, threadId: "t1" });
      expect(calls[0]?.context.signal.aborted).toBe(false);
    }
    expect(first.calls[0]?.context.deliveryId).not.toBe(second.calls[0]?.context.deliveryId);
  });

  it("hands over the same objects in a list of the hook's own", async () => {
    const list = messages(1, 2);
    const vandal = recorder();
    const innocent = recorder();
    const { deliverer } = bench([
      (pruned, namespace, context) => {
        vandal.hook([...pruned], namespace, context);
        pruned.length = 0;
      },
      innocent.hook,
    ]);
    await deliverer.deliver(list, asha);
    expect(innocent.calls[0]?.messages).toEqual(list);
    expect(innocent.calls[0]?.messages[0]).toBe(list[0]);
    expect(list).toHaveLength(2);
  });

  it("calls no hook where nothing is new", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    expect(await deliverer.deliver([], asha)).toMatchObject({ taken: true });
    await deliverer.deliver(messages(1, 2), asha);
    expect(await deliverer.deliver(messages(1, 2), asha)).toMatchObject({ taken: true });
    expect(calls).toHaveLength(1);
  });

  it("does nothing without hooks", async () => {
    const { deliverer } = bench([]);
    expect(await deliverer.deliver(messages(1, 2), asha)).toMatchObject({ taken: true });
    deliverer.deliverSync(messages(1, 2), asha);
    await deliverer.flush();
  });

  it("hands null on where the caller passed no namespace, and any other value as it is", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    const tenant = new Map([["id", 7]]);
    for (const namespace of [null, "asha", tenant, 7n]) {
      await deliverer.deliver(messages(1, 1), { namespace, threadId: undefined });
    }
    expect(calls.map((call) => call.namespace)).toEqual([null, "asha", tenant, 7n]);
    expect(calls[2]?.namespace).toBe(tenant);
  });

  it("calls a hook with no `this`", async () => {
    let self: unknown = "untouched";
    const { deliverer } = bench([
      function hook(this: unknown) {
        self = this;
      },
    ]);
    await deliverer.deliver(messages(1, 1), asha);
    expect(self).toBeUndefined();
  });
});

describe("once each", () => {
  it("delivers what is new of an overlapping list", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    await deliverer.deliver(messages(1, 3), asha);
    await deliverer.deliver(messages(2, 5), asha);
    expect(seen(calls)).toEqual([
      ["m1", "m2", "m3"],
      ["m4", "m5"],
    ]);
  });

  it("knows a message again by id and content, not by the object", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    await deliverer.deliver([message("hello", "a")], asha);
    await deliverer.deliver([message("hello", "a")], asha);
    await deliverer.deliver([message("hello again", "a")], asha);
    await deliverer.deliver([message("hello", "b")], asha);
    expect(calls.map((call) => call.messages[0]?.content)).toEqual(["hello", "hello again", "hello"]);
  });

  it("keeps namespaces and threads apart", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    const scopes = [
      { namespace: ["u", "1"], threadId: undefined },
      { namespace: ["u", "10"], threadId: undefined },
      { namespace: ["u", "1"], threadId: "t" },
      { namespace: ["u", "1"], threadId: "null" },
      { namespace: null, threadId: undefined },
      { namespace: "null", threadId: undefined },
    ];
    for (const scope of [...scopes, ...scopes]) await deliverer.deliver(messages(1, 1), scope);
    expect(calls).toHaveLength(scopes.length);
    expect(new Set(calls.map((call) => call.context.deliveryId)).size).toBe(scopes.length);
  });

  it("counts an identity that one list holds twice once", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    await deliverer.deliver([message("hello", "a"), message("hello", "a"), message("bye", "a")], asha);
    expect(calls[0]?.messages.map(({ content }) => content)).toEqual(["hello", "bye"]);
  });

  it("always delivers a message without an id, as often as the list holds it", async () => {
    const ok = message("ok");
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    await deliverer.deliver([ok, ok, message("ok")], asha);
    await deliverer.deliver([ok], asha);
    expect(seen(calls)).toEqual([["ok", "ok", "ok"], ["ok"]]);
    expect(calls[0]?.context.deliveryId).not.toBe(calls[1]?.context.deliveryId);
  });

  it("takes an empty id for none", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    await deliverer.deliver([message("ok", ""), message("ok", "")], asha);
    expect(calls[0]?.messages).toHaveLength(2);
  });

  it("delivers every time where `dedupe` is off, each delivery under its own id", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook], { dedupeOnPrune: false });
    await deliverer.deliver(messages(1, 2), asha);
    await deliverer.deliver(messages(1, 2), asha);
    expect(calls).toHaveLength(2);
    expect(calls[0]?.context.deliveryId).not.toBe(calls[1]?.context.deliveryId);
  });

  it("forgets the oldest identities beyond `dedupeWindow`", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook], { dedupeWindow: 3 });
    await deliverer.deliver(messages(1, 4), asha);
    await deliverer.deliver(messages(1, 4), asha);
    expect(seen(calls)).toEqual([["m1", "m2", "m3", "m4"], ["m1"]]);
  });

  it("delivers once between concurrent calls on overlapping lists", async () => {
    const { promise, open } = gate();
    const { hook, calls } = recorder(() => promise);
    const { deliverer } = bench([hook]);
    const outcomes = [deliverer.deliver(messages(1, 3), asha), deliverer.deliver(messages(2, 4), asha)];
    open();
    expect(await Promise.all(outcomes)).toMatchObject([{ taken: true }, { taken: true }]);
    expect(seen(calls)).toEqual([["m1", "m2", "m3"], ["m4"]]);
  });

  it("claims for every hook before the first one starts", async () => {
    const { promise, open } = gate();
    const slow = recorder(() => promise);
    const last = recorder();
    const { deliverer } = bench([slow.hook, last.hook]);
    const outcomes = [deliverer.deliver(messages(1, 2), asha), deliverer.deliver(messages(1, 2), asha)];
    open();
    await Promise.all(outcomes);
    expect(last.calls).toHaveLength(1);
  });

  it("waits for a delivery in other hands that holds one of the messages", async () => {
    const { promise, open } = gate();
    const { deliverer } = bench([() => promise]);
    const first = deliverer.deliver(messages(1, 2), asha);
    let through = false;
    const second = deliverer.deliver(messages(2, 2), asha).then(() => {
      through = true;
    });
    await settle();
    expect(through).toBe(false);
    open();
    await Promise.all([first, second]);
    expect(through).toBe(true);
  });

  it("adopts the failure of a delivery in other hands, without another attempt", async () => {
    const { promise, fail } = gate();
    const { hook, calls } = recorder(() => promise);
    const { deliverer } = bench([hook]);
    const outcomes = [deliverer.deliver(messages(1, 2), asha), deliverer.deliver(messages(2, 2), asha)];
    fail(new Error("store is down"));
    expect(await Promise.all(outcomes)).toMatchObject([{ taken: false }, { taken: false }]);
    expect(calls).toHaveLength(1);
  });

  it("does not wait for a delivery in other hands that holds none of the messages", async () => {
    const { promise, open } = gate();
    const { hook, calls } = recorder((call) => (call === 1 ? promise : undefined));
    const { deliverer } = bench([hook]);
    const first = deliverer.deliver(messages(1, 2), asha);
    expect(await deliverer.deliver(messages(3, 3), asha)).toMatchObject({ taken: true });
    expect(seen(calls)).toEqual([["m1", "m2"], ["m3"]]);
    open();
    await first;
  });
});

describe("deliveryId", () => {
  const idOfFirst = async (list = messages(1, 2), scope = asha, name = "remember"): Promise<string> => {
    const { hook, calls } = recorder();
    Object.defineProperty(hook, "name", { value: name });
    await bench([hook]).deliverer.deliver(list, scope);
    return calls[0]?.context.deliveryId ?? "";
  };

  it("is the same wherever the same delivery is made", async () => {
    expect(await idOfFirst()).toBe(await idOfFirst());
    expect(await idOfFirst()).toMatch(/^[0-9a-f]{32}$/);
  });

  it("differs with the messages, the scope and the hook", async () => {
    const ids = [
      await idOfFirst(),
      await idOfFirst(messages(1, 3)),
      await idOfFirst(messages(2, 1)),
      await idOfFirst([message("other text", "m1"), ...messages(2, 2)]),
      await idOfFirst(messages(1, 2), { ...asha, threadId: "t" }),
      await idOfFirst(messages(1, 2), { namespace: ["memories", "ben"], threadId: undefined }),
      await idOfFirst(messages(1, 2), asha, "forget"),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is random where a message has no id, or the namespace means nothing to another process", async () => {
    const list = [message("no id"), ...messages(1, 1)];
    expect(await idOfFirst(list)).not.toBe(await idOfFirst(list));
    const tenant = { namespace: new Map(), threadId: undefined };
    expect(await idOfFirst(messages(1, 1), tenant)).not.toBe(await idOfFirst(messages(1, 1), tenant));
  });
});

describe("notTaken", () => {
  it("is the same symbol in every copy of keepsake", () => {
    expect(notTaken).toBe(Symbol.for("keepsake.notTaken"));
  });
});

it("gives the hook a typed namespace", async () => {
  const deliverer = createDeliverer<{ id: string }, string[]>({
    onPrune: [(pruned, namespace) => namespace.concat(pruned.map(({ id }) => id))],
    dedupeOnPrune: true,
    dedupeWindow: 10,
    reporter: createReporter(console),
  });
  expect(await deliverer.deliver([{ id: "a" }], { namespace: ["n"], threadId: undefined })).toMatchObject({
    taken: true,
  });
});
