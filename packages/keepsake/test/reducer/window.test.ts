import { describe, expect, it } from "vitest";
import { MessageReducer, type ReducerConfig } from "../../src/reducer/index.ts";
import { history, lineOf, type Plain } from "./histories.ts";

async function window(line: string, config: ReducerConfig<Plain>): Promise<string> {
  const input = history(line);
  const { surviving, overBudget } = await new MessageReducer<Plain>(config).reduce({ existing: input });
  return lineOf(surviving) + (overBudget ? " !" : "");
}

describe('boundary "turn"', () => {
  it.each([
    ["under the trigger nothing is cut", "S U A U A", { maxMessages: 5 }, "S U A U A"],
    [
      "the cut moves back to the nearest turn start",
      "S U A U A U A U A",
      { maxMessages: 8, minMessages: 3 },
      "S U A U A",
    ],
    [
      "as far as the limit allows, else forward",
      "S U A A A A A U A",
      { maxMessages: 6, minMessages: 5 },
      "S U A",
    ],
    [
      "a minimum without room for the pins shrinks",
      "S U A U A U A",
      { maxMessages: 5, minMessages: 5 },
      "S U A U A",
    ],
    ["an exchange is kept whole", "S U A[a,b] T(b) T(a) A U A", { maxMessages: 7, minMessages: 4 }, "S U A"],
    [
      "the latest turn alone is too long: its user message, and exchanges that fit",
      "S U A[a] T(a) A[b] T(b) A[c] T(c)",
      { maxMessages: 6, minMessages: 3 },
      "S U A[b] T(b) A[c] T(c)",
    ],
    [
      "the exchange of the cut is kept while the limit allows it",
      "S U A[a] T(a) A[b] T(b) A[c] T(c)",
      { maxMessages: 6, minMessages: 2 },
      "S U A[c] T(c)",
    ],
    [
      "what cannot fit is kept and reported",
      "S U A[a,b,c] T(a) T(b) T(c)",
      { maxMessages: 3, minMessages: 1 },
      "S U A[a,b,c] T(a) T(b) T(c) !",
    ],
    ["an open call at the end stays", "S U A U A[a]", { maxMessages: 4, minMessages: 1 }, "S U A[a]"],
    [
      "without preserveFirst the first may go",
      "U A U A U A",
      { maxMessages: 4, minMessages: 2, preserveFirst: false },
      "U A",
    ],
    ["the preserved first is any message", "A U A U A", { maxMessages: 4, minMessages: 2 }, "A U A"],
    [
      "a preserved first with calls keeps its results",
      "A[a] T(a) U A U A",
      { maxMessages: 5, minMessages: 2 },
      "A[a] T(a) U A",
    ],
    ["function and unknown roles stay", "S U A X U A F U A", { maxMessages: 7, minMessages: 2 }, "S X F U A"],
    ["nothing but assistants", "A A A A A A", { maxMessages: 3, minMessages: 2 }, "A A A"],
    [
      "a limit of null cuts nothing",
      `S ${"U A ".repeat(50)}`,
      { maxMessages: null },
      `S ${"U A ".repeat(50).trim()}`,
    ],
    ["an empty list", "", {}, ""],
  ] as const)("%s", async (_, line, config, expected) => {
    expect(await window(line, config)).toBe(expected);
  });

  it("keeps what the app pins, with its exchange and the user message that it answers", async () => {
    const pin = (message: Plain): boolean => message.tool_call_id === "a";
    const line = "S U A U A[a] T(a) A U A U A U A";
    expect(await window(line, { maxMessages: 8, minMessages: 2, pin })).toBe("S U A[a] T(a) U A");
  });
});

