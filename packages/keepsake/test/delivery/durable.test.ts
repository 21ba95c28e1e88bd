import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import {
  type DurableEvent,
  type DurableHook,
  type DurableOptions,
  durable,
  type HookContext,
  InMemoryOutbox,
  notTaken,
  type Outbox,
  type RememberFn,
} from "../../src/delivery/index.ts";
import { KeepsakeError } from "../../src/errors/index.ts";
import { type Message, message } from "./harness.ts";

const asha = ["memories", "asha"];
const ben = ["memories", "ben"];

const opened: DurableHook<Message>[] = [];
afterEach(async () => {
  for (const hook of opened.splice(0)) await hook.stop({ deadlineMs: 0 });
});

function setUp(
  fn: RememberFn<Message>,
  options: Partial<DurableOptions<Message>> = {},
): { hook: DurableHook<Message>; outbox: Outbox; events: DurableEvent[]; warnings: unknown[][] } {
  const { outbox = new InMemoryOutbox() } = options;
  const events: DurableEvent[] = [];
  const warnings: unknown[][] = [];
  const hook = durable<Message>(fn, {
    name: "remember",
    outbox,
    backoff: () => 1,
    logger: { debug: () => {}, warn: (...details) => warnings.push(details) },
    onEvent: (event) => events.push(event),
    ...options,
  });
  opened.push(hook);
  return { hook, outbox, events, warnings };
}

/** A promise, and what settles it. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** An outbox that fails while it is down. */
function flaky(): { outbox: Outbox; state: { isDown: boolean } } {
  const inner = new InMemoryOutbox();
  const state = { isDown: false };
  const outbox = new Proxy<Outbox>(inner, {
    get(_, name) {
      const value: unknown = Reflect.get(inner, name);
      if (name === "onWork") return inner.onWork.bind(inner);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        if (state.isDown) throw new Error("the database is down");
        return Reflect.apply(value, inner, args);
      };
    },
  });
  return { outbox, state };
}

test("a hook commits at once, and its function runs only after start", async () => {
  const seen: unknown[] = [];
  const { hook, events } = setUp((pruned, namespace, { attempt, threadId }) => {
    seen.push([pruned, namespace, attempt, threadId]);
  });
  await hook([message("a", "1"), message("b", "2")], asha);
  await sleep(20);
  expect(seen).toEqual([]);
  expect(await hook.stats()).toMatchObject({ pending: 1, claimed: 2 });
  hook.start();
  hook.start();
  await hook.idle();
  expect(seen).toEqual([[[message("a", "1"), message("b", "2")], asha, 1, undefined]]);
  expect(events).toMatchObject([
    { type: "delivered", hook: "remember", attempt: 1, count: 2, namespace: asha },
  ]);
});

test("a started worker takes up what is enqueued later, and a stopped one does not", async () => {
  const seen: string[] = [];
  const { hook } = setUp((pruned) => {
    seen.push(...pruned.map(({ content }) => content));
  });
  hook.start();
  await hook([message("a", "1")], asha);
  await hook.idle();
  await hook.stop();
  await hook([message("b", "2")], asha);
  await sleep(20);
  expect(seen).toEqual(["a"]);
  hook.start();
  await hook.idle();
  expect(seen).toEqual(["a", "b"]);
});

test("a stop and a start at once leave one worker at work", async () => {
  const { hook } = setUp(() => {});
  hook.start();
  const stopped = hook.stop();
  hook.start();
  await stopped;
  await hook([message("a", "1")], asha);
  await hook.idle();
  expect(await hook.stats()).toMatchObject({ done: 1 });
});

