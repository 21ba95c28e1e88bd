import { describe, expect, it } from "vitest";
import { type HookContext, MessageReducer, viewOf } from "../../src/index.ts";
import { parseNotation } from "../reducer-invariants/draft.ts";
import { writeHistory } from "../reducer-invariants/formats.ts";
import { SHAPES, writeShape } from "./shapes.ts";

const SILENT = { debug: () => {}, warn: () => {} };
const NAMESPACE = ["memories", "asha"];
const ids = (messages: readonly unknown[]): (string | undefined)[] =>
  messages.map((message) => viewOf(message).id);

describe("openclaw #12590, #20713, PR #60287: the flush fires every other time, too late, or never", () => {
  describe.each(SHAPES)("%s", (shape) => {
    it("five prunes in a row are five calls, awaited, each with an id of its own", async () => {
      const all = writeShape("U A U A U A U A U A U A", shape);
      const calls: { messages: unknown[]; context: HookContext }[] = [];
      let finished = 0;
      const hook = async (messages: unknown[], _namespace: unknown, context: HookContext): Promise<void> => {
        calls.push({ messages, context });
        await new Promise((resolve) => setTimeout(resolve, 2));
        finished++;
      };
      const reducer = new MessageReducer<unknown>({
        maxMessages: 2,
        minMessages: 2,
        preserveFirst: false,
        onPrune: [hook],
        logger: SILENT,
      });
      let state = all.slice(0, 2);
      for (let prune = 1; prune <= 5; prune++) {
        const { surviving, pruned } = await reducer.reduce({
          existing: state,
          new: all.slice(2 * prune, 2 * prune + 2),
          namespace: NAMESPACE,
        });
        expect(calls).toHaveLength(prune);
        expect(finished).toBe(prune);
        expect(calls.at(-1)?.messages).toEqual(pruned);
        state = surviving;
      }
      expect(calls.flatMap(({ messages }) => messages)).toEqual(all.slice(0, 10));
      expect(new Set(calls.map(({ context }) => context.deliveryId)).size).toBe(5);
    });
  });

  it("a call that failed comes again under the same id, beside the next one", async () => {
    const all = [...writeHistory(parseNotation("U A U A U A U A"), "plain").messages];
    const seen: [string, number, (string | undefined)[]][] = [];
    const hook = (messages: unknown[], _namespace: unknown, { deliveryId, attempt }: HookContext): void => {
      seen.push([deliveryId, attempt, ids(messages)]);
      if (attempt < 2 && seen.length === 1) throw new Error("store is down");
    };
    const reducer = new MessageReducer<unknown>({
      maxMessages: 2,
      minMessages: 2,
      preserveFirst: false,
      onPrune: [hook],
      logger: SILENT,
    });
    const first = await reducer.reduce({ existing: all.slice(0, 4), namespace: NAMESPACE });
    await reducer.reduce({ existing: first.surviving, new: all.slice(4, 6), namespace: NAMESPACE });
    const [failed, again, next] = seen;
    expect(failed?.slice(1)).toEqual([1, ["m0", "m1"]]);
    expect(again).toEqual([failed?.[0], 2, ["m0", "m1"]]);
    expect(next?.slice(1)).toEqual([1, ["m2", "m3"]]);
  });
});

describe("mastra-ai/mastra #13089: the user message is stored once per agent step", () => {
  const turn = "U A U A[1] T(1) A[2] T(2) A[3] T(3) A[4] T(4) A U";

  describe.each(SHAPES)("%s", (shape) => {
    it.each([
      ["the window is carried over", true],
      ["the whole list is reduced at each step", false],
    ])("a turn of four tool steps, reduced at each: one row a message (%s)", async (_, carried) => {
      const all = writeShape(turn, shape);
      const rows: unknown[] = [];
      const reducer = new MessageReducer<unknown>({
        maxMessages: 5,
        minMessages: 2,
        preserveFirst: false,
        onPrune: [(messages) => void rows.push(...messages)],
        logger: SILENT,
      });
      let state: unknown[] = [];
      for (let step = 0; step < all.length; step++) {
        const existing = carried ? state : all.slice(0, step);
        state = (
          await reducer.reduce({
            existing,
            new: all.slice(step, step + 1),
            namespace: NAMESPACE,
            threadId: "t1",
          })
        ).surviving;
        const again = await reducer.reduce({ existing: state, namespace: NAMESPACE, threadId: "t1" });
        expect(again.surviving).toEqual(state);
      }
      expect(new Set(rows).size).toBe(rows.length);
      expect([...rows, ...state].map((message) => viewOf(message).id).sort()).toEqual([...ids(all)].sort());
    });
  });
});
