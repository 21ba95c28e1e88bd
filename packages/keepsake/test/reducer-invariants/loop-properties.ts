import fc from "fast-check";
import { MessageReducer } from "../../src/index.ts";
import { type Draft, notation } from "./draft.ts";
import { FORMATS } from "./formats.ts";
import { anyHistories, validHistories } from "./histories.ts";
import { judge } from "./judge.ts";
import { randomLimits } from "./limits.ts";
import { partitionOf } from "./partition.ts";
import type { Runs } from "./properties.ts";
import { blocksOf, type Case, configOf, outcomeOf, type Result, writeCase } from "./run-reducer.ts";

const anyFormat = fc.constantFrom(...FORMATS);

/** Each pruned message goes to every hook: once where it has an id, and never another message. */
export async function checkHandOver(runs: Runs): Promise<void> {
  const inputs = fc.record({
    drafts: anyHistories,
    limits: randomLimits({ injectSummary: false }),
    format: anyFormat,
    dedupeOnPrune: fc.boolean(),
  });
  const property = fc.asyncProperty(inputs, async ({ drafts, limits, format, dedupeOnPrune }) => {
    const one = writeCase(drafts, format, limits);
    const taken: { quick: unknown[]; slow: unknown[] } = { quick: [], slow: [] };
    const onPrune = [
      (messages: unknown[]) => void taken.quick.push(...messages),
      async (messages: unknown[]) => {
        await Promise.resolve();
        taken.slow.push(...messages);
        messages.length = 0;
      },
    ];
    const reducer = new MessageReducer<unknown, unknown>(configOf(one, { onPrune, dedupeOnPrune }));
    const ask = (): Promise<Result> =>
      reducer.reduce({ existing: [...one.written.messages], namespace: ["memories", "asha"] });
    const { pruned } = await ask();
    const violations = Object.values(taken).flatMap((delivered) =>
      deliveryViolations(one, pruned, delivered, dedupeOnPrune),
    );
    const first = taken.quick.length;
    if (pruned.length > 0 && dedupeOnPrune) {
      await ask();
      const again = taken.quick
        .slice(first)
        .filter((message) => one.written.draftOf.get(message)?.id !== undefined);
      if (again.length > 0) violations.push(`the same list delivers ${again.length} messages again`);
    }
    if (violations.length > 0)
      throw new Error(`${violations.join("\n")}\n${notation(one.drafts)}\n${JSON.stringify(limits)}`);
  });
  await fc.assert(property, runs);
}

function deliveryViolations(
  { written }: Case,
  pruned: readonly unknown[],
  delivered: readonly unknown[],
  dedupe: boolean,
): string[] {
  const isReadable = (message: unknown): boolean => written.draftOf.get(message)?.role !== "unreadable";
  const offered = pruned.filter(isReadable);
  const missing = [...offered];
  const violations: string[] = [];
  for (const message of delivered.filter(isReadable)) {
    const at = missing.indexOf(message);
    if (at < 0) violations.push("delivered what was not pruned, or one message twice");
    else missing.splice(at, 1);
  }
  const silenced = dedupe
    ? missing.filter((message) => !hasTwin(message, delivered, written.draftOf))
    : missing;
  if (silenced.length > 0) violations.push(`${silenced.length} pruned messages were not delivered`);
  return violations;
}

/** Another message with the same id and the same content stands for this one. */
function hasTwin(
  message: unknown,
  delivered: readonly unknown[],
  draftOf: ReadonlyMap<unknown, Draft>,
): boolean {
  const draft = draftOf.get(message);
  if (draft?.id === undefined) return false;
  return delivered.some((other) => {
    const twin = draftOf.get(other);
    const alike = twin?.label === draft.label || twin?.content === draft.content;
    return alike && twin?.id === draft.id && twin?.role === draft.role;
  });
}

interface Loop {
  readonly one: Case;
  readonly chunks: readonly number[];
}

/** A conversation that grows by a few messages at a time, each reduced twice as checkpointers do. */
export async function checkLoop(runs: Runs): Promise<void> {
  const limits = randomLimits({ injectSummary: false, boundary: "turn", repair: true });
  await checkConversations(runs, limits, async ({ one, chunks }) => {
    const taken: unknown[] = [];
    const onPrune = [(messages: unknown[]) => void taken.push(...messages)];
    const reducer = new MessageReducer<unknown, unknown>(configOf(one, { onPrune }));
    const violations: string[] = [];
    let state: unknown[] = [];
    for (const incoming of chunked(one.written.messages, chunks)) {
      const request = { existing: state, new: incoming, namespace: ["memories", "asha"], threadId: "t1" };
      const result = await reducer.reduce(request);
      violations.push(...stepViolations(one, [...state, ...incoming], result, 0));
      const again = await reducer.reduce(request);
      if (again.pruned.length !== result.pruned.length)
        violations.push("the same request gives another result");
      state = result.surviving;
    }
    if (partitionOf(one.written.messages, state, taken) === undefined && !isReordered(one, state, taken)) {
      violations.push("what was delivered and what is left are not the conversation");
    }
    return violations;
  });
}

