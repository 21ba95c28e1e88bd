import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { notation, parseNotation } from "./draft.ts";
import { damagedHistories, validHistories } from "./histories.ts";
import { judge } from "./judge.ts";
import { type Limits, randomLimits } from "./limits.ts";
import { keptAtLeast, understand, windowViolations, wrongStart } from "./oracle.ts";
import { exceptions, originalPruned } from "./original.ts";
import { partitionOf } from "./partition.ts";

const fine = (text: string): string[] => {
  const { list, standing } = understand(parseNotation(text));
  return list.filter((_, index) => standing[index] === "fine").map((draft) => draft.label);
};

describe("the oracle's reading of a list", () => {
  it.each([
    ["U A[c1,c2] T(c2) T(c1) A", ["m0", "m1", "m2", "m3", "m4"]],
    ["U A[c1] A[c2] T(c1) T(c2) U", ["m0", "m1", "m2", "m3", "m4", "m5"]],
    ["U A[c1] O T(c1) A", ["m0", "m1", "m2", "m3", "m4"]],
    ["U A[c1,c2] T(c1)", ["m0", "m1", "m2"]],
    ["U A[c1] U", ["m0", "m2"]],
    ["U A[c1,c2] T(c1) A", ["m0", "m3"]],
    ["U A[c1] S T(c1) A", ["m0", "m2", "m4"]],
    ["U T(z) A", ["m0", "m2"]],
    ["U A[c1] T(c1) T(c1) A", ["m0", "m1", "m2", "m4"]],
    ["U A∅ A U∅", ["m0", "m2"]],
    ["? U ? A", ["m1", "m3"]],
    ["U A[c1] A T(c1)", ["m0", "m2"]],
  ])("%s", (text, expected) => {
    expect(fine(text)).toEqual(expected);
  });

  it("takes every valid history to be sound", () => {
    fc.assert(
      fc.property(validHistories, (drafts) => understand(drafts).standing.every((one) => one === "fine")),
      { numRuns: 2000, seed: 1 },
    );
  });

  it("meets unsound messages in most damaged histories", () => {
    const sample = fc.sample(damagedHistories, { numRuns: 1000, seed: 1 });
    const unsound = sample.filter((drafts) => understand(drafts).standing.some((one) => one !== "fine"));
    expect(unsound.length).toBeGreaterThan(600);
  });

  it("writes and reads the same notation", () => {
    const text = "S{10} U!{5000} A[c1,c2]{10} T(c1){10} A∅{10}";
    expect(notation(parseNotation(text))).toBe(text);
  });
});

describe("the oracle's verdicts", () => {
  const kept = (text: string, preserveFirst = true): string[] => {
    const list = parseNotation(text);
    return [...keptAtLeast(understand(list), { preserveFirst, repair: true, turns: true })]
      .sort((a, b) => a - b)
      .map((index) => `m${index}`);
  };

  it("knows what never leaves", () => {
    expect(kept("A U A! U A S A[c1] T(c1) F T(z)")).toEqual(["m0", "m2", "m3", "m5", "m6", "m7", "m8"]);
    expect(kept("A U A U A", false)).toEqual(["m3", "m4"]);
  });

  it.each(["U T(c1) A", "U A[c1] U", "U A[c1,c2] T(c1) A", "U A[c1] T(c1) T(c1)", "U A[c1] U T(c1)"])(
    "refuses the window %s",
    (text) => {
      expect(windowViolations(parseNotation(text))).not.toEqual([]);
    },
  );

  it("finds a window that starts with the assistant", () => {
    const understanding = understand(parseNotation("S U A U A"));
    expect(wrongStart(understanding, [0, 2, 3, 4], true)).toBe(2);
    expect(wrongStart(understanding, [0, 3, 4], true)).toBeUndefined();
  });

  it("tells when a list is no partition of its input", () => {
    expect(partitionOf([1, 2, 1], [1], [1, 2])).toEqual({ survived: [2], pruned: [0, 1] });
    expect(partitionOf([1, 2, 3], [1], [3, 2])).toBeUndefined();
    expect(partitionOf([1, 2, 3], [1], [2])).toBeUndefined();
  });

  it("convicts a trimmer that keeps the last n messages", () => {
    const limits: fc.Arbitrary<Limits> = randomLimits({
      boundary: "turn",
      maxTokens: undefined,
      repair: true,
      injectSummary: false,
    });
    const cases = fc.sample(fc.tuple(validHistories, limits), { numRuns: 500, seed: 1 });
    const long = cases.filter(([drafts, { maxMessages }]) => drafts.length > (maxMessages ?? 1000));
    const convicted = long.filter(([drafts, one]) => {
      const cut = Math.max(0, drafts.length - (one.maxMessages ?? drafts.length));
      const indexes = drafts.map((_, index) => index);
      const window = drafts.slice(cut);
      return (
        judge(
          drafts,
          {
            survived: indexes.slice(cut),
            pruned: indexes.slice(0, cut),
            window,
            block: [],
            carried: [],
            overBudget: false,
          },
          one,
        ).length > 0
      );
    });
    expect(convicted.length).toBeGreaterThan(long.length / 2);
  });
});

describe("the original's arithmetic", () => {
  const limits: Limits = {
    maxMessages: 5,
    minMessages: 2,
    maxTokens: undefined,
    targetTokens: undefined,
    preserveFirst: true,
    boundary: "message",
    repair: false,
    pin: true,
    injectSummary: false,
  };

  it("prunes user and assistant messages of the window, and results with their call", () => {
    const list = parseNotation("S U A[c1] S T(c1) U T(c9) A");
    expect(originalPruned(list, limits, new Set())).toEqual([1, 2, 4, 5]);
    expect(originalPruned(list, limits, exceptions(list, limits))).toEqual([1, 2, 4]);
    expect(originalPruned(list, limits, new Set(), false)).toEqual([1, 2, 5]);
  });

  it("does nothing at the limit", () => {
    expect(originalPruned(parseNotation("S U A U A"), limits, new Set())).toEqual([]);
  });
});
