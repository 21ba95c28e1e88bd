import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { RememberFn } from "../../src/delivery/index.ts";
import { viewOf } from "../../src/message/index.ts";
import {
  contentIds,
  type IdentifyContext,
  MessageReducer,
  type ReducerConfig,
} from "../../src/reducer/index.ts";
import { recordingLogger } from "./histories.ts";

type Message = Readonly<Record<string, unknown>>;

const scope = { namespace: ["memories", "asha"], threadId: "t1" };
const whole = { ...scope, isSummarized: false };

const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content });

/** Alternating questions and answers with these texts. */
const talk = (...texts: readonly string[]): Message[] =>
  texts.map((text, index) => (index % 2 === 0 ? user(text) : assistant(text)));

const copyOf = <T>(value: T): T => structuredClone(value);

/** The ids that a helper gives a list. */
function idsOf(
  identify: ReturnType<typeof contentIds>,
  messages: readonly Message[],
  context = whole,
): unknown[] {
  const list = [...messages];
  return list.map((message, index) => identify(message, { ...context, messages: list, index }));
}

const small = { maxMessages: 4, minMessages: 2, preserveFirst: false, logger: recordingLogger() } as const;

/** A reducer with `contentIds`, and the texts that its hook was given. */
function remembering(config: ReducerConfig<Message> = {}): {
  reducer: MessageReducer<Message>;
  texts: string[];
  given: Message[];
} {
  const given: Message[] = [];
  const texts: string[] = [];
  const hook: RememberFn<Message> = (pruned) => {
    given.push(...pruned);
    texts.push(...pruned.map((message) => viewOf(message).text));
  };
  const reducer = new MessageReducer<Message>({
    ...small,
    identify: contentIds(),
    onPrune: [hook],
    ...config,
  });
  return { reducer, texts, given };
}

describe("the ids of a full history", () => {
  it("tell every message apart, and are the same for the same history in another process", () => {
    const history = talk("hi", "hello", "ok", "done", "ok", "done", "ok");
    const ids = idsOf(contentIds(), history);
    expect(new Set(ids).size).toBe(history.length);
    expect(idsOf(contentIds(), copyOf(history))).toEqual(ids);
  });

  it("stay while it grows, whoever made the objects", () => {
    const history = talk("hi", "hello", "go", "ok", "go", "ok");
    const identify = contentIds();
    const grown = [1, 2, 3, 4, 5, 6].map((length) => idsOf(identify, copyOf(history.slice(0, length))));
    expect(grown[5]).toEqual(idsOf(contentIds(), history));
    for (const ids of grown) expect(grown[5]?.slice(0, ids.length)).toEqual(ids);
  });

  it("see names and arguments of calls, and results", () => {
    const call = (name: string, input: unknown): Message => ({
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "c", toolName: name, input }],
    });
    const result = (value: string): Message => ({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c", toolName: "look", output: { type: "text", value } }],
    });
    const ids = [
      call("look", { at: 1 }),
      call("look", { at: 2 }),
      call("see", { at: 1 }),
      result("a"),
      result("b"),
    ].map((message) => idsOf(contentIds(), [message])[0]);
    expect(new Set(ids).size).toBe(5);
    const keys = [call("look", { a: 1, b: 2 }), call("look", { b: 2, a: 1 })];
    expect(idsOf(contentIds(), keys.slice(0, 1))).toEqual(idsOf(contentIds(), keys.slice(1)));
  });

  it("know the same object at two places", () => {
    const again = user("Continue");
    const history = [again, assistant("a"), again, assistant("b"), again];
    const identify = contentIds();
    const ids = idsOf(identify, history);
    expect(new Set(ids).size).toBe(5);
    expect(idsOf(identify, [...history, assistant("c")]).slice(0, 5)).toEqual(ids);
  });

  it("are those of their scope", () => {
    const identify = contentIds();
    const first = idsOf(identify, talk("hi"));
    expect(idsOf(identify, talk("hi"), { ...whole, threadId: "t2" })).toEqual(first);
    expect(idsOf(identify, talk("hi"), { ...whole, namespace: ["memories", "ben"] })).toEqual(first);
  });
});

