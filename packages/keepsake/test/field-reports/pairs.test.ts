import { describe, expect, it } from "vitest";
import { reduceReport, type Settings, SHAPES, wordsAt } from "./shapes.ts";

/** History, settings, and the window that is right. */
type Row = readonly [string, Settings, string];

const inEveryShape = (rows: readonly Row[]): void => {
  describe.each(SHAPES)("%s", (shape) => {
    it.each(rows)("%s under %o leaves %s", async (history, settings, window) => {
      const reduced = await reduceReport(history, shape, settings);
      if (reduced !== undefined) expect(wordsAt(history, reduced.stays)).toBe(window);
    });
  });
};

const TEN_CALLS =
  "A[c1,c2,c3,c4,c5,c6,c7,c8,c9,c10] T(c1) T(c2) T(c3) T(c4) T(c5) T(c6) T(c7) T(c8) T(c9) T(c10)";

describe("langchain-ai/langchain #33245: the cut falls between a call and its result", () => {
  inEveryShape([
    ["U A[c1,c2] T(c1) T(c2) A", { maxMessages: 3, preserveFirst: false }, "U A"],
    ["U A[c1,c2] T(c1) T(c2) A", { maxMessages: 5, preserveFirst: false }, "U A[c1,c2] T(c1) T(c2) A"],
    ["S U A[c1] T(c1) A U A[c2] T(c2) A", { maxMessages: 6, minMessages: 2 }, "S U A[c2] T(c2) A"],
    [
      "U A U A[c1] A[c2] T(c2) T(c1) A",
      { maxMessages: 6, minMessages: 3, preserveFirst: false },
      "U A[c1] A[c2] T(c2) T(c1) A",
    ],
    ["U A[c1,c2] T(c1){30} T(c2){30} A", { maxTokens: 45, preserveFirst: false }, "U A"],
  ]);
});

describe("langchain-ai/langchain #34282, langchainjs PR #9740: results are kept, their call is dropped", () => {
  inEveryShape([
    [`U ${TEN_CALLS}`, { maxMessages: 6 }, `U ${TEN_CALLS}`],
    [`U ${TEN_CALLS} A U`, { maxMessages: 6, preserveFirst: false }, "U"],
    [`U ${TEN_CALLS} A U`, { maxMessages: 6 }, "U U"],
    [`U ${TEN_CALLS} A`, { maxMessages: 6 }, "U A"],
  ]);
});

describe("langchain-ai/langchain #38352: an orphan that is already in the tail is preserved", () => {
  inEveryShape([
    ["U T(zz) A", { maxMessages: 2 }, "U A"],
    ["U T(zz) A", {}, "U A"],
    ["T(zz) U A", {}, "U A"],
    ["U A T(zz)", {}, "U A"],
    ["U A[c1] T(c1) A T(c1)", {}, "U A[c1] T(c1) A"],
    ["U T(c1) A[c1] T(c1)", {}, "U A[c1] T(c1)"],
  ]);
});

describe("langchain-ai/langmem #126: parallel calls are split when the budget is crossed on the first result", () => {
  inEveryShape([
    ["U A[1,2] T(1){5000} T(2){50} A U", { maxTokens: 1000 }, "U U"],
    ["U A[1,2] T(1){50} T(2){5000} A U", { maxTokens: 1000, preserveFirst: false }, "U"],
    [
      "U U A[1,2] T(2){400} T(1){50} A",
      { maxTokens: 1000, targetTokens: 500 },
      "U U A[1,2] T(2){400} T(1){50} A",
    ],
    ["U U A[1,2] T(2){900} T(1){50} A[3] T(3){50}", { maxTokens: 1000 }, "U U A[3] T(3){50}"],
  ]);
});

describe("openai/openai-agents-python #4322: the last two are an output without its call and a text", () => {
  inEveryShape([
    ["U A[c1] T(c1) A", { maxMessages: 2, preserveFirst: false }, "U A"],
    ["U A[c1] T(c1)", { maxMessages: 1, preserveFirst: false }, "U A[c1] T(c1)"],
  ]);
});

describe("openai/openai-agents-js PR #1280, openai-agents-python #4827: one bad row kills a thread", () => {
  inEveryShape([
    ["T(c9)", {}, ""],
    ["T(c9) U", {}, "U"],
    ["S T(c9) U A[c1] T(c1) A", {}, "S U A[c1] T(c1) A"],
  ]);
});

describe("anthropics/claude-code #1237: a call without result after an interrupt", () => {
  inEveryShape([
    ["U A[c1] U", {}, "U U"],
    ["U A[c1,c2] T(c1) U", {}, "U U"],
    ["U A A[c1] U A", {}, "U A U A"],
    ["U A[c1] S U", {}, "U S U"],
    ["U A[c1] T(c1) A[c2] U A[c2] T(c2)", {}, "U A[c1] T(c1) U A[c2] T(c2)"],
  ]);
  inEveryShape([
    ["U A[c1]", {}, "U A[c1]"],
    ["U A[c1,c2] T(c1)", {}, "U A[c1,c2] T(c1)"],
  ]);
});

describe("vercel/ai #10445: finished tool groups before the last message stay", () => {
  inEveryShape([
    [
      "U A[1] T(1) A U A[2] T(2) A U A[3] T(3) A U",
      { maxMessages: 6, minMessages: 1, preserveFirst: false },
      "U",
    ],
    ["S U A[1] T(1) U A[2] T(2) U A[3] T(3) U", { maxMessages: 6, minMessages: 3 }, "S U A[3] T(3) U"],
  ]);
});

describe("mastra #15244 and #2667, spring-ai #5940, semantic-kernel #12708, litellm #6505, n8n PR #34385: windows by count", () => {
  const histories = [
    "S U A[1] T(1) A[2,3] T(3) T(2) A U A[4] A[5] T(4) T(5) A U A U A[6] T(6) A[7] T(7) A[8] T(8) A U A[9,10,11] T(9) T(11) T(10)",
    "U A[1] T(1) A[2] T(2) A[3] T(3) A[4] T(4) A[5] T(5) A[6] T(6) A[7] T(7) A[8] T(8) A[9] T(9) A[10] T(10) A[11] T(11) A[12] T(12) A",
    "U A U A[1,2,3,4,5] T(5) T(4) T(3) T(2) T(1) A U A[6] T(6) U A[7] T(7) A[8] T(8) A U A[9] S U A O A[10] T(10) U A[11] O T(11)",
  ];
  describe.each(SHAPES)("%s", (shape) => {
    it.each(histories)("every size of window over %s", async (history) => {
      const length = history.split(" ").length;
      for (let maxMessages = 1; maxMessages <= length; maxMessages++) {
        for (const minMessages of [0, maxMessages >> 1, maxMessages]) {
          for (const preserveFirst of [true, false])
            await reduceReport(history, shape, { maxMessages, minMessages, preserveFirst });
        }
      }
    });

    it.each(histories.slice(0, 2))(
      "under the budget nothing changes, the last result included: %s",
      async (history) => {
        const words = history.split(" ");
        for (const maxMessages of [words.length, words.length + 1, null]) {
          const reduced = await reduceReport(history, shape, { maxMessages });
          if (reduced === undefined) continue;
          expect(wordsAt(history, reduced.stays)).toBe(history);
          expect(reduced.overBudget).toBe(false);
        }
      },
    );
  });
});
