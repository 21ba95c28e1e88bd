import { afterEach, describe, expect, it } from "vitest";
import { notTaken } from "../../src/delivery/index.ts";
import { KeepsakeError } from "../../src/errors/index.ts";
import { asha, bench, type Message, message, messages, recorder, settle } from "./harness.ts";

const broken = (): never => {
  throw new Error("broken");
};

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
afterEach(async () => {
  await settle();
  expect(unhandled.splice(0)).toEqual([]);
});

describe("redact", () => {
  const veiled = ({ content, ...rest }: Message): Message => ({
    ...rest,
    content: content.replace("secret", "…"),
  });

  it("replaces what every hook gets, retries included, and nothing else", async () => {
    const list = [message("my secret", "a")];
    const [first, second] = [recorder((call) => (call === 1 ? notTaken : undefined)), recorder()];
    const { deliverer } = bench([first.hook, second.hook], { redact: veiled });
    await deliverer.deliver(list, asha);
    await deliverer.flush();
    for (const { messages } of [...first.calls, ...second.calls]) expect(messages[0]?.content).toBe("my …");
    expect(first.calls).toHaveLength(2);
    expect(list[0]?.content).toBe("my secret");
  });

  it("is asked once for each delivery: every attempt gets the same", async () => {
    let asked = 0;
    const { hook, calls } = recorder((call) => (call <= 2 ? notTaken : undefined));
    const { deliverer } = bench([hook], {
      redact: (given) => {
        asked += 1;
        return { ...given, content: `${asked}` };
      },
    });
    await deliverer.deliver(messages(1, 1), asha);
    await deliverer.flush();
    await deliverer.flush();
    expect(calls.map((call) => call.messages[0]?.content)).toEqual(["1", "1", "1"]);
  });

  it("does not change a message's identity", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook], { redact: () => message("redacted", "same for all") });
    await deliverer.deliver(messages(1, 2), asha);
    await deliverer.deliver(messages(1, 3), asha);
    expect(calls.map((call) => call.messages.length)).toEqual([2, 1]);
  });

  it.each<[string, (message: Message) => Message]>([
    ["throws", broken],
    ["returns nothing", () => undefined as unknown as Message],
    ["returns a promise", (async (given: Message) => given) as unknown as (message: Message) => Message],
  ])("keeps everything back where it %s, until it works", async (_, fail) => {
    let works = false;
    const { hook, calls } = recorder();
    const { deliverer, warnings } = bench([hook], {
      redact: (given) => (works || given.id === "m1" ? veiled(given) : fail(given)),
    });
    expect(await deliverer.deliver(messages(1, 2), asha)).toMatchObject({ taken: false });
    expect(calls).toHaveLength(0);
    expect(warnings).toHaveLength(1);
    works = true;
    await deliverer.flush();
    expect(calls[0]?.messages).toHaveLength(2);
    expect(calls[0]?.context.attempt).toBe(2);
  });

  it("says what it should have returned", async () => {
    const { deliverer, warnings } = bench([() => {}], { redact: () => undefined as unknown as Message });
    await deliverer.deliver(messages(1, 1), asha);
    const error = warnings[0]?.[1];
    expect(KeepsakeError.isInstance(error) && error.code).toBe("invalid_value");
    expect(String(error)).toContain("redact returned undefined");
  });

  it("is not asked about null, which would hold its neighbours back", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook], { redact: veiled });
    await deliverer.deliver([null as unknown as Message, ...messages(1, 1)], asha);
    expect(calls[0]?.messages).toEqual([null, ...messages(1, 1)]);
  });
});

describe("what the app brings", () => {
  it.each([
    ["throws", broken],
    ["rejects", () => Promise.reject(new Error("broken"))],
  ])("may have an onEvent that %s: it is logged the first time", async (_, onEvent) => {
    const { hook, calls } = recorder();
    const { deliverer, warnings } = bench([hook, hook], { onEvent });
    expect(await deliverer.deliver(messages(1, 1), asha)).toMatchObject({ taken: true });
    await settle();
    expect(warnings).toHaveLength(1);
    await deliverer.deliver(messages(2, 2), asha);
    await settle();
    expect(warnings).toHaveLength(1);
    expect(calls).toHaveLength(4);
  });

  it.each([
    ["throws", broken],
    ["rejects", () => Promise.reject(new Error("broken"))],
  ])("may have a logger that %s", async (_, warn) => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([broken, hook], { logger: { debug: warn, warn }, onEvent: broken });
    expect(await deliverer.deliver(messages(1, 1), asha)).toMatchObject({ taken: false });
    deliverer.deliverSync(messages(2, 2), asha);
    await deliverer.flush();
    expect(calls).toHaveLength(2);
  });

  it("may be a namespace that cannot be read", async () => {
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    const namespace = {
      get user(): string {
        return broken();
      },
    };
    await deliverer.deliver(messages(1, 1), { namespace, threadId: undefined });
    await deliverer.deliver(messages(1, 1), { namespace, threadId: undefined });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.namespace).toBe(namespace);
  });

  it("may be messages that cannot be read", async () => {
    const cyclic: Record<string, unknown> = { role: "user", id: "c" };
    cyclic.content = [cyclic];
    const odd: unknown[] = [
      null,
      undefined,
      7,
      "text",
      [],
      cyclic,
      {
        get role() {
          return broken();
        },
      },
    ];
    const { hook, calls } = recorder();
    const { deliverer } = bench([hook]);
    expect(await deliverer.deliver(odd as Message[], asha)).toMatchObject({ taken: true });
    expect(calls[0]?.messages).toHaveLength(odd.length);
  });
});

describe("events", () => {
  it("tell what happened to each delivery", async () => {
    const { hook } = recorder((call) => (call === 1 ? notTaken : undefined));
    const { deliverer, events } = bench([() => {}, hook]);
    await deliverer.deliver(messages(1, 2), { ...asha, threadId: "t" });
    await deliverer.flush();
    const shared = { count: 2, namespace: asha.namespace, threadId: "t" };
    expect(events).toMatchObject([
      { type: "delivered", hook: 0, attempt: 1, ...shared },
      { type: "failed", hook: 1, attempt: 1, error: notTaken, ...shared },
      { type: "retried", hook: 1, attempt: 2, ...shared },
      { type: "delivered", hook: 1, attempt: 2, ...shared },
    ]);
  });
});