describe("the ids of a list that was cut", () => {
  const history = talk("system", "a", "ok", "b", "ok", "c");
  const identified = (): ReturnType<typeof contentIds> => {
    const identify = contentIds();
    idsOf(identify, history);
    return identify;
  };

  it("stay for what occurs once, and are new for what occurs more often", () => {
    const before = idsOf(contentIds(), history);
    const cut = copyOf(history.slice(3));
    const ids = idsOf(identified(), cut);
    expect([ids[0], ids[2]]).toEqual([before[3], before[5]]);
    expect(before).not.toContain(ids[1]);
  });

  it("are new where the same text is said again behind the last message that was seen", () => {
    const before = idsOf(contentIds(), history);
    const ids = idsOf(identified(), copyOf([...history.slice(4), ...talk("ok", "a", "d")]));
    expect(ids[1]).toBe(before[5]);
    for (const id of [ids[0], ids[2], ids[3]]) expect(before).not.toContain(id);
  });

  it("stay before an answer that was made anew", () => {
    const before = idsOf(contentIds(), history);
    const ids = idsOf(identified(), copyOf([...history.slice(0, 5), assistant("other")]));
    expect([ids[0], ids[1], ids[3]]).toEqual([before[0], before[1], before[3]]);
    expect(before).not.toContain(ids[5]);
  });

  it("are new where nothing tells that the list goes on", () => {
    const before = idsOf(contentIds(), history);
    const ids = idsOf(identified(), talk("x", "a", "y"));
    expect(before).not.toContain(ids[1]);
    for (const id of idsOf(identified(), talk("x", "a", "y", "c"))) expect(before).not.toContain(id);
  });

  it("are new for texts that occur twice behind a summary, in any process", () => {
    const list = talk("ok", "a", "ok", "b");
    const summarized = { ...whole, isSummarized: true };
    const [one, other] = [contentIds(), contentIds()].map((identify) => idsOf(identify, list, summarized));
    expect([other?.[1], other?.[3]]).toEqual([one?.[1], one?.[3]]);
    expect(one?.[2]).not.toBe(other?.[2]);
  });
});

it("never gives what was forgotten the id that it had", () => {
  const identify = contentIds();
  const many = Array.from({ length: 20_010 }, (_, index) => user(`text ${index}`));
  const ids = idsOf(identify, many);
  const [again] = idsOf(identify, talk("text 0"));
  expect(ids).not.toContain(again);
  for (let index = 0; index < 12; index += 1) {
    const messages = many.slice(0, 19_000);
    identify(messages[0], { ...whole, threadId: `other ${index}`, messages, index: 0 });
  }
  expect(ids).not.toContain(idsOf(identify, talk("text 20005"))[0]);
});

