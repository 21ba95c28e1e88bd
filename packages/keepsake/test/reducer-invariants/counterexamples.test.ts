import { describe, expect, it } from "vitest";
import { MessageReducer, viewOf } from "../../src/index.ts";
import { parseNotation } from "./draft.ts";
import { FORMATS } from "./formats.ts";
import { judge } from "./judge.ts";
import type { Limits } from "./limits.ts";
import { type Case, configOf, outcomeOf, writeCase } from "./run-reducer.ts";

const SILENT = { debug: () => {}, warn: () => {} };
const NONE: Limits = {
  maxMessages: 1,
  minMessages: 0,
  maxTokens: undefined,
  targetTokens: undefined,
  preserveFirst: false,
  boundary: "turn",
  repair: true,
  pin: true,
  injectSummary: false,
};

/** Small histories that the random runs once found a reducer to break. */
const FOUND: readonly [string, Partial<Limits>][] = [
  ["U A A T(z0) S", { boundary: "message" }],
  ["U A A T(z0) S", { boundary: "message", maxTokens: 1 }],
  ["A T(z0)", { repair: false }],
  ["F U A! U", {}],
  ["U{100} A[c1] O{545} T(c1) F U", { maxTokens: 574 }],
  ["S U A[c1] O T(c1) F U", { maxMessages: 4 }],
  ["A[c2]! A[c1] O T(c1) A", { boundary: "message" }],
  ["U A[c1] A[c2]! O T(c1) U", { boundary: "message" }],
  ["A[c1] T(z0) T(z0)", { maxTokens: 7, preserveFirst: true, injectSummary: true }],
  ["A[c1] T(z0) T(z0)", { maxMessages: 2, preserveFirst: true, injectSummary: true }],
  ["U∅ A[c1]", { maxTokens: 7, preserveFirst: true, injectSummary: true }],
  ["A U A[c1] A A[c2] A[c3] T(c2)", {}],
  ["A[c1] O A[c2] A[c3] T(c3)! T(c2) U", {}],
  ["O U A A[c1] O T(c1) A[c1] A[c2] O T(c2) S", { maxTokens: 1 }],
  ["U O A[c1,c2] T(c1) T(c1) T(c2)", { maxMessages: 6 }],
];

const written = (notation: string, format: (typeof FORMATS)[number], limits: Partial<Limits>): Case =>
  writeCase(parseNotation(notation), format, { ...NONE, ...limits });

describe.each(FORMATS)("%s", (format) => {
  it.each(FOUND)(
    "%s under %o breaks no rule, and a second reduce changes nothing",
    async (notation, limits) => {
      const one = written(notation, format, limits);
      const reducer = new MessageReducer<unknown, unknown>(configOf(one));
      const result = await reducer.reduce({ existing: [...one.written.messages] });
      const outcome = outcomeOf(one, result);
      expect(typeof outcome === "string" ? [outcome] : judge(one.drafts, outcome, one.limits)).toEqual([]);
      const again = await reducer.reduce({ existing: result.surviving });
      expect(again.surviving).toEqual(result.surviving);
      expect(again.pruned).toEqual([]);
    },
  );

  it("keeps the block behind the only user message of a long run whole, and never delivers it", async () => {
    const one = written("U A[c1,c2] T(c1) T(c2) A[c3] O T(c3) A[c4] T(c4) A[c5] T(c5)", format, {
      maxMessages: 5,
      preserveFirst: true,
    });
    const delivered: unknown[] = [];
    const reducer = new MessageReducer<unknown, unknown>(
      configOf(one, {
        injectSummary: true,
        summarize: () => "so far",
        onPrune: [(messages) => void delivered.push(...messages)],
        logger: SILENT,
      }),
    );
    let state: unknown[] = [];
    for (const message of one.written.messages) {
      const { surviving } = await reducer.reduce({
        existing: state,
        new: [message],
        namespace: "asha",
        threadId: "t1",
      });
      const block = surviving
        .filter((other) => !one.written.draftOf.has(other))
        .map((other) => viewOf(other).role);
      expect(["", "human", "human ai"]).toContain(block.join(" "));
      state = surviving;
    }
    expect(delivered.every((message) => one.written.draftOf.has(message))).toBe(true);
    expect(new Set([...delivered, ...state.filter((message) => one.written.draftOf.has(message))])).toEqual(
      new Set(one.written.messages),
    );
  });
});
