import { describe, expect, it } from "vitest";
import { notTaken, type RememberFn } from "../../src/delivery/index.ts";
import { MessageReducer, type ReducerConfig, type ReducerEvent } from "../../src/reducer/index.ts";
import { history, lineOf, type Plain, recordingLogger } from "./histories.ts";

const small = { maxMessages: 4, minMessages: 2, logger: recordingLogger() } satisfies ReducerConfig<Plain>;
const long = history("S U A U A U A");

/** A hook that keeps what it is given. */
function keeping(): { line(): string; hook: RememberFn<Plain, unknown>; namespaces: unknown[] } {
  const messages: Plain[] = [];
  const namespaces: unknown[] = [];
  return {
    namespaces,
    line: () => lineOf(messages),
    hook: (pruned, namespace) => {
      messages.push(...pruned);
      namespaces.push(namespace);
    },
  };
}

describe("hooks", () => {
  it("get what leaves, in order, with the namespace as it is", async () => {
    const { hook, namespaces, line } = keeping();
    const reducer = new MessageReducer<Plain, unknown>({ ...small, onPrune: [hook] });
    const odd = new Map([["tenant", 7]]);
    await reducer.reduce({ existing: long, namespace: odd });
    expect(line()).toBe("U A U A");
    expect(namespaces).toEqual([odd]);
    expect(namespaces[0]).toBe(odd);
  });

  it("get null where the caller passes no namespace", async () => {
    const { hook, namespaces } = keeping();
    await new MessageReducer<Plain, unknown>({ ...small, onPrune: [hook] }).reduce({ existing: long });
    expect(namespaces).toEqual([null]);
  });

  it("see each message once over overlapping lists", async () => {
    const { hook, line } = keeping();
    const reducer = new MessageReducer<Plain, unknown>({ ...small, onPrune: [hook] });
    const list: Plain[] = [];
    for (const message of history("S U A U A U A U A U A")) {
      list.push(message);
      await reducer.reduce({ existing: structuredClone(list), namespace: ["m"] });
    }
    await Promise.all(
      [1, 2, 3].map(() => reducer.reduce({ existing: structuredClone(list), namespace: ["m"] })),
    );
    expect(line()).toBe("U A U A U A U A");
  });

  it("are not silenced by ids that repeat in another thread, or by another content", async () => {
    const { hook, line } = keeping();
    const reducer = new MessageReducer<Plain, unknown>({ ...small, onPrune: [hook] });
    await reducer.reduce({ existing: long, namespace: ["m"], threadId: "1" });
    await reducer.reduce({ existing: long, namespace: ["m"], threadId: "2" });
    await reducer.reduce({
      existing: long.map((message) => ({ ...message, content: `${message.content}!` })),
      namespace: ["m"],
      threadId: "2",
    });
    expect(line()).toBe("U A U A U A U A U A U A");
  });

  it("that throw, reject or do not take it break nothing, and are offered the same delivery again", async () => {
    const logger = recordingLogger();
    const attempts: [string, number][] = [];
    let mood: () => unknown = () => {
      throw new Error("down");
    };
    const { hook, line } = keeping();
    const failing: RememberFn<Plain> = (_, __, { deliveryId, attempt }) => {
      attempts.push([deliveryId, attempt]);
      return mood();
    };
    const reducer = new MessageReducer<Plain>({
      ...small,
      logger,
      onPrune: [failing, hook as RememberFn<Plain>],
    });
    const { surviving } = await reducer.reduce({ existing: long, namespace: ["m"] });
    expect(lineOf(surviving)).toBe("S U A");
    expect(line()).toBe("U A U A");
    mood = () => Promise.reject(new Error("still down"));
    await reducer.reduce({ existing: surviving, namespace: ["m"] });
    mood = () => notTaken;
    await reducer.flush();
    mood = () => undefined;
    await reducer.handOver({ messages: [], namespace: ["m"] });
    await reducer.flush();
    expect(attempts.map(([, attempt]) => attempt)).toEqual([1, 2, 3, 4]);
    expect(new Set(attempts.map(([id]) => id)).size).toBe(1);
    expect(logger.warnings).toHaveLength(2);
  });

  it("that mutate what they get change nothing", async () => {
    const { hook, line } = keeping();
    const reducer = new MessageReducer<Plain, unknown>({
      ...small,
      onPrune: [(pruned) => void pruned.splice(0), hook],
    });
    const { pruned } = await reducer.reduce({ existing: long });
    expect(line()).toBe("U A U A");
    expect(lineOf(pruned)).toBe("U A U A");
  });

  it("that never settle are given up after hookTimeoutMs", async () => {
    const logger = recordingLogger();
    let aborted = false;
    const never: RememberFn<Plain> = (_, __, { signal }) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          aborted = true;
        });
      });
    const reducer = new MessageReducer<Plain>({ ...small, logger, onPrune: [never], hookTimeoutMs: 20 });
    expect((await reducer.reduce({ existing: long })).pruned).toHaveLength(4);
    expect(aborted).toBe(true);
    expect(logger.warnings).toHaveLength(1);
  });

  it("get redacted copies; a redact that throws hands nothing over", async () => {
    const { hook, line } = keeping();
    const redact = (message: Plain): Plain => ({ ...message, content: "R" });
    await new MessageReducer<Plain, unknown>({ ...small, onPrune: [hook], redact }).reduce({
      existing: long,
    });
    expect(line()).toBe("R R R R");
    const other = keeping();
    const broken = new MessageReducer<Plain, unknown>({
      ...small,
      onPrune: [other.hook],
      redact: () => {
        throw new Error("no");
      },
    });
    expect((await broken.reduce({ existing: long })).pruned).toHaveLength(4);
    expect(other.line()).toBe("");
  });

  it("are told what cannot be read only in the result, with one warning", async () => {
    const logger = recordingLogger();
    const { hook, line } = keeping();
    const reducer = new MessageReducer<unknown, unknown>({
      ...small,
      logger,
      onPrune: [hook as RememberFn<unknown, unknown>],
    });
    const list: unknown[] = [null, ...history("S U A"), 7, [], undefined];
    for (let time = 0; time < 2; time += 1) {
      const { surviving, pruned } = await reducer.reduce({ existing: list });
      expect(surviving).toHaveLength(3);
      expect(pruned).toEqual([null, 7, [], undefined]);
    }
    expect(line()).toBe("");
    expect(logger.warnings).toHaveLength(1);
  });
});