describe("identify: contentIds()", () => {
  it("delivers two messages of the same text, each once, over overlapping reduces", async () => {
    const { reducer, texts } = remembering();
    const history = talk("ok", "go", "ok", "go", "ok", "go", "ok", "go");
    for (let length = 1; length <= history.length; length += 1)
      await reducer.reduce({ existing: history.slice(0, length), ...scope });
    await Promise.all([1, 2, 3].map(() => reducer.reduce({ existing: history, ...scope })));
    reducer.reduceSync({ existing: history, ...scope });
    await reducer.flush();
    const { pruned } = await reducer.reduce({ existing: history, ...scope });
    expect(texts).toEqual(pruned.map((message) => message.content));
    await reducer.handOver({ messages: history, ...scope });
    await reducer.handOver({ messages: history, ...scope });
    expect(texts.toSorted()).toEqual(history.map((message) => message.content).toSorted());
  });

  it("holds a delivery that failed under the same ids", async () => {
    let fails = true;
    const attempts: [string, number, number][] = [];
    const { reducer } = remembering({
      onPrune: [
        (pruned, _, { deliveryId, attempt }) => {
          attempts.push([deliveryId, attempt, pruned.length]);
          if (fails) throw new Error("down");
        },
      ],
    });
    const history = talk("ok", "go", "ok", "go", "ok", "go");
    await reducer.reduce({ existing: history, ...scope });
    fails = false;
    await reducer.reduce({ existing: history, ...scope });
    const [[id, , count] = []] = attempts;
    expect(attempts).toEqual([
      [id, 1, count],
      [id, 2, count],
    ]);
    const again = remembering({
      onPrune: [(_, __, { deliveryId }) => void attempts.push([deliveryId, 9, 9])],
    });
    await again.reducer.reduce({ existing: copyOf(history), ...scope });
    expect(attempts.at(-1)?.[0]).toBe(id);
  });

  it("summarises each message once", async () => {
    const calls: string[][] = [];
    const { reducer } = remembering({
      summarize: (pruned) => {
        calls.push(pruned.map((message) => viewOf(message).text));
        return "a summary";
      },
    });
    const history = talk("ok", "go", "ok", "go", "ok", "go", "ok");
    for (let length = 1; length <= history.length; length += 1)
      await reducer.reduce({ existing: history.slice(0, length), ...scope });
    const { pruned } = await reducer.reduce({ existing: history, ...scope });
    expect(calls.flat()).toEqual(pruned.map((message) => message.content));
  });

  it("keeps its types, and so does a function of one argument", () => {
    interface Note {
      readonly role: string;
      readonly uuid: string;
    }
    const hook: RememberFn<Note> = () => {};
    const withHelper = new MessageReducer({ identify: contentIds(), onPrune: [hook] });
    expectTypeOf(withHelper).toEqualTypeOf<MessageReducer<Note>>();
    const byUuid = new MessageReducer({ identify: (message: Note) => message.uuid });
    expectTypeOf(byUuid).toEqualTypeOf<MessageReducer<Note>>();
    const inPlace = new MessageReducer<Note>({
      identify: (message, { messages, index }) => `${message.uuid}${index}${messages.length}`,
    });
    expectTypeOf(inPlace).toEqualTypeOf<MessageReducer<Note>>();
  });

  it("gives identify the list and the place, without summary blocks", async () => {
    const seen: IdentifyContext[] = [];
    const reducer = new MessageReducer<Message>({
      ...small,
      summarize: () => "a summary",
      injectSummary: true,
      onPrune: [() => {}],
      identify: (message, context) => {
        expect(context.messages[context.index]).toBe(message);
        seen.push(context);
        return undefined;
      },
    });
    const { surviving } = await reducer.reduce({ existing: talk("a", "b", "c", "d", "e", "f"), ...scope });
    expect(surviving).toHaveLength(4);
    expect(seen.every(({ isSummarized }) => !isSummarized)).toBe(true);
    seen.length = 0;
    await reducer.reduce({ existing: surviving, new: talk("g", "h"), ...scope });
    expect(seen.length).toBeGreaterThan(0);
    for (const context of seen) {
      expect(context).toMatchObject({ ...scope, isSummarized: true });
      expect(context.messages).toEqual([...surviving.slice(2), ...talk("g", "h")]);
    }
  });
});

/** How a host writes a message without an id: the AI SDK's model messages, and the items of OpenAI's Agents. */
const shapes: Readonly<Record<string, (role: "user" | "assistant", text: string) => Message>> = {
  "AI SDK": (role, text) => ({ role, content: [{ type: "text", text }] }),
  "AI SDK, plain": (role, text) => ({ role, content: text }),
  Agents: (role, text) =>
    role === "user"
      ? { type: "message", role, content: [{ type: "input_text", text }] }
      : { type: "message", role, status: "completed", content: [{ type: "output_text", text }] },
};

const texts = fc.constantFrom("ok", "go on", "yes", "no");
/** Rounds of a conversation: each is a question and an answer. */
const rounds = fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 14 });
const limits = fc.record({ maxMessages: fc.integer({ min: 2, max: 8 }), preserveFirst: fc.boolean() });

/** What a host keeps for the next call. */
type Host = (history: readonly Message[], surviving: readonly Message[], cut: number) => readonly Message[];

const hosts: Readonly<Record<string, Host>> = {
  "full history each call": (history) => history,
  "survivors passed on": (_, surviving) => surviving,
  "cut by the host itself": (history, _, cut) => history.slice(-cut),
};

