import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { messagesReducer } from "../../src/adapters/langgraph/messages-reducer.ts";
import {
  type DurableHook,
  durable,
  InMemoryOutbox,
  type Outbox,
  type RememberFn,
} from "../../src/delivery/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";
import { type Message, message, messages } from "./harness.ts";

const asha = ["memories", "asha"];
const quiet = { debug: () => {}, warn: () => {} };

/** An outbox that can be made to refuse, to lose its answers, or to have no synchronous commit. */
function troubled(inner: InMemoryOutbox = new InMemoryOutbox()): {
  outbox: Outbox;
  state: { refuses: boolean; losesAnswers: boolean; isAsync: boolean };
} {
  const state = { refuses: false, losesAnswers: false, isAsync: false };
  const enqueue = (delivery: Parameters<Outbox["enqueue"]>[0]): { deliveryId: string } | null => {
    if (state.refuses) throw new Error("disk full");
    const made = inner.enqueueSync(delivery);
    if (state.losesAnswers) throw new Error("connection lost");
    return made;
  };
  const outbox = new Proxy<Outbox>(inner, {
    get(_, name) {
      if (name === "enqueueSync") return state.isAsync ? undefined : enqueue;
      if (name === "enqueue") return async (delivery: never) => enqueue(delivery);
      const value: unknown = Reflect.get(inner, name);
      return typeof value === "function" ? value.bind(inner) : value;
    },
  });
  return { outbox, state };
}

function hookOn(outbox: Outbox, name = "remember"): { hook: DurableHook<Message>; texts: string[] } {
  const texts: string[] = [];
  const hook = durable<Message>((pruned) => void texts.push(...pruned.map(({ content }) => content)), {
    name,
    outbox,
    logger: quiet,
  });
  return { hook, texts };
}

function reducerWith(hook: DurableHook<Message>, more: object = {}): MessageReducer<Message> {
  return new MessageReducer<Message>({
    maxMessages: 6,
    minMessages: 3,
    preserveFirst: false,
    onPrune: [hook],
    logger: quiet,
    ...more,
  });
}

const textsOf = (list: readonly Message[]): string[] => list.map(({ content }) => content);

test("reduce resolves when what leaves is committed", async () => {
  const outbox = new InMemoryOutbox();
  const { hook, texts } = hookOn(outbox);
  const { pruned } = await reducerWith(hook).reduce({
    existing: messages(1, 8),
    namespace: asha,
    threadId: "t1",
  });
  expect(await hook.stats()).toMatchObject({ pending: 1, claimed: pruned.length });
  await hook.drain();
  expect(texts).toEqual(textsOf(pruned));
});

test.each(["skip", "retain"])(
  "what cannot be committed stays in the window and leaves later (onHookError %s)",
  async (onHookError) => {
    const { outbox, state } = troubled();
    const { hook, texts } = hookOn(outbox);
    const reducer = reducerWith(hook, { onHookError });
    const list = messages(1, 8);
    state.refuses = true;
    const held = await reducer.reduce({ existing: list, namespace: asha });
    expect(held).toMatchObject({ surviving: list, pruned: [] });
    state.refuses = false;
    const { surviving, pruned } = await reducer.reduce({ existing: held.surviving, namespace: asha });
    expect([...pruned, ...surviving]).toEqual(list);
    expect(pruned.length).toBeGreaterThan(0);
    await hook.drain();
    expect(texts).toEqual(textsOf(pruned));
  },
);

test("another hook that fails does not hold messages back, nor does it get them twice", async () => {
  const { outbox, state } = troubled();
  const { hook, texts } = hookOn(outbox);
  const inline: string[] = [];
  const reducer = reducerWith(hook, {
    onPrune: [
      (pruned: Message[]) => void inline.push(...textsOf(pruned)),
      hook,
      () => {
        throw new Error("always");
      },
    ],
  });
  state.refuses = true;
  const held = await reducer.reduce({ existing: messages(1, 8), namespace: asha });
  expect(held.pruned).toEqual([]);
  state.refuses = false;
  const { pruned } = await reducer.reduce({ existing: held.surviving, namespace: asha });
  await hook.drain();
  expect(inline).toEqual(textsOf(pruned));
  expect(texts).toEqual(textsOf(pruned));
});

test.each([true, false])(
  "an answer that was lost delivers nothing twice (messages with ids: %s)",
  async (withIds) => {
    const { outbox, state } = troubled();
    const { hook, texts } = hookOn(outbox);
    const reducer = reducerWith(hook);
    const list = withIds ? messages(1, 8) : messages(1, 8).map(({ content }) => message(content));
    state.losesAnswers = true;
    const held = await reducer.reduce({ existing: list, namespace: asha });
    expect(held.pruned).toEqual([]);
    state.losesAnswers = false;
    const { pruned } = await reducer.reduce({ existing: held.surviving, namespace: asha });
    await hook.drain();
    expect(texts).toEqual(textsOf(pruned));
  },
);

