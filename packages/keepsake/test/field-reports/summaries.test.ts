import { describe, expect, it } from "vitest";
import { MessageReducer, type SummarizeContext, validateWindow, viewOf } from "../../src/index.ts";
import { SHAPES, type Shape, tokensIn, writeShape } from "./shapes.ts";
import { isWireShape, WIRE_PROVIDERS } from "./wire-shapes.ts";

const SILENT = { debug: () => {}, warn: () => {} };
const NAMESPACE = ["memories", "asha"];

const write = writeShape;
const ids = (messages: readonly unknown[]): string[] =>
  messages.map((message) => viewOf(message).id ?? "block");
const turns = (count: number): string => Array.from({ length: count }, () => "U A").join(" ");

describe("langchain-ai/langmem #118: the second summary does not hold the first", () => {
  describe.each(SHAPES)("%s", (shape) => {
    it.each([true, false])(
      "each summary is made of the one before and what is new; one block stays (through JSON: %s)",
      async (throughJson) => {
        const asked: { pruned: string[]; before: string | undefined }[] = [];
        const summarize = (pruned: unknown[], { previousSummary }: SummarizeContext): string => {
          asked.push({ pruned: ids(pruned), before: previousSummary });
          return `summary ${asked.length}`;
        };
        const reducer = new MessageReducer<unknown>({
          maxMessages: 6,
          minMessages: 2,
          preserveFirst: false,
          summarize,
          injectSummary: true,
          logger: SILENT,
        });
        let state: unknown[] = [];
        const all = write(turns(12), shape === "getters" && throughJson ? "plain" : shape);
        for (let at = 0; at < all.length; at += 2) {
          const kept = throughJson ? (JSON.parse(JSON.stringify(state)) as unknown[]) : state;
          const { surviving } = await reducer.reduce({
            existing: kept,
            new: all.slice(at, at + 2),
            namespace: NAMESPACE,
            threadId: "t1",
          });
          const blocks = surviving.filter((message) =>
            viewOf(message).text.includes(`summary ${asked.length}`),
          );
          expect(blocks).toHaveLength(asked.length > 0 ? 1 : 0);
          expect(surviving.length).toBeLessThanOrEqual(6);
          state = surviving;
        }
        expect(asked.length).toBeGreaterThan(2);
        expect(asked.map(({ before }) => before)).toEqual(
          asked.map((_, index) => (index === 0 ? undefined : `summary ${index}`)),
        );
        const everPruned = asked.flatMap(({ pruned }) => pruned);
        expect(everPruned).toEqual(ids(all).slice(0, everPruned.length));
      },
    );
  });
});

describe("langchain-ai/langmem #98: results are doubled after summarising", () => {
  describe.each(SHAPES)("%s", (shape) => {
    it.each(["U A[1,2] T(1) T(2)", "U A U A[1,2] T(1) T(2) A", "U A[1] T(1) U A[2,3] T(3) T(2) U"])(
      "%s: each message at most once at every step",
      async (notation) => {
        const all = write(notation, shape);
        const left: unknown[] = [];
        const reducer = new MessageReducer<unknown>({
          maxMessages: 3,
          minMessages: 1,
          preserveFirst: false,
          summarize: (pruned) => `${pruned.length}`,
          injectSummary: true,
          onPrune: [(pruned) => void left.push(...pruned)],
          logger: SILENT,
        });
        let state: unknown[] = [];
        for (const message of all) {
          state = (
            await reducer.reduce({ existing: state, new: [message], namespace: NAMESPACE, threadId: "t1" })
          ).surviving;
          expect(new Set(state).size).toBe(state.length);
        }
        const own = [...left, ...state.filter((message) => all.includes(message))];
        expect(own).toHaveLength(all.length);
        expect(new Set(own)).toEqual(new Set(all));
      },
    );
  });
});