describe("identify", () => {
  it("gives the id part of the identity; a throw or a wrong value counts as none", async () => {
    for (const [identify, times] of [
      [(message: Plain) => String(message.content), 1],
      [() => undefined, 2],
      [() => 7 as never, 2],
      [
        () => {
          throw new Error("no");
        },
        2,
      ],
    ] as const) {
      const { hook, namespaces } = keeping();
      const reducer = new MessageReducer<Plain, unknown>({
        ...small,
        logger: recordingLogger(),
        onPrune: [hook],
        identify,
      });
      const bare = long.map(({ id: _, ...message }) => message);
      await reducer.reduce({ existing: structuredClone(bare) });
      await reducer.reduce({ existing: structuredClone(bare) });
      expect(namespaces).toHaveLength(times);
    }
  });
});

describe('onHookError: "retain"', () => {
  it("keeps the messages in the window until the hook takes them, then delivers each once", async () => {
    let up = false;
    const { hook, line } = keeping();
    const { calls, summarize } = {
      calls: [] as number[],
      summarize: (pruned: Plain[]) => String(calls.push(pruned.length)),
    };
    const reducer = new MessageReducer<Plain, unknown>({
      ...small,
      summarize,
      onHookError: "retain",
      onPrune: [(pruned, namespace, context) => (up ? hook(pruned, namespace, context) : notTaken)],
    });
    const first = await reducer.reduce({ existing: [null as never, ...long], namespace: ["m"] });
    expect(first.surviving).toEqual(long);
    expect(first.pruned).toEqual([null]);
    expect(first.overBudget).toBe(true);
    expect(calls).toEqual([]);
    const grown = [...first.surviving, { role: "user", content: "U 7", id: "m7" }];
    expect((await reducer.reduce({ existing: grown, namespace: ["m"] })).surviving).toEqual(grown);
    up = true;
    const last = await reducer.reduce({ existing: grown, namespace: ["m"] });
    expect(lineOf(last.surviving)).toBe("S U A U");
    expect(line()).toBe("U A U A");
    expect(calls).toEqual([4]);
  });
});