test("after a restart, on overlapping saves and in several instances each message is delivered once", async () => {
  const outbox = new InMemoryOutbox();
  const list = messages(1, 30);
  const { hook, texts } = hookOn(outbox);
  const reducers = [reducerWith(hook), reducerWith(hook), reducerWith(hook)];
  await Promise.all(
    list.flatMap((_, end) =>
      reducers.map((reducer) =>
        reducer.reduce({ existing: list.slice(0, end + 1), namespace: asha, threadId: "t1" }),
      ),
    ),
  );
  await hook[Symbol.asyncDispose]();

  const again = hookOn(outbox);
  const { pruned } = await reducerWith(again.hook).reduce({
    existing: list,
    namespace: asha,
    threadId: "t1",
  });
  await again.hook.drain();
  expect([...texts, ...again.texts].sort()).toEqual(textsOf(pruned).sort());

  await reducerWith(again.hook).reduce({ existing: list, namespace: asha, threadId: "t2" });
  await reducerWith(again.hook).reduce({ existing: list, namespace: ["memories", "ben"], threadId: "t1" });
  await again.hook.drain();
  expect(again.texts.length + texts.length).toBe(3 * pruned.length);
});

test("identify and redact are respected: claims are those of the originals", async () => {
  const outbox = new InMemoryOutbox();
  const { hook, texts } = hookOn(outbox);
  const more = {
    identify: ({ content }: Message) => content,
    redact: (original: Message) => ({ ...original, content: `redacted ${original.content.length}` }),
  };
  const list = messages(1, 8).map(({ content }) => message(content));
  const { pruned } = await reducerWith(hook, more).reduce({ existing: list, namespace: asha });
  await reducerWith(hook, more).reduce({ existing: structuredClone(list), namespace: asha });
  await hook.drain();
  expect(texts).toEqual(pruned.map(({ content }) => `redacted ${content.length}`));
});

test("two durable hooks of one outbox each get every message", async () => {
  const outbox = new InMemoryOutbox();
  const one = hookOn(outbox, "one");
  const two = hookOn(outbox, "two");
  const { pruned } = await reducerWith(one.hook, { onPrune: [one.hook, two.hook] }).reduce({
    existing: messages(1, 8),
    namespace: asha,
  });
  await reducerWith(two.hook).reduce({ existing: messages(1, 8), namespace: asha });
  await Promise.all([one.hook.drain(), two.hook.drain()]);
  expect([one.texts, two.texts]).toEqual([textsOf(pruned), textsOf(pruned)]);
});

test("two durable hooks that one hook calls each get every message", async () => {
  const outbox = new InMemoryOutbox();
  const one = hookOn(outbox, "one");
  const two = hookOn(outbox, "two");
  const both: RememberFn<Message> = async (...given) => {
    await one.hook(...given);
    await two.hook(...given);
  };
  const { pruned } = await reducerWith(one.hook, { onPrune: [both] }).reduce({
    existing: messages(1, 8),
    namespace: asha,
  });
  await Promise.all([one.hook.drain(), two.hook.drain()]);
  expect([one.texts, two.texts]).toEqual([textsOf(pruned), textsOf(pruned)]);
});

test("handOver commits what never left, once; flush commits what failed", async () => {
  const { outbox, state } = troubled();
  const { hook, texts } = hookOn(outbox);
  const reducer = reducerWith(hook);
  const list = messages(1, 8);
  const { surviving } = await reducer.reduce({ existing: list, namespace: asha });
  state.refuses = true;
  await expect(reducer.handOver({ messages: surviving, namespace: asha })).rejects.toMatchObject({
    code: "not_committed",
    data: { count: surviving.length },
  });
  expect((await hook.stats()).pending).toBe(1);
  state.refuses = false;
  await reducer.flush();
  await reducer.handOver({ messages: surviving, namespace: asha });
  await hook.drain();
  expect(texts).toEqual(textsOf(list));
});

/** A list in which one message has no JSON, and a reducer that notes what it warns of. */
function unkept(): { list: Message[]; warnings: unknown[]; more: object } {
  const list = messages(1, 12);
  Object.assign(Object(list[1]), { tool: { run: () => 1 } });
  const warnings: unknown[] = [];
  const warn = (_text: string, ...details: unknown[]): void => void warnings.push(...details);
  return { list, warnings, more: { logger: { debug: () => {}, warn } } };
}