describe("repair", () => {
  it.each([
    ["a result whose call is nowhere", "U T(x) A", "U A"],
    ["an orphan at index 0", "T(x) U A", "U A"],
    ["a call that was never answered", "U A[a] U A", "U U A"],
    ["a call answered in part, with the results it has", "U A[a,b] T(a) U A", "U U A"],
    ["a second result for one call", "U A[a] T(a) T(a) A", "U A[a] T(a) A"],
    ["a system message between call and result", "U A[a] S T(a) A", "U S A"],
    ["only the row that was not answered", "U A[a] A[b] T(b) A", "U A[b] T(b) A"],
    ["results split over adjacent rows are sound", "U A[a] A[b] T(b) T(a) A", "U A[a] A[b] T(b) T(a) A"],
    ["an unknown role is looked through", "U A[a] X T(a) A", "U A[a] X T(a) A"],
    [
      "ids that are used again are told apart by place",
      "U A[a] T(a) U A[a] T(a) A",
      "U A[a] T(a) U A[a] T(a) A",
    ],
    ["what is open at the end", "U A[a,b] T(a)", "U A[a,b] T(a)"],
  ])("%s", async (_, line, expected) => {
    expect(await window(line, {})).toBe(expected);
    expect(await window(line, { repair: false })).toBe(line);
    expect(await window(line, { cascadeToolMessages: false })).toBe(line);
  });

  it("takes user and assistant messages without any content", async () => {
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content: "" },
      { role: "user", content: [{ type: "text", text: " \n" }] },
      { role: "assistant", content: [{ type: "thinking", thinking: "hm" }] },
      { role: "assistant", content: null, refusal: "no" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] },
    ];
    const { surviving } = await new MessageReducer().reduce({ existing: messages });
    expect(surviving).toEqual([messages[0], messages[4], messages[5]]);
  });
});

describe('boundary "message"', () => {
  const config = { boundary: "message", repair: false } as const;
  it.each([
    ["exactly minMessages behind the first", `S ${"U A ".repeat(10)}`, {}, `S ${"U A ".repeat(5).trim()}`],
    [
      "tool messages go with their ai message",
      "S U A[a] T(a) A U A",
      { maxMessages: 6, minMessages: 2 },
      "S U A",
    ],
    ["and stay where it stays", "S U A T(x) U A", { maxMessages: 5, minMessages: 2 }, "S T(x) U A"],
    ["results go from the retained tail too", "S U A[a] T(a) A", { maxMessages: 4, minMessages: 2 }, "S U A"],
    ["the latest user message never leaves", "S U A A A A", { maxMessages: 5, minMessages: 0 }, "S U A"],
  ])("%s", async (_, line, counts, expected) => {
    expect(await window(line, { ...config, ...counts })).toBe(expected);
  });

  it("leaves results alone without the cascade", async () => {
    const line = "S U A[a] T(a) A U A";
    expect(
      await window(line, { boundary: "message", cascadeToolMessages: false, maxMessages: 6, minMessages: 2 }),
    ).toBe("S T(a) U A");
  });
});

describe("tokens", () => {
  const ten = { tokenCounter: () => 10 };
  it.each([
    ["under the budget nothing is cut", "S U A U A", { maxTokens: 50 }, "S U A U A"],
    ["the window fits the budget and starts a turn", "S U A U A U A", { maxTokens: 60 }, "S U A U A"],
    ["down to the target", "S U A U A U A", { maxTokens: 60, targetTokens: 35 }, "S U A"],
    [
      "the counts do not matter",
      `S ${"U A ".repeat(12)}`,
      { maxTokens: 250, maxMessages: 4, minMessages: 2 },
      `S ${"U A ".repeat(12).trim()}`,
    ],
    ["what cannot fit is kept and reported", "S U A U A", { maxTokens: 20 }, "S U A !"],
  ] as const)("%s", async (_, line, config, expected) => {
    expect(await window(line, { ...ten, ...config })).toBe(expected);
  });

  it("counts no message twice", async () => {
    let counted = 0;
    const tokenCounter = (): number => {
      counted += 1;
      return 10;
    };
    const reducer = new MessageReducer<Plain>({ maxTokens: 100, tokenCounter });
    let messages: Plain[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const added = history("U A").map((message) => ({ ...message, id: `${turn}-${message.id}` }));
      messages = (await reducer.reduce({ existing: messages, new: added })).surviving;
    }
    expect(counted).toBe(60);
  });

  it.each([
    ["NaN", () => Number.NaN],
    ["a negative number", () => -5],
    [
      "a throw",
      () => {
        throw new Error("no");
      },
    ],
  ])("falls back to the estimate on %s, with one warning", async (_, tokenCounter) => {
    const warnings: string[] = [];
    const reducer = new MessageReducer<Plain>({
      maxTokens: 30,
      tokenCounter,
      logger: { debug() {}, warn: (text) => warnings.push(text) },
    });
    const { surviving } = await reducer.reduce({ existing: history("S U A U A U A U A U A U A") });
    expect(surviving.length).toBeLessThan(13);
    expect(warnings.filter((text) => text.includes("tokenCounter")).length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThan(3);
  });
});