test("what fails, rejects or returns notTaken is tried again, with the same delivery id", async () => {
  const contexts: HookContext[] = [];
  const { hook, events, warnings } = setUp((_, __, context) => {
    contexts.push(context);
    if (context.attempt === 1) throw new Error("down");
    if (context.attempt === 2) return Promise.reject(new Error("still down"));
    return context.attempt === 3 ? notTaken : undefined;
  });
  hook.start();
  await hook([message("a", "1")], asha, { ...direct(), threadId: "t1" });
  await hook.idle();
  expect(contexts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(new Set(contexts.map(({ deliveryId }) => deliveryId)).size).toBe(1);
  expect(contexts[0]?.threadId).toBe("t1");
  expect(events.map(({ type }) => type)).toEqual(["failed", "failed", "failed", "delivered"]);
  expect(warnings.map(([text]) => text)).toEqual([
    expect.stringContaining("attempt 1 failed"),
    expect.stringContaining("attempt 2 failed"),
  ]);
});

function direct(): HookContext {
  const { signal } = new AbortController();
  return { deliveryId: "d1", attempt: 1, threadId: undefined, signal };
}

test("after maxAttempts a delivery is a dead letter; the next runs; retry and discard work", async () => {
  let isBroken = true;
  const { hook, events } = setUp(
    ([first]) => {
      if (isBroken && first?.content === "bad") throw new Error("cannot be stored");
    },
    { maxAttempts: 3 },
  );
  hook.start();
  await hook([message("bad", "1")], asha);
  await hook([message("good", "2")], asha);
  await hook.idle();
  expect(events.map(({ type, attempt }) => `${type} ${attempt}`)).toEqual([
    "failed 1",
    "failed 2",
    "dead 3",
    "delivered 1",
  ]);
  const [letter] = await hook.deadLetters();
  expect(letter).toMatchObject({ attempts: 3, error: "cannot be stored", bodies: [message("bad", "1")] });
  isBroken = false;
  expect(await hook.retry(letter?.deliveryId ?? "")).toBe(true);
  await hook.idle();
  expect(await hook.stats()).toMatchObject({ done: 2, dead: 0 });
  expect(await hook.discard(letter?.deliveryId ?? "")).toBe(false);
});

test("a delivery whose processes died every time is dead without another try", async () => {
  let time = 1_000_000;
  const outbox = new InMemoryOutbox({ now: () => time });
  const fn = vi.fn();
  const { hook } = setUp(fn, { outbox, maxAttempts: 2 });
  await hook([message("a", "1")], asha);
  for (const _ of [1, 2]) {
    expect(outbox.lease("remember", { limit: 1, leaseMs: 10 })).toHaveLength(1);
    time += 10;
  }
  expect(await hook.drain()).toEqual({ delivered: 0, failed: 1, remaining: 0 });
  expect(fn).not.toHaveBeenCalled();
  expect(await hook.deadLetters()).toMatchObject([
    { attempts: 3, error: expect.stringContaining("2 attempts") },
  ]);
});

test("of one namespace one delivery runs at a time, of several as many as concurrency says", async () => {
  const running: string[] = [];
  let most = 0;
  const seen: string[] = [];
  const { hook } = setUp(
    async ([first], namespace) => {
      const name = String(namespace[1]);
      expect(running).not.toContain(name);
      running.push(name);
      most = Math.max(most, running.length);
      await sleep(2);
      running.splice(running.indexOf(name), 1);
      seen.push(first?.content ?? "");
    },
    { concurrency: 3 },
  );
  for (let index = 0; index < 5; index += 1)
    for (const person of ["a", "b", "c", "d"])
      await hook([message(`${person}${index}`, `${person}${index}`)], ["memories", person]);
  hook.start();
  await hook.idle();
  expect(most).toBe(3);
  for (const person of ["a", "b", "c", "d"])
    expect(seen.filter((text) => text.startsWith(person))).toEqual(
      [0, 1, 2, 3, 4].map((index) => person + index),
    );
});

test("a lease is renewed while the function runs", async () => {
  let time = 1_000_000;
  const outbox = new InMemoryOutbox({ now: () => time });
  const renew = vi.spyOn(outbox, "renew");
  const timers = vi.spyOn(globalThis, "setInterval");
  const gate = deferred();
  const leaseMs = 900;
  const { hook, events } = setUp(() => gate.promise, { outbox, leaseMs });
  await hook([message("a", "1")], asha);
  hook.start();
  await vi.waitFor(() => expect(timers.mock.calls.map(([, everyMs]) => everyMs)).toContain(leaseMs / 3));
  for (let renewals = 1; renewals <= 3; renewals += 1) {
    await vi.waitFor(() => expect(renew.mock.results.length).toBeGreaterThanOrEqual(renewals), 10_000);
    time += leaseMs - 1;
    expect(outbox.lease("remember", { limit: 1, leaseMs })).toEqual([]);
  }
  gate.resolve();
  await hook.idle();
  expect(events).toMatchObject([{ type: "delivered", attempt: 1 }]);
});

test("a lease that is lost aborts the signal, and what the hook says then does not count", async () => {
  let time = 1_000_000;
  const outbox = new InMemoryOutbox({ now: () => time });
  const reasons: unknown[] = [];
  const { hook, events } = setUp(
    (_, __, { attempt, signal }) =>
      attempt > 1
        ? undefined
        : new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => {
              reasons.push(signal.reason);
              resolve();
            });
          }),
    { outbox, leaseMs: 300 },
  );
  await hook([message("a", "1")], asha);
  hook.start();
  await sleep(5);
  time += 3_600_000;
  await hook.idle();
  expect(reasons).toEqual([expect.objectContaining({ code: "lease_lost" })]);
  expect(events.map(({ type, attempt }) => `${type} ${attempt}`)).toEqual(["lost 1", "delivered 2"]);
  expect(await hook.stats()).toMatchObject({ done: 1 });
});

