import { describe, expect, it } from "vitest";
import { createMemoryStoreManager } from "../../../src/memory/manager/store-manager.ts";
import { type ReflectionPayload, type ReflectOptions, reflect } from "../../../src/memory/reflect/reflect.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { insert, quiet, said, scriptedModel } from "../manager/scripted-model.ts";

const namespace = ["memories", "{user}"];
const of = (user: string, thread?: string) => ({
  configurable: { user, ...(thread === undefined ? {} : { thread_id: thread }) },
});
const message = (content: string) => ({ role: "user", content, id: content });
const payload = (...contents: string[]): ReflectionPayload => ({ messages: contents.map(message) });

/** Time that passes when a test says so. */
function handTimers() {
  const set = new Map<number, { run: () => void; due: number }>();
  let [now, ids] = [0, 0];
  return {
    timers: {
      set(run: () => void, delayMs: number) {
        ids += 1;
        set.set(ids, { run, due: now + delayMs });
        return ids;
      },
      clear: (timer: unknown) => void set.delete(Number(timer)),
    },
    async pass(ms: number) {
      now += ms;
      for (const [id, { run, due }] of [...set]) if (due <= now && set.delete(id)) run();
      await new Promise((resolve) => setImmediate(resolve));
    },
    count: () => set.size,
  };
}

function reflectionOf(
  options: ReflectOptions = {},
  work: (text: string, config: unknown) => unknown = (text) => text,
) {
  const clock = handTimers();
  const calls: string[] = [];
  const warnings: unknown[][] = [];
  const reflector = async ({ messages }: ReflectionPayload, config: unknown): Promise<unknown> => {
    const text = `${Object(config).configurable.user}: ${messages.map((one) => Object(one).content).join(" ")}`;
    calls.push(text);
    return work(text, config);
  };
  const logger = { debug() {}, warn: (...args: unknown[]) => void warnings.push(args) };
  const reflection = reflect(reflector, {
    namespace,
    afterMs: 100,
    timers: clock.timers,
    logger,
    ...options,
  });
  return { reflection, calls, warnings, ...clock };
}