describe("handOver", () => {
  it("delivers what has not been delivered, once, and no system message, no summary block, nothing unreadable", async () => {
    const { hook, line } = keeping();
    const reducer = new MessageReducer<Plain, unknown>({
      ...small,
      maxMessages: 6,
      onPrune: [hook],
      summarize: () => "sum",
      injectSummary: true,
    });
    const { surviving } = await reducer.reduce({ existing: long, namespace: ["m"] });
    expect(surviving.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    await reducer.handOver({ messages: [...surviving, null as never], namespace: ["m"] });
    await reducer.handOver({ messages: surviving, namespace: ["m"] });
    expect(line()).toBe("U A U A U A");
    await reducer.handOver({ messages: null, namespace: ["m"] });
    await expect(reducer.handOver({ messages: "all" as never })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});

describe("reduceSync", () => {
  it("reduces the same, starts the hooks, and flush awaits them", async () => {
    const { hook, line } = keeping();
    const slow: RememberFn<Plain, unknown> = async (pruned, namespace, context) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      hook(pruned, namespace, context);
    };
    const reducer = new MessageReducer<Plain, unknown>({ ...small, onPrune: [slow] });
    const { surviving } = reducer.reduceSync({
      existing: long.slice(0, 3),
      new: long.slice(3),
      namespace: ["m"],
    });
    expect(lineOf(surviving)).toBe("S U A");
    expect(line()).toBe("");
    await reducer.flush();
    expect(line()).toBe("U A U A");
  });
});

describe("asLangGraphReducer", () => {
  it("merges and reduces, with single messages and missing lists", async () => {
    const { hook, namespaces } = keeping();
    const reducer = new MessageReducer<Plain, unknown>({ ...small, onPrune: [hook] });
    const reduce = reducer.asLangGraphReducer({ namespace: ["m"] });
    expect(reduce(undefined, undefined)).toEqual([]);
    expect(lineOf(reduce(long.slice(0, 2), long[2]))).toBe("S U A");
    expect(lineOf(reduce(long.slice(0, 4), long.slice(4)))).toBe("S U A");
    expect(namespaces).toEqual([["m"]]);
    const newestFirst = reducer.asLangGraphReducer({
      merge: (existing, incoming) => [...incoming, ...existing],
    });
    expect(lineOf(newestFirst(long.slice(1, 3), long.slice(0, 1)))).toBe("S U A");
  });

  it("refuses an async summarize", () => {
    const reducer = new MessageReducer<Plain>({ ...small, summarize: async () => "later" });
    expect(() => reducer.asLangGraphReducer()).toThrow(expect.objectContaining({ code: "async_in_sync" }));
  });
});

describe("events", () => {
  it("tell what happened, stamped by the clock; a listener that throws breaks nothing", async () => {
    const events: ReducerEvent[] = [];
    const reducer = new MessageReducer<Plain>({
      ...small,
      now: () => 42,
      summarize: () => "sum",
      onPrune: [() => {}],
      onEvent: (event) => {
        events.push(event);
        throw new Error("no");
      },
    });
    await reducer.reduce({ existing: long, namespace: ["m"], threadId: "t" });
    expect(events.map((event) => event.type).sort()).toEqual(["delivered", "pruned", "summarised"]);
    for (const event of events) expect(event).toMatchObject({ at: 42, namespace: ["m"], threadId: "t" });
    const tight = new MessageReducer<Plain>({
      maxMessages: 1,
      minMessages: 1,
      onEvent: (event) => events.push(event),
    });
    await tight.reduce({ existing: history("S U") });
    expect(events.at(-1)).toMatchObject({ type: "over_budget", messages: 2 });
  });
});