test("stop awaits what runs and leaves the rest; past its deadline it aborts the signal", async () => {
  const gate = deferred();
  const { hook, outbox } = setUp(() => gate.promise);
  for (const id of ["1", "2"]) await hook([message("a", id)], asha);
  hook.start();
  await sleep(5);
  let isStopped = false;
  const stopping = hook.stop().then(() => {
    isStopped = true;
  });
  await sleep(20);
  expect(isStopped).toBe(false);
  gate.resolve();
  await stopping;
  expect(await outbox.stats()).toMatchObject({ done: 1, pending: 1, leased: 0 });

  const { hook: slow, events } = setUp(
    (_, __, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    { name: "slow", outbox },
  );
  await slow([message("a", "1")], ben);
  slow.start();
  await sleep(5);
  await slow.stop({ deadlineMs: 10 });
  expect(events).toMatchObject([{ type: "failed", error: { code: "hook_stopped" } }]);
  expect(await slow.stats()).toMatchObject({ retrying: 1 });
});

test("drain works without start, counts, and does not wait for what backs off", async () => {
  const { hook } = setUp(
    ([first]) => {
      if (first?.content === "bad") throw new Error("down");
    },
    { backoff: () => 3_600_000 },
  );
  expect(await hook.drain()).toEqual({ delivered: 0, failed: 0, remaining: 0 });
  for (const index of [0, 1, 2]) await hook([message("good", `g${index}`)], asha);
  await hook([message("bad", "b")], ben);
  expect(await hook.drain()).toEqual({ delivered: 3, failed: 1, remaining: 1 });
  await hook([message("good", "g3")], asha);
  expect(await hook.stats()).toMatchObject({ pending: 1 });
});

test("a drain ends at its deadline, and aborts what runs", async () => {
  const { hook } = setUp(async (_, __, { signal }) => {
    await sleep(60_000, undefined, { signal });
  });
  for (const index of [0, 1, 2]) await hook([message("slow", `${index}`)], [...asha, `${index}`]);
  const { delivered, failed, remaining } = await hook.drain({ deadlineMs: 30 });
  expect({ delivered, failed, remaining }).toEqual({ delivered: 0, failed: 2, remaining: 3 });
});

test("drain rejects where the outbox is down; a started worker waits for it and goes on", async () => {
  const { outbox, state } = flaky();
  const { hook, warnings, events } = setUp(() => {}, { outbox });
  await hook([message("a", "1")], asha);
  state.isDown = true;
  await expect(hook.drain()).rejects.toThrow("the database is down");
  hook.start();
  await sleep(30);
  state.isDown = false;
  await hook.idle();
  expect(events).toMatchObject([{ type: "delivered" }]);
  expect(warnings.map(([text]) => text)).toEqual([
    expect.stringContaining("its outbox fails"),
    expect.stringContaining("its outbox is back"),
  ]);
});

test("a completion is told again when the outbox was down in between", async () => {
  const { outbox, state } = flaky();
  const { hook, events } = setUp(
    () => {
      state.isDown = true;
      setTimeout(() => {
        state.isDown = false;
      }, 120);
    },
    { outbox },
  );
  await hook([message("a", "1")], asha);
  expect(await hook.drain()).toMatchObject({ delivered: 1, remaining: 0 });
  expect(events).toMatchObject([{ type: "delivered", attempt: 1 }]);
});

test("a worker whose outbox is closed ends with one warning; idle rejects", async () => {
  const outbox = new InMemoryOutbox();
  const { hook, warnings } = setUp(() => {}, { outbox });
  hook.start();
  outbox.close();
  await expect(hook.idle()).rejects.toThrow("closed");
  await hook([message("a", "1")], asha).catch(() => {});
  await vi.waitFor(
    () => expect(warnings).toEqual([[expect.stringContaining("its outbox was closed")]]),
    3_000,
  );
});

test("idle warns where nothing was started here", async () => {
  const { hook, warnings } = setUp(() => {});
  await hook.idle();
  expect(warnings).toEqual([[expect.stringContaining("was not started here")]]);
});

test("a name is used once per outbox, and is free again after the hook was disposed of", async () => {
  const outbox = new InMemoryOutbox();
  const { hook } = setUp(() => {}, { outbox });
  expect(() => setUp(() => {}, { outbox })).toThrow('the outbox has a hook named "remember"');
  setUp(() => {}, { outbox, name: "other" });
  setUp(() => {}, { outbox: new InMemoryOutbox() });
  await hook[Symbol.asyncDispose]();
  setUp(() => {}, { outbox });
});

test.each([
  [{ name: "" }, /name must be/],
  [{ name: "a\u0000b" }, /name must be/],
  [{ outbox: {} }, /outbox must be/],
  [{ outbox: undefined }, /outbox must be/],
  [{ concurrency: 0 }, /concurrency must be/],
  [{ leaseMs: 0.5 }, /leaseMs must be/],
  [{ maxAttempts: 0 }, /maxAttempts must be/],
  [{ codec: { encode: 1 } }, /codec must be/],
  [{ leaseMS: 1 }, /Did you mean "leaseMs"/],
])("%j is refused", (options, problem) => {
  const all = { name: "remember", outbox: new InMemoryOutbox(), ...options };
  expect(() => durable(() => {}, all as never)).toThrow(problem);
});

test("a function that is none is refused", () => {
  const options = { name: "remember", outbox: new InMemoryOutbox() };
  expect(() => durable("fn" as never, options)).toThrow(/fn must be a function/);
});

test("a backoff or an onEvent that fails breaks nothing", async () => {
  const { hook, warnings } = setUp(
    (_, __, { attempt }) => attempt === 1 && Promise.reject(new Error("down")),
    {
      backoff: () => {
        throw new Error("no");
      },
      onEvent: () => {
        throw new Error("no");
      },
    },
  );
  await hook([message("a", "1")], asha);
  await hook.drain();
  expect(await hook.stats()).toMatchObject({ retrying: 1 });
  expect(warnings.map(([text]) => text)).toContainEqual(expect.stringContaining("onEvent failed"));
});

test("the defaults: a pause of about 1 s after the first failure, doubling, with jitter", async () => {
  const { hook, outbox, events } = setUp(() => notTaken, { backoff: undefined });
  await hook([message("a", "1")], asha);
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    await hook.drain();
    const [waiting] = events.splice(0);
    if (attempt === 8) expect(waiting?.type).toBe("dead");
    else {
      expect(waiting?.retryInMs).toBeGreaterThanOrEqual(500 * 2 ** (attempt - 1));
      expect(waiting?.retryInMs).toBeLessThanOrEqual(1_500 * 2 ** (attempt - 1));
    }
    await outbox.retry(waiting?.deliveryId ?? "");
  }
});