describe("reflect", () => {
  it("waits until a thread has been quiet, and reflects once upon all that was submitted", async () => {
    const { reflection, calls, pass } = reflectionOf();
    const first = reflection.submit(payload("a", "b"), { config: of("asha", "1") });
    await pass(90);
    const second = reflection.submit(payload("b", "c"), { config: of("asha", "1") });
    await pass(90);
    expect(calls).toEqual([]);
    await pass(10);
    expect(calls).toEqual(["asha: a b c"]);
    expect(await Promise.all([first.done, second.done])).toEqual(["asha: a b c", "asha: a b c"]);
    expect(reflection.pending).toBe(0);
  });

  it("keeps namespaces and threads apart, also without a thread id", async () => {
    const { reflection, calls, pass } = reflectionOf({ concurrency: 10 });
    reflection.submit(payload("a"), { config: of("asha") });
    reflection.submit(payload("b"), { config: of("ben") });
    reflection.submit(payload("c"), { config: of("asha", "1") });
    reflection.submit(payload("d"), { config: of("asha", "2") });
    reflection.submit(payload("e"), { config: of("asha", "2"), threadId: "1" });
    reflection.submit(payload("f"), { config: of("asha"), threadId: null });
    reflection.submit(payload("g"), { config: of("asha"), threadId: null });
    await pass(100);
    expect(calls.sort()).toEqual(["asha: a", "asha: c e", "asha: d", "asha: f", "asha: g", "ben: b"]);
  });

  it("keeps stores apart", async () => {
    const { reflection, calls, pass } = reflectionOf();
    reflection.submit(payload("a"), { config: { ...of("asha"), store: new InMemoryStore() } });
    reflection.submit(payload("b"), { config: { ...of("asha"), store: new InMemoryStore() } });
    await pass(100);
    expect(calls.sort()).toEqual(["asha: a", "asha: b"]);
  });

  it("never does cancelled work, and cancels nobody else's", async () => {
    const { reflection, calls, pass, count } = reflectionOf();
    const mine = reflection.submit(payload("a"), { config: of("asha", "1") });
    reflection.submit(payload("b"), { config: of("asha", "1") });
    const alone = reflection.submit(payload("c"), { config: of("ben") });
    expect([mine.cancel(), alone.cancel(), alone.cancel()]).toEqual([true, true, true]);
    expect(await Promise.all([mine.done, alone.done])).toEqual([undefined, undefined]);
    expect(count()).toBe(1);
    await pass(100);
    await reflection.close();
    expect(calls).toEqual(["asha: b"]);
  });

  it("goes on where a thread was cancelled or done before", async () => {
    const { reflection, calls, pass } = reflectionOf();
    const running = reflection.submit(payload("a"), { config: of("asha", "1") });
    await pass(100);
    expect(running.cancel()).toBe(false);
    reflection.submit(payload("b"), { config: of("asha", "1") }).cancel();
    reflection.submit(payload("c"), { config: of("asha", "1") });
    reflection.submit(payload("d"), { config: of("asha", "1") });
    await pass(100);
    expect(calls).toEqual(["asha: a", "asha: c d"]);
  });

  it("works on one thread once at a time, and on as many as concurrency says", async () => {
    const open: (() => void)[] = [];
    const { reflection, calls, pass } = reflectionOf(
      { concurrency: 2 },
      () => new Promise<void>((resolve) => open.push(resolve)),
    );
    for (const user of ["asha", "ben", "cem"]) reflection.submit(payload("1"), { config: of(user) });
    await pass(100);
    reflection.submit(payload("2"), { config: of("asha") });
    await pass(100);
    expect(calls).toEqual(["asha: 1", "ben: 1"]);
    open[1]?.();
    await pass(0);
    expect(calls).toEqual(["asha: 1", "ben: 1", "cem: 1"]);
    open[2]?.();
    await pass(0);
    expect(calls).toHaveLength(3);
    open[0]?.();
    await pass(0);
    expect(calls.at(-1)).toBe("asha: 2");
    open[3]?.();
  });

  it("does what waits when it is flushed or closed, without its delay; or cancels it", async () => {
    const { reflection, calls } = reflectionOf();
    reflection.submit(payload("a"), { config: of("asha") });
    await reflection.flush();
    reflection.submit(payload("b"), { config: of("asha") });
    await reflection.close();
    expect(calls).toEqual(["asha: a", "asha: b"]);
    expect(() => reflection.submit(payload("c"), { config: of("asha") })).toThrow(
      expect.objectContaining({ code: "closed" }),
    );
    const other = reflectionOf();
    const { done } = other.reflection.submit(payload("d"), { config: of("asha") });
    await other.reflection.close({ drain: false });
    expect([await done, other.calls, other.count()]).toEqual([undefined, [], 0]);
  });

  it("tells of failures to who waits, warns, and goes on", async () => {
    const { reflection, calls, warnings } = reflectionOf({}, (text) => {
      if (text.endsWith("a")) throw new Error("overloaded");
    });
    const { done } = reflection.submit(payload("a"), { config: of("asha") });
    reflection.submit(payload("a"), { config: of("ben") });
    reflection.submit(payload("b"), { config: of("cem") });
    await reflection.flush();
    await expect(done).rejects.toThrow("overloaded");
    expect(warnings).toHaveLength(2);
    expect(calls).toHaveLength(3);
  });

  it("keeps what was submitted as it was then, without the run's signal", async () => {
    const seen: unknown[] = [];
    const { reflection } = reflectionOf({}, (_, config) => void seen.push(config));
    const config = { ...of("asha", "1"), signal: AbortSignal.abort(), deliveryId: "d" };
    const messages = [message("a")];
    reflection.submit({ messages }, { config });
    messages.push(message("b"));
    config.configurable.user = "ben";
    await reflection.flush();
    expect(seen).toMatchObject([{ configurable: { user: "asha" }, deliveryId: "d" }]);
    expect(seen[0]).not.toHaveProperty("signal");
  });

  it("warns where the process exits before the work is done, and not afterwards", async () => {
    const before = process.listeners("exit");
    const addedListeners = () => process.listeners("exit").filter((listener) => !before.includes(listener));
    const { reflection, warnings } = reflectionOf();
    reflection.submit(payload("a"), { config: of("asha") });
    for (const listener of addedListeners()) Reflect.apply(listener, process, [0]);
    expect(warnings).toEqual([[expect.stringContaining("exiting with 1 reflections pending")]]);
    await reflection.close();
    expect(addedListeners()).toEqual([]);
  });

  it("writes with a manager, in the store of the run that submitted", async () => {
    const store = new InMemoryStore();
    const manager = createMemoryStoreManager(scriptedModel(insert("Memory", "Likes tea.")), {
      logger: quiet,
    });
    const reflection = reflect(manager);
    const config = { configurable: { langgraph_user_id: "asha", thread_id: "1" }, store };
    const { done } = reflection.submit({ messages: said("I like tea.") }, { config });
    await reflection.close();
    expect(await done).toMatchObject([{ namespace: ["memories", "asha"] }]);
    expect(await store.count(["memories", "asha"])).toBe(1);
  });

  it.each([
    ["a reflector without a namespace", () => reflect(() => 1), "invalid_config"],
    ["a reflector that is none", () => reflect(5 as never), "invalid_config"],
    ["a negative delay", () => reflectionOf({ afterMs: -1 }), "invalid_config"],
    [
      "a submission without its user",
      () => reflectionOf().reflection.submit(payload("a")),
      "missing_namespace_value",
    ],
    [
      "a payload without messages",
      () => reflectionOf().reflection.submit({} as never, { config: of("asha") }),
      "invalid_input",
    ],
    [
      "a thread id that is none",
      () => reflectionOf().reflection.submit(payload("a"), { config: of("asha"), threadId: {} as never }),
      "invalid_config",
    ],
  ])("refuses %s", (_, make, code) => {
    expect(make).toThrow(expect.objectContaining({ code }));
  });
});
