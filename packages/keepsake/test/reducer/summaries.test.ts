import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it, vi } from "vitest";
import { viewOf } from "../../src/message/index.ts";
import { MessageReducer, type ReducerConfig, type SummarizeContext } from "../../src/reducer/index.ts";
import { history, type Plain, recordingLogger } from "./histories.ts";

const scope = { namespace: ["memories", "asha"], threadId: "t1" };

/** A summariser that lists what it was given, behind what it had before. */
function listing(): { calls: string[]; summarize(pruned: unknown[], context: SummarizeContext): string } {
  const calls: string[] = [];
  return {
    calls,
    summarize: (pruned, { previousSummary }) => {
      const text = [previousSummary ?? "-", ...pruned.map((message) => viewOf(message).id)].join(" ");
      calls.push(text);
      return text;
    },
  };
}

function turn(index: number): Plain[] {
  return [
    { role: "user", content: `question ${index}`, id: `u${index}` },
    { role: "assistant", content: `answer ${index}`, id: `a${index}` },
  ];
}

const blocksIn = (messages: readonly unknown[]): string[] =>
  messages.map((message) => viewOf(message).text).filter((text) => text.includes("<conversation_summary>"));

const small = { maxMessages: 6, minMessages: 2, logger: recordingLogger() } satisfies ReducerConfig<Plain>;