test("a direct call claims by namespace, thread, id and content; without ids always", async () => {
  const { hook } = setUp(() => {});
  const count = async (): Promise<number> => (await hook.stats()).pending;
  await hook([message("a", "1")], asha);
  await hook([message("a", "1")], asha);
  expect(await count()).toBe(1);
  await hook([message("a", "1")], ben);
  await hook([message("a", "1")], asha, { ...direct(), threadId: "t2" });
  await hook([message("b", "1")], asha);
  expect(await count()).toBe(4);
  await hook([message("ok")], asha);
  await hook([message("ok")], asha);
  expect(await count()).toBe(6);
});

test("a namespace without JSON, and a message without, are refused before anything is kept", async () => {
  const { hook } = setUp(() => {});
  await expect(hook([message("a", "1")], new Map() as never)).rejects.toMatchObject({
    code: "invalid_namespace",
  });
  const odd = { ...message("a", "1"), meta: { call: () => 1 } };
  await expect(hook([message("b", "2"), odd], asha)).rejects.toMatchObject({
    code: "unserialisable_message",
    data: { id: "1", path: "meta.call" },
  });
  expect(await hook.stats()).toMatchObject({ pending: 0, claimed: 0 });
});

test("a codec makes what is kept, and the messages again", async () => {
  const seen: Message[][] = [];
  const codec = {
    encode: ({ content }: Message) => ({ secret: content.toUpperCase() }),
    decode: (body: unknown) => message(`${Object(body).secret}!`),
  };
  const { hook, outbox } = setUp((pruned) => void seen.push(pruned), { codec });
  await hook([message("a", "1")], asha);
  const [leased] = await outbox.lease("remember", { limit: 1, leaseMs: 1_000 });
  expect(leased?.bodies).toEqual([{ secret: "A" }]);
  await outbox.fail(leased?.token ?? "", { message: "not me" }, { afterMs: 0 });
  await hook.drain();
  expect(seen).toEqual([[message("A!")]]);
});

test("a codec that fails keeps everything back on the way in, and is a failed attempt on the way out", async () => {
  const broken = (): never => {
    throw new Error("no key");
  };
  const { hook: refusing } = setUp(() => {}, { codec: { encode: broken, decode: broken } });
  await expect(refusing([message("a", "1")], asha)).rejects.toBeInstanceOf(KeepsakeError);
  const { hook } = setUp(() => {}, { codec: { encode: () => 1, decode: broken }, maxAttempts: 1 });
  await hook([message("a", "1")], asha);
  await hook.drain();
  expect(await hook.deadLetters()).toMatchObject([{ error: "no key" }]);
});

test("erasing a namespace stops what runs of it", async () => {
  const { hook, outbox, events } = setUp(
    async (_, __, { signal }) => {
      await sleep(60_000, undefined, { signal });
    },
    { leaseMs: 300 },
  );
  await hook([message("a", "1")], asha);
  hook.start();
  await sleep(5);
  expect(await outbox.erase(["memories"])).toBe(1);
  await hook.idle();
  expect(events).toMatchObject([{ type: "lost" }]);
});
