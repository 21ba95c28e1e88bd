import { describe, expect, it } from "vitest";
import { type BackgroundOptions, background, notTaken, type RememberFn } from "../../src/delivery/index.ts";
import { KeepsakeError } from "../../src/errors/index.ts";
import { asha, bench, gate, type Message, messages, recorder, seen, settle } from "./harness.ts";

const context = {
  deliveryId: "d1",
  attempt: 1,
  threadId: undefined,
  signal: new AbortController().signal,
};

function quiet(): { logger: BackgroundOptions["logger"] & object; warnings: unknown[][] } {
  const warnings: unknown[][] = [];
  return { logger: { debug: () => {}, warn: (...details) => warnings.push(details) }, warnings };
}

/** A function that runs until it is let go, and who is running. */
function held() {
  const running = new Map<string, () => void>();
  const order: string[] = [];
  const fn: RememberFn<Message, unknown> = ([first]) => {
    const { promise, open } = gate();
    const name = first?.id ?? "";
    order.push(name);
    running.set(name, open);
    return promise.finally(() => running.delete(name));
  };
  const release = async (name: string): Promise<void> => {
    running.get(name)?.();
    await settle();
  };
  return { fn, running: () => [...running.keys()], order, release };
}

describe("background", () => {
  it("takes the delivery at once and runs the function afterwards, with a copy and the context", async () => {
    const { hook: fn, calls } = recorder();
    const hook = background(fn);
    const list = messages(1, 2);
    const namespace = ["memories", "asha"];
    expect(hook(list, namespace, context)).toBeUndefined();
    expect(calls).toHaveLength(0);
    expect(hook.pending).toBe(1);
    list.length = 0;
    await hook.idle();
    expect(hook.pending).toBe(0);
    expect(calls).toEqual([{ messages: messages(1, 2), namespace, context }]);
    expect(calls[0]?.namespace).toBe(namespace);
    expect(calls[0]?.context.signal).toBe(context.signal);
  });

  it("may be called by the app itself, without a context", async () => {
    const { hook: fn, calls } = recorder();
    const hook = background(fn);
    hook(messages(1, 1), ["n"]);
    await hook.idle();
    expect(calls[0]?.context).toMatchObject({
      attempt: 1,
      deliveryId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("runs one batch per namespace at a time, in order, and as many namespaces as `concurrency` says", async () => {
    const { fn, running, order, release } = held();
    const hook = background(fn, { concurrency: 2 });
    const [a, b, c] = [["a"], ["b"], ["c"]];
    hook(messages(1, 1), a, context);
    hook(messages(2, 2), ["a"], context);
    hook(messages(3, 3), b, context);
    hook(messages(4, 4), c, context);
    await settle();
    expect(running()).toEqual(["m1", "m3"]);
    await release("m3");
    expect(running()).toEqual(["m1", "m4"]);
    await release("m4");
    expect(running()).toEqual(["m1"]);
    await release("m1");
    expect(running()).toEqual(["m2"]);
    await release("m2");
    expect(order).toEqual(["m1", "m3", "m4", "m2"]);
    await hook.idle();
  });

  it("does not let one namespace's backlog keep the others waiting", async () => {
    const { fn, order, release } = held();
    const hook = background(fn, { concurrency: 1 });
    for (const number of [1, 2, 3]) hook(messages(number, number), ["a"], context);
    hook(messages(4, 4), ["b"], context);
    for (const name of ["m1", "m4", "m2", "m3"]) {
      await settle();
      expect(order.at(-1)).toBe(name);
      await release(name);
    }
    await hook.idle();
  });

  it("keeps the namespace as it was, though the app has changed its array since", async () => {
    const { hook: fn, calls } = recorder();
    const hook = background(fn);
    const namespace = ["memories", "asha"];
    hook(messages(1, 1), namespace, context);
    namespace[1] = "ben";
    await hook.idle();
    expect(calls[0]?.namespace).toEqual(["memories", "asha"]);
  });

  it("drops past `maxPending`, running batches included, with a warning", async () => {
    const { fn, release } = held();
    const { logger, warnings } = quiet();
    const hook = background(fn, { maxPending: 2, logger });
    expect(hook(messages(1, 1), ["a"], context)).toBeUndefined();
    await settle();
    expect(hook(messages(2, 2), ["a"], context)).toBeUndefined();
    expect(hook(messages(3, 3), ["a"], context)).toBe(notTaken);
    expect([hook.pending, hook.dropped, warnings.length]).toEqual([2, 1, 1]);
    await release("m1");
    expect(hook(messages(3, 3), ["a"], context)).toBeUndefined();
    await release("m2");
    await release("m3");
    await hook.idle();
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("broken");
      },
    ],
    ["returns notTaken", () => notTaken],
  ])("logs and counts a batch whose function %s, and goes on", async (_, broken) => {
    const { logger, warnings } = quiet();
    const { hook: fn, calls } = recorder((call) => (call === 1 ? broken() : undefined));
    const hook = background(fn, { logger });
    hook(messages(1, 1), ["a"], context);
    hook(messages(2, 2), ["a"], context);
    await hook.idle();
    expect(seen(calls)).toEqual([["m1"], ["m2"]]);
    expect([hook.failed, hook.dropped, hook.pending, warnings.length]).toEqual([1, 0, 0, 1]);
  });

  it("tries a failed batch again under the same deliveryId, before the namespace's next", async () => {
    const { logger, warnings } = quiet();
    const { hook: fn, calls } = recorder((call) => (call <= 2 ? notTaken : undefined));
    const hook = background(fn, { retries: 2, logger });
    hook(messages(1, 1), ["a"], { ...context, attempt: 3 });
    hook(messages(2, 2), ["a"], { ...context, deliveryId: "d2" });
    await hook.idle();
    const attempts = calls.map((call) => [
      call.messages[0]?.id,
      call.context.deliveryId,
      call.context.attempt,
    ]);
    expect(attempts).toEqual([
      ["m1", "d1", 3],
      ["m1", "d1", 4],
      ["m1", "d1", 5],
      ["m2", "d2", 1],
    ]);
    expect([hook.failed, warnings.length]).toEqual([0, 2]);
  });

  it("gives each try a list of its own", async () => {
    const sizes: number[] = [];
    const hook = background<Message, unknown>(
      (pruned) => {
        sizes.push(pruned.length);
        pruned.length = 0;
        return notTaken;
      },
      { retries: 1, logger: quiet().logger },
    );
    hook(messages(1, 2), ["a"], context);
    await hook.idle();
    expect(sizes).toEqual([2, 2]);
    expect(hook.failed).toBe(1);
  });

  it("tells `waitUntil` of each batch, and survives one that throws", async () => {
    const { fn, release } = held();
    const waits: Promise<void>[] = [];
    const hook = background(fn, { waitUntil: (promise) => waits.push(promise) });
    hook(messages(1, 1), ["a"], context);
    expect(waits).toHaveLength(1);
    let done = false;
    waits[0]?.then(() => {
      done = true;
    });
    await settle();
    expect(done).toBe(false);
    await release("m1");
    expect(done).toBe(true);
    const { logger, warnings } = quiet();
    const { hook: other, calls } = recorder();
    const outside = background(other, {
      logger,
      waitUntil: () => {
        throw new Error("outside of a request");
      },
    });
    expect(outside(messages(1, 1), ["a"], context)).toBeUndefined();
    await outside.idle();
    expect([calls.length, warnings.length]).toEqual([1, 1]);
  });
});

describe("close", () => {
  it("works off what waits, and drops what comes later", async () => {
    const { logger, warnings } = quiet();
    const { hook: fn, calls } = recorder(() => settle());
    const hook = background(fn, { logger });
    for (const number of [1, 2, 3]) hook(messages(number, number), ["a"], context);
    const closed = hook.close();
    expect(hook(messages(4, 4), ["a"], context)).toBe(notTaken);
    await closed;
    await hook.close();
    expect(seen(calls)).toEqual([["m1"], ["m2"], ["m3"]]);
    expect([hook.dropped, hook.pending, warnings.length]).toEqual([1, 0, 1]);
  });

  it("discards what waits where `drain` is false, and awaits what runs", async () => {
    const { fn, order, release } = held();
    const { logger, warnings } = quiet();
    const waits: Promise<void>[] = [];
    const hook = background(fn, { logger, waitUntil: (promise) => waits.push(promise) });
    for (const number of [1, 2, 3]) hook(messages(number, number), ["a"], context);
    await settle();
    let closed = false;
    const closing = hook.close({ drain: false }).then(() => {
      closed = true;
    });
    await settle();
    expect([hook.pending, hook.dropped, warnings.length, closed]).toEqual([1, 2, 1, false]);
    await release("m1");
    await closing;
    await Promise.all(waits);
    expect(order).toEqual(["m1"]);
  });

  it("is what `await using` does", async () => {
    const { hook: fn, calls } = recorder(() => settle());
    const hook = background(fn);
    hook(messages(1, 1), ["a"], context);
    await hook[Symbol.asyncDispose]();
    expect(calls).toHaveLength(1);
    expect(hook.pending).toBe(0);
  });

  it("resolves at once where nothing is pending", async () => {
    await background(() => {}).idle();
    await background(() => {}).close();
  });
});

describe("options", () => {
  it.each<[string, unknown]>([
    ["concurrency", { concurrency: 0 }],
    ["concurrency", { concurrency: 1.5 }],
    ["concurrency", { concurrency: "2" }],
    ["maxPending", { maxPending: -1 }],
    ["maxPending", { maxPending: Number.NaN }],
    ["retries", { retries: -1 }],
    ["waitUntil", { waitUntil: 1 }],
    ["logger", { logger: {} }],
    ["workers", { workers: 2 }],
  ])("refuses %s %j", (name, options) => {
    let caught: unknown;
    try {
      background(() => {}, options as BackgroundOptions);
    } catch (error) {
      caught = error;
    }
    expect(KeepsakeError.isInstance(caught) && caught.code).toBe("invalid_config");
    expect(String(caught)).toContain(name);
  });

  it("refuses what is no function", () => {
    expect(() => background("remember" as unknown as RememberFn<Message>)).toThrow(KeepsakeError);
  });

  it("takes undefined for the default", () => {
    background(() => {}, { concurrency: undefined, logger: undefined } as unknown as BackgroundOptions);
  });
});

describe("as a hook", () => {
  it("leaves a dropped delivery to be offered again", async () => {
    const { fn, release, order } = held();
    const hook = background(fn, { maxPending: 1, logger: quiet().logger });
    const { deliverer, warnings } = bench([hook]);
    await deliverer.deliver(messages(1, 1), asha);
    expect(await deliverer.deliver(messages(2, 2), asha)).toMatchObject({ taken: false });
    await release("m1");
    await deliverer.flush();
    await release("m2");
    await hook.close();
    expect(order).toEqual(["m1", "m2"]);
    expect(hook.dropped).toBe(1);
    expect(warnings).toEqual([]);
  });
});