const lookUp = { id: "c1", type: "function", function: { name: "look_up", arguments: "{}" } };
const unserialisable = { code: "unserialisable_message", data: { id: "m2", path: "tool.run" } };

test("a message that cannot be serialised stays in the window, and the others leave", async () => {
  const { hook, texts } = hookOn(new InMemoryOutbox());
  const { list, warnings, more } = unkept();
  const reducer = reducerWith(hook, more);
  let window = list.slice(0, 6);
  for (const next of list.slice(6)) {
    const { surviving, overBudget } = await reducer.reduce({
      existing: window,
      new: [next],
      namespace: asha,
    });
    window = surviving;
    expect(window.length).toBeLessThanOrEqual(6);
    expect(window).toContain(list[1]);
    expect(overBudget).toBe(false);
  }
  expect(warnings).toMatchObject([unserialisable]);
  await hook.drain();
  const left = list.filter((one) => !window.includes(one));
  expect(texts).toEqual(textsOf(left));
});

test("what cannot be serialised stays with its exchange, also in a synchronous reduce", () => {
  const outbox = new InMemoryOutbox();
  const { hook } = hookOn(outbox);
  const exchange = [
    { role: "assistant", content: "", id: "call", tool_calls: [lookUp], extra: () => 1 },
    { role: "tool", content: "found", id: "result", tool_call_id: "c1" },
  ] as unknown as Message[];
  const list = [...messages(1, 1), ...exchange, ...messages(2, 9)];
  const { surviving, pruned } = reducerWith(hook).reduceSync({ existing: list, namespace: asha });
  expect(surviving).toEqual(expect.arrayContaining(exchange));
  expect(pruned.length).toBeGreaterThan(0);
  expect(outbox.stats()).toMatchObject({ claimed: pruned.length });
});

test("what redact cannot make safe stays in the window", async () => {
  const { hook, texts } = hookOn(new InMemoryOutbox());
  const list = messages(1, 8);
  const redact = (one: Message): Message => {
    if (one === list[1]) throw new Error("no");
    return one;
  };
  const { surviving, pruned } = await reducerWith(hook, { redact }).reduce({
    existing: list,
    namespace: asha,
  });
  expect(surviving).toContain(list[1]);
  await hook.drain();
  expect(texts).toEqual(textsOf(pruned));
});

test("what redact makes no message of stays in the window, and the others leave", async () => {
  const { hook, texts } = hookOn(new InMemoryOutbox());
  const list = messages(1, 8);
  const redact = (one: Message): Message => (one === list[1] ? (undefined as never) : one);
  const { surviving, pruned } = await reducerWith(hook, { redact }).reduce({
    existing: list,
    namespace: asha,
  });
  expect(surviving).toContain(list[1]);
  expect(pruned.length).toBeGreaterThan(0);
  await hook.drain();
  expect(texts).toEqual(textsOf(pruned));
});

test("what a codec makes undefined stays in the window, and the others leave", async () => {
  const list = messages(1, 8);
  const texts: string[] = [];
  const codec = {
    encode: (one: Message) => (one.id === list[1]?.id ? (undefined as never) : { ...one }),
    decode: (body: unknown) => body as Message,
  };
  const hook = durable<Message>((pruned) => void texts.push(...textsOf(pruned)), {
    ...{ name: "remember", outbox: new InMemoryOutbox(), logger: quiet, codec },
  });
  const { surviving, pruned } = await reducerWith(hook).reduce({ existing: list, namespace: asha });
  expect(surviving).toContain(list[1]);
  expect(pruned.length).toBeGreaterThan(0);
  await hook.drain();
  expect(texts).toEqual(textsOf(pruned));
});

test("what a codec decodes to undefined is a failed attempt, not a message", async () => {
  const hook = durable<Message>(() => {}, {
    ...{ name: "remember", outbox: new InMemoryOutbox(), logger: quiet, maxAttempts: 1 },
    codec: { encode: (one: Message) => ({ ...one }), decode: () => undefined as never },
  });
  await hook(messages(1, 2), asha);
  expect(await hook.drain()).toMatchObject({ delivered: 0, failed: 1 });
  expect((await hook.deadLetters())[0]?.error).toMatch(/decode returned undefined/);
});

test("an oversized message that cannot be serialised stays whole, and the others leave", async () => {
  const { hook, texts } = hookOn(new InMemoryOutbox());
  const long = { ...message("word ".repeat(400), "long"), tool: () => 1 };
  const list = [...messages(1, 2), long, ...messages(3, 9)];
  const { surviving, pruned, truncated } = await reducerWith(hook, { maxMessageTokens: 50 }).reduce({
    existing: list,
    namespace: asha,
  });
  expect(surviving).toContain(long);
  expect(truncated).toEqual([]);
  expect(pruned.length).toBeGreaterThan(0);
  await hook.drain();
  expect(texts).toEqual(textsOf(pruned));
});