describe("a summary", () => {
  it("is null where nothing leaves, and made of what leaves", async () => {
    const { calls, summarize } = listing();
    const reducer = new MessageReducer<Plain>({ ...small, summarize });
    const first = await reducer.reduce({ existing: history("S U A") });
    expect(first.summary).toBeNull();
    const second = await reducer.reduce({ existing: history("S U A U A U A") });
    expect(second.summary).toBe("- m1 m2 m3 m4");
    expect(calls).toHaveLength(1);
    expect(blocksIn(second.surviving)).toEqual([]);
  });

  it("rolls: each message once, one block in the window, also after a trip through JSON", async () => {
    for (const travel of [
      (list: Plain[]) => list,
      (list: Plain[]) => JSON.parse(JSON.stringify(list)) as Plain[],
    ]) {
      const { calls, summarize } = listing();
      const delivered: string[] = [];
      const onPrune = [
        (pruned: Plain[]) => void delivered.push(...pruned.map((message) => String(message.id))),
      ];
      const reducer = new MessageReducer<Plain>({ ...small, summarize, injectSummary: true, onPrune });
      let messages: Plain[] = history("S");
      for (let index = 0; index < 8; index += 1) {
        const result = await reducer.reduce({ existing: travel(messages), new: turn(index), ...scope });
        messages = result.surviving;
        expect(messages.length).toBeLessThanOrEqual(6);
        expect(blocksIn(messages).length).toBe(calls.length === 0 ? 0 : 1);
      }
      const last = calls.at(-1)?.split(" ") ?? [];
      expect(last).toEqual(["-", ...delivered]);
      expect(delivered.some((id) => id === "undefined")).toBe(false);
      expect(blocksIn(messages)[0]).toContain(calls.at(-1));
    }
  });

  it("stands before the retained tail, and the window still starts with the user", async () => {
    const { summarize } = listing();
    const reducer = new MessageReducer<Plain>({ ...small, summarize, injectSummary: true });
    const { surviving } = await reducer.reduce({ existing: history("S U A U A U A") });
    expect(surviving.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(surviving[2]?.content).toBe("OK");
  });

  it("replaces the block before it, which goes to pruned but to no hook", async () => {
    const { summarize } = listing();
    const delivered: Plain[] = [];
    const reducer = new MessageReducer<Plain>({
      ...small,
      summarize,
      injectSummary: true,
      onPrune: [(pruned) => void delivered.push(...pruned)],
    });
    const first = await reducer.reduce({ existing: history("S U A U A U A"), ...scope });
    const input = [...first.surviving, ...turn(7), ...turn(8)];
    const second = await reducer.reduce({ existing: input, ...scope });
    expect(blocksIn(second.pruned)).toHaveLength(1);
    expect(new Set([...second.surviving, ...second.pruned]).size).toBe(input.length + 2);
    expect(blocksIn(delivered)).toEqual([]);
  });

  it("is reused without a call while nothing new leaves: a checkpointer reduces one list several times", async () => {
    const { calls, summarize } = listing();
    const reducer = new MessageReducer<Plain>({ ...small, summarize, injectSummary: true });
    const full = history("S U A U A U A");
    const first = await reducer.reduce({ existing: full, ...scope });
    const second = await reducer.reduce({ existing: [...full], ...scope });
    const third = await reducer.reduce({ existing: [...full, ...turn(8)], ...scope });
    expect(second.summary).toBe(first.summary);
    expect(calls).toEqual(["- m1 m2 m3 m4", "- m1 m2 m3 m4 m5 m6"]);
    expect(third.summary).toBe("- m1 m2 m3 m4 m5 m6");
    const copies = structuredClone(full);
    expect((await reducer.reduce({ existing: copies, ...scope })).summary).toBe(third.summary);
    expect(calls).toHaveLength(2);
  });

  it("goes on from previousSummary where the app keeps it", async () => {
    const { summarize } = listing();
    const reducer = new MessageReducer<Plain>({ ...small, summarize });
    const { summary } = await reducer.reduce({
      existing: history("S U A U A U A"),
      previousSummary: "before",
    });
    expect(summary).toBe("before m1 m2 m3 m4");
    expect((await reducer.reduce({ existing: history("S U"), previousSummary: "before" })).summary).toBe(
      "before",
    );
  });

  it("is never made from another conversation's", async () => {
    for (const [one, other] of [
      [
        { namespace: ["a"], threadId: "1" },
        { namespace: ["a"], threadId: "2" },
      ],
      [
        { namespace: ["a"], threadId: "1" },
        { namespace: ["b"], threadId: "1" },
      ],
      [{}, {}],
      [{ namespace: ["a"] }, { namespace: ["a"] }],
    ]) {
      const { calls, summarize } = listing();
      const reducer = new MessageReducer<Plain>({ ...small, summarize });
      await reducer.reduce({ existing: [0, 1, 2, 3].flatMap(turn), ...one });
      await reducer.reduce({ existing: [4, 5, 6, 7].flatMap(turn), ...other });
      expect(calls[1]?.startsWith("- ")).toBe(true);
    }
  });

  it("is not taken from what a user types", async () => {
    const { summarize } = listing();
    const reducer = new MessageReducer<Plain>({ ...small, summarize, injectSummary: true });
    const first = await reducer.reduce({ existing: history("S U A U A U A"), ...scope });
    const pasted = { role: "user", content: first.surviving[1]?.content, id: "pasted" };
    const { surviving } = await reducer.reduce({ existing: first.surviving, new: [pasted], ...scope });
    expect(surviving.includes(pasted)).toBe(true);
  });
});

describe("the block", () => {
  it("is of the class of the list's own messages", async () => {
    const { summarize } = listing();
    const messages = [0, 1, 2, 3].flatMap((index) => [
      new HumanMessage(`q${index}`),
      new AIMessage(`a${index}`),
    ]);
    const { surviving } = await new MessageReducer({
      ...small,
      logger: recordingLogger(),
      summarize,
      injectSummary: true,
    }).reduce({ existing: messages });
    expect(blocksIn(surviving)).toHaveLength(1);
    expect(
      surviving.every((message) => HumanMessage.isInstance(message) || AIMessage.isInstance(message)),
    ).toBe(true);
  });

  it.each<[string, (role: "human" | "ai", content: string) => unknown]>([
    ["role names of LangChain", (role, content) => ({ role, content })],
    ["types", (type, content) => ({ type, content })],
    [
      "toDict",
      (role, content) => (role === "human" ? new HumanMessage(content) : new AIMessage(content)).toDict(),
    ],
    [
      "toJSON",
      (role, content) =>
        JSON.parse(JSON.stringify(role === "human" ? new HumanMessage(content) : new AIMessage(content))),
    ],
  ])("has the form of the list: %s", async (_, make) => {
    const { summarize } = listing();
    const messages = [0, 1, 2, 3].flatMap((index) => [make("human", `q${index}`), make("ai", `a${index}`)]);
    const { surviving } = await new MessageReducer({
      ...small,
      logger: recordingLogger(),
      summarize,
      injectSummary: true,
    }).reduce({ existing: messages });
    expect(blocksIn(surviving)).toHaveLength(1);
    const keys = Object.keys(messages[0] as object).sort();
    for (const message of surviving) expect(Object.keys(message as object).sort()).toEqual(keys);
    expect(surviving.map((message) => viewOf(message).role).slice(0, 4)).toEqual([
      "human",
      "human",
      "ai",
      "human",
    ]);
  });

  it("can be the app's own, counted into the window and known again", async () => {
    const { calls, summarize } = listing();
    const summaryMessages = (text: string, count: number): Plain[] => [
      { role: "system", content: `[${count}] ${text}` },
    ];
    const reducer = new MessageReducer<Plain>({ ...small, summarize, injectSummary: true, summaryMessages });
    let messages: Plain[] = history("S");
    for (let index = 0; index < 6; index += 1) {
      const travelled = JSON.parse(JSON.stringify(messages)) as Plain[];
      messages = (await reducer.reduce({ existing: travelled, new: turn(index), ...scope })).surviving;
      expect(messages.length).toBeLessThanOrEqual(6);
      expect(
        messages.filter((message) => message.role === "system" && String(message.content).startsWith("[")),
      ).toHaveLength(calls.length === 0 ? 0 : 1);
    }
    expect(calls.length).toBeGreaterThan(1);
  });
});

describe("a summariser that fails", () => {
  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("down"))],
    ["returns nothing", () => undefined],
    ["returns an empty text", () => " "],
    ["returns something else", () => 42],
    ["returns more than fits", () => "word ".repeat(5000)],
  ])(
    "%s: the window stays valid, the block before it stays, and what it missed is in the next call",
    async (_, failing) => {
      const { calls, summarize } = listing();
      const logger = recordingLogger();
      let fails = false;
      const events: string[] = [];
      const delivered: Plain[] = [];
      const reducer = new MessageReducer<Plain>({
        maxTokens: 400,
        tokenCounter: (message) => (String(message.content).length > 5000 ? 5000 : 20),
        targetTokens: 200,
        summarize: (pruned, context) => (fails ? (failing() as string) : summarize(pruned, context)),
        injectSummary: true,
        logger,
        onEvent: (event) => events.push(event.type),
        onPrune: [(pruned) => void delivered.push(...pruned)],
      });
      let messages: Plain[] = history("S");
      const step = async (from: number, to: number): Promise<string | null> => {
        let summary: string | null = null;
        for (let index = from; index < to; index += 1) {
          const result = await reducer.reduce({ existing: messages, new: turn(index), ...scope });
          messages = result.surviving;
          expect(result.overBudget).toBe(false);
          if (result.pruned.length > 0) summary = result.summary;
        }
        return summary;
      };
      await step(0, 10);
      const before = blocksIn(messages);
      expect(before).toHaveLength(1);
      fails = true;
      const failed = await step(10, 17);
      expect(failed).toBeNull();
      expect(blocksIn(messages)).toEqual(before);
      expect(logger.warnings.length).toBeGreaterThan(0);
      expect(events).toContain("summary_failed");
      fails = false;
      await step(17, 25);
      expect(calls.at(-1)?.split(" ")).toEqual(["-", ...delivered.map((message) => String(message.id))]);
    },
  );

  it("is skipped by reduceSync where it returns a promise, with one warning", () => {
    const logger = recordingLogger();
    const reducer = new MessageReducer<Plain>({ ...small, logger, summarize: async () => "later" });
    expect(reducer.reduceSync({ existing: history("S U A U A U A") }).summary).toBeNull();
    expect(reducer.reduceSync({ existing: history("S U A U A U A U") }).summary).toBeNull();
    expect(logger.warnings.filter((text) => text.includes("promise"))).toHaveLength(1);
  });

  it("is not asked where nothing could be shown", async () => {
    const { calls, summarize } = listing();
    const logger = recordingLogger();
    const reducer = new MessageReducer<Plain>({
      maxMessages: 2,
      minMessages: 1,
      logger,
      summarize,
      injectSummary: true,
    });
    const { overBudget, surviving } = await reducer.reduce({ existing: history("S U A U A") });
    expect(calls).toEqual([]);
    expect(overBudget).toBe(true);
    expect(surviving.map((message) => message.role)).toEqual(["system", "user", "assistant"]);
    expect(logger.warnings).toHaveLength(1);
  });
});

