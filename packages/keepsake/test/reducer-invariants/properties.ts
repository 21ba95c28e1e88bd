import fc from "fast-check";
import { MessageReducer } from "../../src/index.ts";
import { type Draft, notation } from "./draft.ts";
import { FORMATS, type Format } from "./formats.ts";
import { judge, judgeGenerosity } from "./judge.ts";
import { type Limits, randomLimits } from "./limits.ts";
import { understand } from "./oracle.ts";
import { exceptions, originalPruned } from "./original.ts";
import { type Case, configOf, outcomeOf, type Reducer, type Result, writeCase } from "./run-reducer.ts";

/** How many histories, and from which seed; without one fast-check takes a new one and prints it on failure. */
export interface Runs {
  readonly numRuns: number;
  readonly seed?: number;
}

interface Drawn {
  readonly drafts: Draft[];
  readonly limits: Limits;
  readonly format: Format;
  readonly split: number;
}

const anyFormat = fc.constantFrom<Format>("plain", "plain", "openai", "openai", ...FORMATS);

function drawn(histories: fc.Arbitrary<Draft[]>, fixed: Partial<Limits>): fc.Arbitrary<Drawn> {
  return fc.record({
    drafts: histories,
    limits: randomLimits(fixed),
    format: anyFormat,
    split: fc.nat(1000),
  });
}

function describe({ drafts, limits, format }: Drawn, violations: readonly string[]): string {
  return `${violations.join("\n")}\nhistory (${format}): ${notation(drafts)}\nlimits: ${JSON.stringify(limits)}`;
}

function demand(input: Drawn, violations: readonly string[]): void {
  if (violations.length > 0) throw new Error(describe(input, violations));
}

/** Hands the history over in two lists, as a checkpointer does. */
function reduceIn(reducer: Reducer, { written }: Case, split: number): Promise<Result> {
  const at = split % (written.messages.length + 1);
  const existing = Object.freeze(written.messages.slice(0, at));
  const incoming = Object.freeze(written.messages.slice(at));
  return reducer.reduce({
    existing: [...existing].length === 0 ? null : existing,
    new: incoming,
  } as Parameters<Reducer["reduce"]>[0]);
}

/** Every rule of the oracle; the same result from `reduceSync`; a second reduce changes nothing. */
export async function checkInvariants(
  histories: fc.Arbitrary<Draft[]>,
  runs: Runs,
  fixed: Partial<Limits> = {},
): Promise<void> {
  const property = fc.asyncProperty(drawn(histories, fixed), async (input) => {
    const one = writeCase(input.drafts, input.format, input.limits);
    const reducer = new MessageReducer<unknown, unknown>(configOf(one));
    const result = await reduceIn(reducer, one, input.split);
    const outcome = outcomeOf(one, result);
    demand(input, typeof outcome === "string" ? [outcome] : judge(one.drafts, outcome, one.limits));
    demand(input, await againViolations(reducer, result));
    const sync = new MessageReducer<unknown, unknown>(configOf(one)).reduceSync({
      existing: one.written.messages as unknown[],
    });
    demand(
      input,
      sameLists(sync.pruned, result.pruned) ? [] : ["reduceSync prunes other messages than reduce"],
    );
  });
  await fc.assert(property, runs);
}

async function againViolations(reducer: Reducer, { surviving, overBudget }: Result): Promise<string[]> {
  const again = await reducer.reduce({ existing: Object.freeze([...surviving]) as unknown[] });
  const violations: string[] = [];
  if (again.pruned.length > 0)
    violations.push(`reducing the window again prunes ${again.pruned.length} more`);
  if (!sameLists(again.surviving, surviving)) violations.push("reducing the window again changes it");
  if (again.overBudget !== overBudget) violations.push("reducing the window again changes overBudget");
  return violations;
}

function sameLists(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((one, index) => Object.is(one, right[index]));
}

/** Sound histories: nothing leaves by repair, and the cut keeps what fits. */
export async function checkGenerosity(histories: fc.Arbitrary<Draft[]>, runs: Runs): Promise<void> {
  const property = fc.asyncProperty(
    drawn(histories, { boundary: "turn", injectSummary: false }),
    async (input) => {
      const one = writeCase(input.drafts, input.format, input.limits);
      const outcome = outcomeOf(
        one,
        await reduceIn(new MessageReducer<unknown, unknown>(configOf(one)), one, input.split),
      );
      if (typeof outcome === "string") return demand(input, [outcome]);
      demand(input, [
        ...judge(one.drafts, outcome, one.limits),
        ...judgeGenerosity(one.drafts, outcome, one.limits),
      ]);
    },
  );
  await fc.assert(property, runs);
}

/** `boundary: "message", repair: false`: the original's arithmetic, message for message. */
export async function checkOriginal(histories: fc.Arbitrary<Draft[]>, runs: Runs): Promise<void> {
  const fixed = {
    boundary: "message",
    repair: false,
    maxTokens: undefined,
    targetTokens: undefined,
    injectSummary: false,
  } as const;
  const inputs = fc.tuple(drawn(histories, fixed), fc.boolean());
  const property = fc.asyncProperty(inputs, async ([input, cascadeToolMessages]) => {
    const one = writeCase(input.drafts, input.format, input.limits);
    const reducer = new MessageReducer<unknown, unknown>(configOf(one, { cascadeToolMessages }));
    const outcome = outcomeOf(one, await reduceIn(reducer, one, input.split));
    if (typeof outcome === "string") return demand(input, [outcome]);
    demand(input, originalViolations(one, outcome.pruned, cascadeToolMessages));
  });
  await fc.assert(property, runs);
}

function originalViolations({ drafts, limits }: Case, pruned: readonly number[], cascade: boolean): string[] {
  const sound = understand(drafts).standing.every((standing) => standing === "fine");
  const most = originalPruned(drafts, limits, new Set(), cascade);
  if (!sound) {
    // Which unit is the last exchange is open here; that nothing else leaves is not.
    const isOnce = (index: number): boolean =>
      drafts.indexOf(drafts[index] as Draft) === drafts.lastIndexOf(drafts[index] as Draft);
    return pruned
      .filter((index) => !most.includes(index) && drafts[index]?.role !== "unreadable" && isOnce(index))
      .map((index) => `left, but not in the original: index ${index}`);
  }
  const expected = originalPruned(drafts, limits, exceptions(drafts, limits), cascade);
  // Compared as messages: one that occurs twice cannot be told apart by its place.
  const messages = (indexes: readonly number[]): Draft[] => indexes.map((index) => drafts[index] as Draft);
  return sameLists(messages(pruned), messages(expected))
    ? []
    : [`pruned ${pruned.join()}, the original ${expected.join()}`];
}