/** Messages may be pruned out of order over several steps (a preserved first one, pins); none is lost or doubled. */
function isReordered({ written }: Case, state: readonly unknown[], taken: readonly unknown[]): boolean {
  const all = new Set([...state, ...taken]);
  return (
    all.size === written.messages.length &&
    state.length + taken.length === all.size &&
    written.messages.every((one) => all.has(one))
  );
}

/** With an injected summary: one block at most, each pruned message summarised once, the block never delivered. */
export async function checkSummaries(runs: Runs): Promise<void> {
  const limits = randomLimits({ injectSummary: true, repair: true });
  await checkConversations(runs, limits, async ({ one, chunks }) => {
    const taken: unknown[] = [];
    const story = createStory((message) => one.written.draftOf.has(message));
    const onPrune = [(messages: unknown[]) => void taken.push(...messages)];
    const reducer = new MessageReducer<unknown, unknown>(
      configOf(one, { onPrune, summarize: story.summarize }),
    );
    const violations: string[] = [];
    let state: unknown[] = [];
    for (const incoming of chunked(one.written.messages, chunks)) {
      const request = { existing: state, new: incoming, namespace: ["memories", "asha"], threadId: "t1" };
      const result = await reducer.reduce(request);
      story.settle(result);
      violations.push(...stepViolations(one, [...state, ...incoming], result, 2));
      const again = await reducer.reduce(request);
      story.settle(again);
      if (again.surviving.length !== result.surviving.length)
        violations.push("the same request gives another window");
      state = result.surviving;
    }
    const left = state.filter((message) => one.written.draftOf.has(message));
    if (!isReordered(one, left, taken))
      violations.push("what was delivered and what is left are not the conversation");
    if (!isReordered(one, left, story.told()))
      violations.push("what was summarised and what is left are not the conversation");
    return [...violations, ...story.violations];
  });
}

interface Story {
  readonly violations: string[];
  summarize(messages: unknown[], context: { previousSummary?: string | undefined }): string;
  /** Says how a reduce ended: where no summary fitted the window, what it should hold waits for the next one. */
  settle(result: Result): void;
  /** All that is in the summary, or waits for the next one. */
  told(): unknown[];
}

function createStory(isOwn: (message: unknown) => boolean): Story {
  const violations: string[] = [];
  const summarised = new Set<unknown>();
  const waiting = new Set<unknown>();
  let attempt: unknown[] | undefined;
  let last: string | undefined;
  return {
    violations,
    summarize: (messages, { previousSummary }) => {
      attempt = [...messages];
      if (previousSummary !== last) violations.push(`previous summary ${previousSummary} instead of ${last}`);
      return `summary ${summarised.size + messages.length}`;
    },
    settle: ({ pruned, summary }) => {
      for (const message of pruned) if (isOwn(message) && !summarised.has(message)) waiting.add(message);
      if (
        attempt !== undefined &&
        !(attempt.length === waiting.size && attempt.every((message) => waiting.has(message)))
      ) {
        violations.push(
          `${attempt.length} messages were summarised instead of the ${waiting.size} that no summary holds`,
        );
      }
      if (attempt !== undefined && summary !== null) {
        for (const message of attempt) summarised.add(message);
        waiting.clear();
        last = summary;
      }
      if (summary !== null && summary !== last) violations.push(`summary ${summary} instead of ${last}`);
      attempt = undefined;
    },
    told: () => [...summarised, ...waiting],
  };
}

function stepViolations(one: Case, input: readonly unknown[], result: Result, blockSize: number): string[] {
  const messages = input.filter((message) => one.written.draftOf.has(message));
  const drafts = messages.map((message) => one.written.draftOf.get(message) as Draft);
  const step: Case = { ...one, drafts, written: { messages, draftOf: one.written.draftOf } };
  const outcome = outcomeOf(step, result);
  if (typeof outcome === "string") return [outcome];
  const violations = judge(drafts, { ...outcome, carried: blocksOf(step, input) }, one.limits);
  if (outcome.block.length > blockSize)
    violations.push(`${outcome.block.length} messages of summary in the window`);
  return violations.map((violation) => `${violation}, at the step ${notation(drafts)}`);
}

async function checkConversations(
  runs: Runs,
  limits: ReturnType<typeof randomLimits>,
  violationsOf: (loop: Loop) => Promise<string[]>,
): Promise<void> {
  const inputs = fc.record({
    drafts: validHistories,
    limits,
    format: anyFormat,
    chunks: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }),
  });
  const property = fc.asyncProperty(inputs, async ({ drafts, limits: drawn, format, chunks }) => {
    const named = drafts.map((draft) => ({ ...draft, id: draft.label }));
    const violations = await violationsOf({ one: writeCase(named, format, drawn), chunks });
    if (violations.length === 0) return;
    throw new Error(
      `${violations.join("\n")}\n(${format}) ${notation(named)}\nchunks ${chunks.join()}\n${JSON.stringify(drawn)}`,
    );
  });
  await fc.assert(property, runs);
}

function* chunked(messages: readonly unknown[], sizes: readonly number[]): Generator<unknown[]> {
  for (let at = 0, turn = 0; at < messages.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield messages.slice(at, at + size);
    at += size;
  }
}