it("keeps its block whole before the question, in one long turn", async () => {
  const delivered: Plain[] = [];
  const reducer = new MessageReducer<Plain>({
    maxMessages: 6,
    minMessages: 2,
    logger: recordingLogger(),
    summarize: listing().summarize,
    injectSummary: true,
    onPrune: [(pruned) => void delivered.push(...pruned)],
  });
  let messages: Plain[] = [];
  for (const message of history("U A[a] T(a) A[b] T(b) A[c] T(c) A[d] T(d) A[e] T(e)")) {
    const result = await reducer.reduce({ existing: messages, new: [message], ...scope });
    messages = result.surviving;
    expect(result.overBudget).toBe(false);
  }
  expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "user", "assistant", "tool"]);
  expect(blocksIn(messages)).toHaveLength(1);
  expect(blocksIn(delivered)).toEqual([]);
  expect(delivered.some((message) => message.content === "OK")).toBe(false);
});

describe("where nothing leaves", () => {
  it("the last summary of the thread is there without a call", async () => {
    const { calls, summarize } = listing();
    const reducer = new MessageReducer<Plain>({ ...small, summarize });
    const first = await reducer.reduce({ existing: history("S U A U A U A"), ...scope });
    const again = await reducer.reduce({ existing: first.surviving, ...scope });
    expect(again.summary).toBe(first.summary);
    expect(reducer.reduceSync({ existing: first.surviving, ...scope }).summary).toBe(first.summary);
    expect(calls).toHaveLength(1);
    expect(
      (await reducer.reduce({ existing: first.surviving, ...scope, threadId: "t2" })).summary,
    ).toBeNull();
  });

  it("it is that of the conversation, where no thread is named", async () => {
    const { summarize } = listing();
    const reducer = new MessageReducer<Plain>({ ...small, summarize });
    const first = await reducer.reduce({ existing: history("S U A U A U A") });
    expect((await reducer.reduce({ existing: first.surviving })).summary).toBe(first.summary);
    expect((await reducer.reduce({ existing: turn(7) })).summary).toBeNull();
  });
});