describe.each(Object.entries(shapes))("random conversations with repeated texts, %s", (_, make) => {
  it.each(Object.entries(hosts))("%s: nothing is never delivered", async (style, host) => {
    await fc.assert(
      fc.asyncProperty(
        rounds,
        limits,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 14, maxLength: 14 }),
        async (conversation, limit, cuts) => {
          const { reducer, given } = remembering({ ...limit, minMessages: 1 });
          const left = new Set<Message>();
          let history: readonly Message[] = [];
          for (const [index, [question, answer]] of conversation.entries()) {
            const list = [...history, make("user", question), make("assistant", answer)];
            const { surviving, pruned } = await reducer.reduce({ existing: list, ...scope });
            for (const message of pruned) left.add(message);
            history = host(list, surviving, cuts[index] as number);
          }
          const delivered = new Set(given);
          expect([...left].filter((message) => !delivered.has(message))).toEqual([]);
          if (style === "full history each call") expect(given).toHaveLength(left.size);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("full history, copied: nothing is never delivered", async () => {
    await fc.assert(
      fc.asyncProperty(rounds, limits, async (conversation, limit) => {
        const { reducer, given } = remembering({ ...limit, minMessages: 1 });
        const history: Message[] = [];
        for (const [question, answer] of conversation) {
          history.push(make("user", question), make("assistant", answer));
          await reducer.reduce({ existing: copyOf(history), ...scope });
        }
        await reducer.handOver({ messages: copyOf(history), ...scope });
        expect(missing(history, given)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

/** The texts that were said more often than they were delivered. */
function missing(said: readonly Message[], given: readonly Message[]): string[] {
  const rest = given.map((message) => viewOf(message).text);
  return said.flatMap((message) => {
    const { text } = viewOf(message);
    const place = rest.indexOf(text);
    if (place >= 0) rest.splice(place, 1);
    return place >= 0 ? [] : [text];
  });
}

/** Reduces at each message, saves the survivors as copies, and hands over at the end. */
async function saveCopies(said: readonly Message[], config: ReducerConfig<Message>): Promise<Message[]> {
  const { reducer, given } = remembering(config);
  let existing: readonly Message[] = [];
  for (const message of said)
    existing = copyOf((await reducer.reduce({ existing, new: [message], ...scope })).surviving);
  await reducer.handOver({ messages: existing, ...scope });
  return given;
}

describe("a host that saves the survivors as copies", () => {
  const pairs = (count: number, question: string, answer: string): Message[] =>
    Array.from({ length: count }, (_, index) => talk(`${question}${index}`, `${answer}${index}`)).flat();
  it.each<[string, Message[], ReducerConfig<Message>]>([
    ["two texts", talk("u", "a", "u", "a", "u", "a", "u", "a"), { preserveFirst: true }],
    [
      "a stretch of two texts among others",
      [
        ...pairs(10, "q", "r"),
        ...Array.from({ length: 15 }, () => talk("continue", "Done.")).flat(),
        ...pairs(5, "x", "y"),
      ],
      { maxMessages: undefined, minMessages: undefined, preserveFirst: true },
    ],
  ])("loses no message: %s", async (_, said, config) => {
    expect(missing(said, await saveCopies(said, config))).toEqual([]);
  });

  it.each([2, 3, 5, 8])("loses no message of a random conversation of %d texts", async (count) => {
    const text = fc.integer({ min: 0, max: count - 1 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 16 }),
        fc.integer({ min: 3, max: 6 }),
        fc.boolean(),
        fc.boolean(),
        async (conversation, maxMessages, preserveFirst, hasPrompt) => {
          const prompt = hasPrompt ? [{ role: "system", content: "Be brief." }] : [];
          const turns = conversation.flatMap(([question, answer]) => talk(`u${question}`, `a${answer}`));
          const given = await saveCopies([...prompt, ...turns], { maxMessages, preserveFirst });
          expect(missing(turns, given)).toEqual([]);
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe("copies of a full history", () => {
  it("that may be a cut list, too: ids stay for what occurs once, and are new for what occurs again", () => {
    const history = talk("a", "b", "x", "b", "a", "b");
    const identify = contentIds();
    const ids = idsOf(identify, history);
    expect(idsOf(identify, [...history])).toEqual(ids);
    const copied = idsOf(identify, copyOf(history));
    for (const index of [0, 1, 3, 4, 5]) expect(ids).not.toContain(copied[index]);
    expect(new Set(copied).size).toBe(6);
  });

  it.each([1, 2])("that grow by %d, of unlike texts: each once", async (step) => {
    const { reducer, given } = remembering();
    const said = talk(...Array.from({ length: 30 }, (_, index) => `text ${index}`));
    for (let length = step; length <= said.length; length += step)
      await reducer.reduce({ existing: copyOf(said.slice(0, length)), ...scope });
    await reducer.reduce({ existing: copyOf(said), ...scope });
    await reducer.handOver({ messages: copyOf(said), ...scope });
    expect(given).toEqual(said);
  });

  it("with texts that occur again, but not the way that it began: each once", async () => {
    const { reducer, given } = remembering();
    const said = [...talk("hi", "hello"), ...Array.from({ length: 10 }, () => talk("go on", "done")).flat()];
    for (let length = 1; length <= said.length; length += 1)
      await reducer.reduce({ existing: copyOf(said.slice(0, length)), ...scope });
    await reducer.handOver({ messages: copyOf(said), ...scope });
    expect(given).toEqual(said);
  });
});
