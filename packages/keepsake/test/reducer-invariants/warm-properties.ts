import fc from "fast-check";
import { MessageReducer } from "../../src/index.ts";
import { notation } from "./draft.ts";
import { writeHistory } from "./formats.ts";
import { anyHistories } from "./histories.ts";
import { type Limits, randomLimits } from "./limits.ts";
import type { Runs } from "./properties.ts";
import type { ReducerConfig } from "./run-reducer.ts";

/** A message as hosts change it while they stream. */
type Live = { id?: unknown; content?: unknown; tool_calls?: unknown } | null | undefined;

const EDITS = [
  "append",
  "append",
  "append",
  "append",
  "shorten",
  "remove",
  "insert",
  "replace",
  "swap",
  "say",
  "silence",
  "stream",
  "call",
  "name",
  "other-list",
] as const;

interface Edit {
  readonly op: (typeof EDITS)[number];
  readonly at: number;
  readonly count: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  op: fc.constantFrom(...EDITS),
  at: fc.nat(1000),
  count: fc.integer({ min: 1, max: 4 }),
});

/**
 * What a reducer remembers of the lists that it has seen never changes what it decides: after every change that a host
 * makes to its list, or to the messages in it, the result is that of a new reducer for a copy of the list.
 */
export async function checkWarm(runs: Runs): Promise<void> {
  const inputs = fc.record({
    drafts: anyHistories,
    limits: randomLimits({ pin: false, injectSummary: false }),
    edits: fc.array(edit, { minLength: 2, maxLength: 8 }),
    start: fc.nat(1000),
  });
  const property = fc.property(inputs, ({ drafts, limits, edits, start }) => {
    const all = structuredClone(writeHistory(drafts, "openai").messages) as Live[];
    const reducer = new MessageReducer<unknown, unknown>(configOf(limits));
    let length = start % (all.length + 1);
    let list = all.slice(0, length);
    const done: string[] = [];
    for (const one of edits) {
      compare(
        reducer,
        limits,
        list,
        () => `${notation(drafts)}\nstarted with ${start % (all.length + 1)}, then ${done.join(", ")}`,
      );
      list = applyEdit(list, one, all, length);
      length = Math.min(all.length, length + (one.op === "append" ? one.count : 0));
      done.push(`${one.op} ${one.at} ${one.count}`);
    }
    compare(
      reducer,
      limits,
      list,
      () => `${notation(drafts)}\nstarted with ${start % (all.length + 1)}, then ${done.join(", ")}`,
    );
  });
  await fc.assert(property, runs);
}

/** Reduces that run at the same time, each waiting for its hooks, do not disturb each other's lists. */
export async function checkConcurrent(runs: Runs): Promise<void> {
  const cuts = fc.array(fc.nat(1000), { minLength: 2, maxLength: 5 });
  const inputs = fc.record({
    drafts: anyHistories,
    limits: randomLimits({ pin: false, injectSummary: false }),
    cuts,
  });
  const property = fc.asyncProperty(inputs, async ({ drafts, limits, cuts: at }) => {
    const all = structuredClone(writeHistory(drafts, "openai").messages) as Live[];
    const hook = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const reducer = new MessageReducer<unknown, unknown>({ ...configOf(limits), onPrune: [hook] });
    const lists = at.map((cut) => all.slice(0, cut % (all.length + 1)));
    await reducer.reduce({ existing: all });
    const results = await Promise.all(lists.map((list) => reducer.reduce({ existing: list })));
    for (const [index, { surviving, pruned }] of results.entries()) {
      const list = lists[index] ?? [];
      const alone = new MessageReducer<unknown, unknown>(configOf(limits)).reduceSync({ existing: list });
      const isSame = (left: readonly unknown[], right: readonly unknown[]): boolean =>
        left.length === right.length && left.every((message, place) => Object.is(message, right[place]));
      if (isSame(surviving, alone.surviving) && isSame(pruned, alone.pruned)) continue;
      throw new Error(
        `list ${index} of ${at.join()} is reduced otherwise beside others\n${notation(drafts)}\n${JSON.stringify(limits)}`,
      );
    }
  });
  await fc.assert(property, runs);
}

function configOf({
  pin: _pin,
  injectSummary: _inject,
  maxTokens,
  targetTokens,
  ...limits
}: Limits): ReducerConfig {
  return {
    ...limits,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(targetTokens === undefined ? {} : { targetTokens }),
    tokenCounter: (message) => JSON.stringify((message as Live)?.content ?? "").length,
    logger: { debug: () => {}, warn: () => {} },
  };
}

function compare(
  reducer: MessageReducer<unknown, unknown>,
  limits: Limits,
  list: readonly Live[],
  story: () => string,
): void {
  const at = Math.max(0, list.length - 2);
  const warm = reducer.reduceSync({ existing: list.slice(0, at), new: list.slice(at) });
  // A copy, so that nothing is known of its messages either; a message that occurs twice stays one.
  const copy = structuredClone(list);
  const cold = new MessageReducer<unknown, unknown>(configOf(limits)).reduceSync({ existing: copy });
  const places = (messages: readonly unknown[], of: readonly unknown[]): number[] =>
    messages.map((message) => of.indexOf(message));
  const seen = [places(warm.surviving, list), places(warm.pruned, list), warm.overBudget];
  const expected = [places(cold.surviving, copy), places(cold.pruned, copy), cold.overBudget];
  if (JSON.stringify(seen) === JSON.stringify(expected)) return;
  throw new Error(
    `a reducer that has seen other lists decides ${JSON.stringify(seen)}, a new one ${JSON.stringify(expected)}\n${story()}\n${JSON.stringify(limits)}`,
  );
}

function applyEdit(
  list: readonly Live[],
  { op, at, count }: Edit,
  all: readonly Live[],
  length: number,
): Live[] {
  const index = list.length === 0 ? 0 : at % list.length;
  const message = list[index];
  const spare = structuredClone(all[at % Math.max(1, all.length)]);
  switch (op) {
    case "append":
      return [...list, ...all.slice(length, length + count)];
    case "shorten":
      return list.slice(0, Math.max(0, list.length - count));
    case "remove":
      return list.toSpliced(index, count);
    case "insert":
      return list.toSpliced(index, 0, spare);
    case "replace":
      return list.length === 0 ? [] : list.with(index, spare);
    case "swap":
      return list.toSpliced(index, 1).toSpliced(index + 1, 0, ...list.slice(index, index + 1));
    case "other-list":
      return [...list.slice(0, count), ...structuredClone(list.slice(count))];
    default:
      if (typeof message === "object" && message !== null && !Array.isArray(message))
        change(message, op, at, count);
      return [...list];
  }
}

/** What hosts do to a message that they have handed over before. */
function change(message: NonNullable<Live>, op: Edit["op"], at: number, count: number): void {
  if (op === "say") message.content = `said ${"again ".repeat(count * 5)}${at}`;
  if (op === "silence") message.content = "";
  if (op === "name") message.id = `named-${at}`;
  if (op === "call")
    message.tool_calls = [
      { id: `c${count}`, type: "function", function: { name: "look_up", arguments: "{}" } },
    ];
  if (op !== "stream") return;
  if (Array.isArray(message.content)) message.content.push({ type: "text", text: "and more" });
  else message.content = `${String(message.content ?? "")} and more`;
}