test.each([
  ["a call without a result", { role: "assistant", content: "", id: "x", tool_calls: [lookUp] }],
  ["a result without a call", { role: "tool", content: "found", id: "x", tool_call_id: "gone" }],
  ["an empty message", { role: "assistant", content: "", id: "x" }],
])("%s that cannot be serialised stays, whatever repair says, and the others leave", async (_, broken) => {
  const { hook, texts } = hookOn(new InMemoryOutbox());
  const stuck: Message = Object.assign(broken, { extra: () => 1 });
  const list = [...messages(1, 1), stuck, ...messages(2, 9)];
  const { surviving, pruned } = await reducerWith(hook).reduce({ existing: list, namespace: asha });
  expect(surviving).toContain(stuck);
  expect(surviving.length).toBeLessThanOrEqual(6);
  await hook.drain();
  expect(texts).toEqual(textsOf(pruned));
});

test("handOver commits what can be serialised, and tells of the rest", async () => {
  const { hook, texts } = hookOn(new InMemoryOutbox());
  const { list, more } = unkept();
  await expect(reducerWith(hook, more).handOver({ messages: list, namespace: asha })).rejects.toMatchObject({
    code: "not_committed",
    data: { count: 1 },
  });
  await hook.drain();
  expect(texts).toEqual(textsOf(list.filter((one) => one !== list[1])));
});

test("a namespace without JSON is refused, and the messages stay", async () => {
  const outbox = new InMemoryOutbox();
  const { hook } = hookOn(outbox);
  const list = messages(1, 8);
  const namespace = new Map() as never;
  expect(await reducerWith(hook).reduce({ existing: list, namespace })).toMatchObject({ surviving: list });
});

test("reduceSync commits before it returns; what cannot be committed stays in the window", async () => {
  const { outbox, state } = troubled();
  const { hook, texts } = hookOn(outbox);
  const reducer = reducerWith(hook, { onPrune: [async () => {}, hook] });
  const list = messages(1, 8);
  state.refuses = true;
  expect(reducer.reduceSync({ existing: list, namespace: asha })).toMatchObject({
    surviving: list,
    pruned: [],
  });
  state.refuses = false;
  const { pruned } = reducer.reduceSync({ existing: list, namespace: asha });
  expect(outbox.stats()).toMatchObject({ pending: 1, claimed: pruned.length });
  reducer.reduceSync({ existing: list, namespace: asha });
  await reducer.flush();
  await hook.drain();
  expect(texts).toEqual(textsOf(pruned));
});

test("a synchronous reduce is refused where the outbox cannot commit at once, unless it leaves the hooks out", async () => {
  const { outbox, state } = troubled();
  state.isAsync = true;
  const { hook } = hookOn(outbox);
  const reducer = reducerWith(hook);
  const refused = expect.objectContaining({ code: "async_in_sync" });
  expect(() => reducer.reduceSync({ existing: messages(1, 8), namespace: asha })).toThrow(refused);
  expect(() => reducer.asLangGraphReducer()).toThrow(refused);
  expect(() => messagesReducer(reducer, { hooks: true })).toThrow(refused);
  expect(reducer.reduceSync({ existing: messages(1, 8), deliver: false }).pruned.length).toBeGreaterThan(0);
  expect(messagesReducer(reducer)([], [])).toEqual([]);
  const { pruned } = await reducer.reduce({ existing: messages(1, 8), namespace: asha });
  expect(await hook.stats()).toMatchObject({ claimed: pruned.length });
});

test("messagesReducer with hooks commits at once", async () => {
  const outbox = new InMemoryOutbox();
  const seen: unknown[] = [];
  const hook = durable((pruned) => void seen.push(...pruned), { name: "remember", outbox });
  const reducer = new MessageReducer({
    maxMessages: 4,
    minMessages: 2,
    preserveFirst: false,
    onPrune: [hook],
  });
  const merge = messagesReducer(reducer, { hooks: true, namespace: asha });
  const list = Array.from({ length: 8 }, (_, index) =>
    index % 2
      ? new AIMessage({ content: `a${index}`, id: `${index}` })
      : new HumanMessage({ content: `h${index}`, id: `${index}` }),
  );
  const left = list.length - merge([], list).length;
  expect(outbox.stats()).toMatchObject({ pending: 1, claimed: left });
  await hook.drain();
  expect(seen).toHaveLength(left);
  expect(seen[0]).toMatchObject({ type: "human", content: "h0", id: "0" });
});