describe("langchain-ai/langchain #38867, smart-second-brain #435: a failed summary replaces the history", () => {
  const failures: [string, () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("model is down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("timed out"))],
    ["returns an empty text", () => ""],
    ["returns white space", () => " \n"],
    ["returns nothing", () => undefined],
    ["returns no text", () => ({ content: "summary" })],
    ["returns more than the window holds", () => "word ".repeat(50_000)],
  ];

  it.each(failures)(
    "a summariser that %s changes nothing but the cut, says so, and is asked again for all of it",
    async (_, fail) => {
      const asked: string[][] = [];
      const events: string[] = [];
      let works = false;
      const summarize = (pruned: unknown[]): string => {
        asked.push(ids(pruned));
        return works ? "all of it" : (fail() as string);
      };
      const all = write(turns(20), "plain");
      const reducer = new MessageReducer<unknown>({
        maxTokens: 150,
        preserveFirst: false,
        summarize,
        injectSummary: true,
        logger: SILENT,
        onEvent: ({ type }) => void events.push(type),
      });
      const request = { namespace: NAMESPACE, threadId: "t1" };
      const first = await reducer.reduce({ ...request, existing: all });
      expect(first.summary).toBeNull();
      expect([...first.pruned, ...first.surviving]).toEqual(all);
      expect(events).toContain("summary_failed");
      works = true;
      const more = Array.from({ length: 3 }, (_, index) => [
        { role: "user", id: `n${index}`, content: "and one more question about this" },
        { role: "assistant", id: `o${index}`, content: "and one more answer to that" },
      ]).flat();
      const second = await reducer.reduce({ ...request, existing: first.surviving, new: more });
      expect(second.summary).toBe("all of it");
      expect(asked.at(-1)).toEqual([...ids(first.pruned), ...ids(second.pruned)]);
    },
  );

  it("keeps the block that was there", async () => {
    let works = true;
    const summarize = (): string => {
      if (!works) throw new Error("model is down");
      return "the first ten";
    };
    const reducer = new MessageReducer<unknown>({
      maxMessages: 6,
      minMessages: 2,
      preserveFirst: false,
      summarize,
      injectSummary: true,
      logger: SILENT,
    });
    const all = write(turns(12), "openai");
    const request = { namespace: NAMESPACE, threadId: "t1" };
    const first = await reducer.reduce({ ...request, existing: all.slice(0, 12) });
    works = false;
    const second = await reducer.reduce({ ...request, existing: first.surviving, new: all.slice(12) });
    expect(second.summary).toBeNull();
    expect(second.surviving.filter((message) => viewOf(message).text.includes("the first ten"))).toHaveLength(
      1,
    );
  });
});

describe("langchain-ai/langchain #39261: a placeholder is put in without calling the model", () => {
  it.each([1, 2, 5])(
    "no summary stands in the window that the summariser did not write (%i prunes)",
    async (prunes) => {
      let calls = 0;
      const reducer = new MessageReducer<unknown>({
        maxMessages: 6,
        minMessages: 2,
        preserveFirst: false,
        summarize: () => `written ${++calls}`,
        injectSummary: true,
        logger: SILENT,
      });
      let state: unknown[] = [];
      const all = write(turns(3 + 2 * prunes), "plain");
      for (let at = 0; at < all.length; at += 4) {
        const { surviving, pruned, summary } = await reducer.reduce({
          existing: state,
          new: all.slice(at, at + 4),
          namespace: NAMESPACE,
          threadId: "t1",
        });
        if (pruned.length > 0) expect(summary).toBe(`written ${calls}`);
        state = surviving;
      }
      const [block] = state.filter((message) => !all.includes(message));
      expect(viewOf(block).text).toContain(`written ${calls}`);
    },
  );
});

describe("pi #8196, pi-agent-suite #18, opencode #27924, letta #3279, openclaw #113701: one huge result makes compaction loop", () => {
  describe.each(SHAPES)("%s", (shape) => {
    it.each(["U A[c1] T(c1){20000}", "S U A U A[c1] T(c1){20000}", "U A[c1,c2] T(c1){20000} T(c2){20000}"])(
      "%s is kept, said to be over budget, and never cut or summarised again",
      async (notation) => {
        const messages = write(notation, shape);
        const tokensOf = tokensIn(notation, shape, messages);
        let calls = 0;
        const summarize = (): string => {
          calls++;
          return "s";
        };
        const tokenCounter = (message: unknown): number => tokensOf.get(message) ?? 3;
        const reducer = new MessageReducer<unknown>({
          maxTokens: 1000,
          tokenCounter,
          preserveFirst: false,
          summarize,
          injectSummary: true,
          logger: SILENT,
        });
        const request = { namespace: NAMESPACE, threadId: "t1" };
        const first = await reducer.reduce({ ...request, existing: [...messages] });
        expect(first.overBudget).toBe(true);
        const asked = calls;
        for (let again = 0; again < 5; again++) {
          const { surviving, pruned, overBudget } = await reducer.reduce({
            ...request,
            existing: first.surviving,
          });
          expect({ surviving, pruned, overBudget }).toEqual({
            surviving: first.surviving,
            pruned: [],
            overBudget: true,
          });
        }
        expect(calls).toBe(asked);
      },
    );
  });
});

describe("hermes-agent PR #1720, Flowise #2297, context-guru #112: the role of the summary collides", () => {
  const blockRoles = async (
    notation: string,
    shape: Shape,
    settings: { maxMessages: number; minMessages: number },
  ): Promise<string> => {
    const reducer = new MessageReducer<unknown>({
      ...settings,
      summarize: () => "so far",
      injectSummary: true,
      logger: SILENT,
    });
    const { surviving } = await reducer.reduce({ existing: write(notation, shape) });
    if (isWireShape(shape))
      expect(validateWindow(surviving, { provider: WIRE_PROVIDERS[shape] })).toEqual([]);
    // Results are the user's messages in some formats.
    const letterOf = (message: unknown): string | undefined =>
      viewOf(message).results.length > 0 ? "T" : viewOf(message).role[0]?.toUpperCase();
    return surviving.map(letterOf).join(" ");
  };

  describe.each(SHAPES)("%s", (shape) => {
    it.each([
      ["S U A U A U A U A", { maxMessages: 6, minMessages: 2 }, "S H A H A"],
      ["S U A U A U A[c1] T(c1) A", { maxMessages: 8, minMessages: 2 }, "S H A H A T A"],
      ["S U A U A[c1] T(c1) A[c2] T(c2)", { maxMessages: 6, minMessages: 2 }, "S H A H A T"],
      ["S S U A U A U A", { maxMessages: 6, minMessages: 2 }, "S S H A H A"],
    ] as const)("%s: behind the system prompt and before the user", async (notation, settings, roles) => {
      expect(await blockRoles(notation, shape, settings)).toBe(roles);
    });
  });
});