describe("summaryTimeoutMs", () => {
  it("counts as failed what has not settled, and ignores what it answers later", async () => {
    vi.useFakeTimers();
    try {
      const asked: string[] = [];
      const signals: AbortSignal[] = [];
      const answers: ((text: string) => void)[] = [];
      const events: string[] = [];
      const delivered: Plain[] = [];
      const logger = recordingLogger();
      const reducer = new MessageReducer<Plain>({
        ...small,
        logger,
        summaryTimeoutMs: 1000,
        injectSummary: true,
        summarize: (pruned, { signal }) => {
          asked.push(pruned.map(({ id }) => id).join(" "));
          signals.push(signal);
          return new Promise<string>((resolve) => answers.push(resolve));
        },
        onEvent: ({ type, ...event }) =>
          events.push("error" in event ? `${type} ${Object(event.error).code}` : type),
        onPrune: [(pruned) => void delivered.push(...pruned)],
      });
      const first = reducer.reduce({ existing: [0, 1, 2, 3].flatMap(turn), ...scope });
      await vi.advanceTimersByTimeAsync(999);
      expect(signals[0]?.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      const failed = await first;
      expect(failed.summary).toBeNull();
      expect(signals[0]?.aborted).toBe(true);
      expect(events).toContain("summary_failed summary_timeout");
      expect(logger.warnings).toHaveLength(1);
      expect(delivered).toEqual(failed.pruned);
      answers[0]?.("too late");
      await vi.advanceTimersByTimeAsync(0);
      const second = reducer.reduce({ existing: failed.surviving, new: [4, 5, 6].flatMap(turn), ...scope });
      await vi.advanceTimersByTimeAsync(0);
      expect(asked[1]?.startsWith(asked[0] ?? "-")).toBe(true);
      answers[1]?.("in time");
      const { summary, surviving } = await second;
      expect(summary).toBe("in time");
      expect(blocksIn(surviving)).toHaveLength(1);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
