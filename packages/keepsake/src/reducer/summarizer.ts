import { type Reporter, type Scope, scopeRef } from "../delivery/index.ts";
import { KeepsakeError } from "../errors/index.ts";
import { findSummaryBlocks, makeSummaryBlock, type SummaryBlock } from "../message/index.ts";
import type { Awaitable } from "../util/index.ts";
import type { Plan } from "./plan.ts";
import type { ResolvedConfig } from "./resolve-config.ts";
import {
  createMarks,
  createSummaries,
  findKnownBlock,
  hashOfBlock,
  type ThreadSummary,
} from "./summaries.ts";

/** Tokens left free for the text of the first summary: an eighth of the budget, at most this many. */
const firstSummaryTokens = 512;
/** Messages that wait for the next summary where calls fail, the newest of them. */
const maxMissed = 10_000;

/** What a summary is made for. */
export interface SummaryRequest<M, N> {
  readonly plan: Plan<M>;
  readonly scope: Scope<N>;
  readonly previousSummary: string | undefined;
}

/** How it ended: the summary, and the messages that hold it in the window. */
export interface SummaryOutcome<M> {
  readonly summary: string | null;
  readonly block: readonly M[];
}

/** Makes, remembers and recognises the summaries of a reducer. */
export interface Summarizer<M, N> {
  summarize(request: SummaryRequest<M, N>): Promise<SummaryOutcome<M>>;
  /** The same without awaiting: a summary that is a promise is skipped with one warning. */
  summarizeSync(request: SummaryRequest<M, N>): SummaryOutcome<M>;
  /** Finds the summary blocks of a list; none where no block is ever injected. */
  findBlocks(messages: readonly M[], scope: Scope<N>): SummaryBlock[];
  /** What the block of the next summary will take up in a list: messages, or tokens where `maxTokens` is set. */
  reservedSize(messages: readonly M[], current: readonly M[]): number;
}

/** What a {@link Summarizer} needs of the reducer. */
export interface SummarizerParts<M, N> {
  readonly config: ResolvedConfig<M, N>;
  readonly idOf: (message: M) => string | undefined;
  /** What messages take up: messages, or tokens where `maxTokens` is set. */
  readonly sizeOf: (messages: readonly M[]) => number;
  readonly reporter: Reporter;
}

/** A call of the app's `summarize` that has to be made. */
interface Call<M> {
  readonly thread: ThreadSummary<M>;
  readonly fresh: readonly M[];
  readonly previous: string | undefined;
}

/** What the functions below share. */
interface Context<M, N> extends SummarizerParts<M, N> {
  readonly threadOf: (scope: Scope<N>) => ThreadSummary<M>;
}

/** Makes the summarizer of a reducer. */
export function createSummarizer<M, N>(parts: SummarizerParts<M, N>): Summarizer<M, N> {
  const threads = createSummaries(parts.idOf);
  const context: Context<M, N> = { ...parts, threadOf: (scope) => threads.of(scopeRef(scope).key) };
  return {
    findBlocks: (messages, scope) => findBlocks(context, messages, scope),
    reservedSize: (messages, current) => reservedSize(context, messages, current),
    summarize: async (request) => {
      const known = withoutCall(context, request);
      if (known !== undefined) return known;
      const thread = context.threadOf(request.scope);
      const outcome = thread.running.then(() => runAndWait(context, request));
      thread.running = outcome;
      return await outcome;
    },
    summarizeSync: (request) => withoutCall(context, request) ?? runAtOnce(context, request),
  };
}

/** The outcome where nothing leaves or nothing is summarised; `undefined` where there is something to summarise. */
function withoutCall<M, N>(
  context: Context<M, N>,
  request: SummaryRequest<M, N>,
): SummaryOutcome<M> | undefined {
  const { plan, previousSummary } = request;
  if (context.config.summarize !== undefined && plan.leaving.length > 0) return undefined;
  return { summary: previousSummary ?? plan.block?.text ?? null, block: plan.block?.messages ?? [] };
}

/** Asks for a summary where there is something new; what is a promise is left to `wait`. */
function run<M, N, R>(
  context: Context<M, N>,
  request: SummaryRequest<M, N>,
  wait: (text: Promise<unknown>, call: Call<M>) => R,
): SummaryOutcome<M> | R {
  const call = prepare(context, request);
  if (!hasRoom(context, request.plan)) return withoutRoom(context, request, call);
  try {
    const text = reused(call) ?? ask(context, call);
    return typeof text === "object"
      ? wait(Promise.resolve(text), call)
      : finish(context, request, call, text);
  } catch (error) {
    return fail(context, request, call, error);
  }
}

function runAndWait<M, N>(
  context: Context<M, N>,
  request: SummaryRequest<M, N>,
): Awaitable<SummaryOutcome<M>> {
  return run(context, request, (late, call) =>
    late
      .then((text) => finish(context, request, call, text))
      .catch((error: unknown) => fail(context, request, call, error)),
  );
}

function runAtOnce<M, N>(context: Context<M, N>, request: SummaryRequest<M, N>): SummaryOutcome<M> {
  return run(context, request, (late, call) => {
    late.catch(() => {});
    context.reporter.warnOnce(
      "promise",
      "keepsake: summarize returned a promise, and reduceSync cannot wait: use reduce. No summary was made.",
    );
    return miss(request.plan, call);
  });
}

/** False where the messages that must stay leave no room for even an empty summary. */
function hasRoom<M, N>(context: Context<M, N>, plan: Plan<M>): boolean {
  if (!context.config.injectSummary) return true;
  return plan.size + context.sizeOf(sampleBlock(context, plan.messages)) <= plan.limit;
}

/** No call is made for a summary that could not be shown. */
function withoutRoom<M, N>(
  context: Context<M, N>,
  request: SummaryRequest<M, N>,
  call: Call<M>,
): SummaryOutcome<M> {
  context.reporter.warnOnce(
    "room",
    "keepsake: what must stay leaves no room for a summary; none is made until there is.",
  );
  return miss(request.plan, call);
}

/** What was to be summarised waits for the next call; the previous block stays. */
function miss<M>(plan: Plan<M>, { thread, fresh }: Call<M>): SummaryOutcome<M> {
  thread.missed = fresh.slice(-maxMissed);
  return { summary: null, block: plan.block?.messages ?? [] };
}

/** Finds out what is new to the thread's summary, and which summary to go on from. */
function prepare<M, N>(
  context: Context<M, N>,
  { plan, scope, previousSummary }: SummaryRequest<M, N>,
): Call<M> {
  const thread = context.threadOf(scope);
  const before = previousSummary ?? plan.block?.text;
  // Without a thread id two conversations may share this memory: only a message seen before tells that this is the same one.
  const isSameThread =
    scope.threadId !== undefined ||
    plan.messages.some((message) => thread.stayed.has(message) || thread.covered.has(message));
  const uncovered = plan.leaving.filter((message) => !thread.covered.has(message));
  const again = createMarks(context.idOf);
  for (const message of uncovered) again.add(message);
  const missed = isSameThread ? thread.missed.filter((message) => !again.has(message)) : [];
  thread.stayed = createMarks(context.idOf);
  plan.messages.forEach((message, index) => {
    if (plan.keep[index] === 1) thread.stayed.add(message);
  });
  return {
    thread,
    fresh: [...missed, ...uncovered],
    previous: before ?? (isSameThread ? thread.text : undefined),
  };
}

/** The thread's last summary, where it covers everything that leaves. */
function reused<M>({ thread, fresh }: Call<M>): string | undefined {
  return fresh.length === 0 ? thread.text : undefined;
}

function ask<M, N>({ config }: Context<M, N>, { fresh, previous }: Call<M>): unknown {
  return config.summarize?.([...fresh], { previousSummary: previous });
}

/**
 * Takes a summary over.
 *
 * @throws {KeepsakeError} invalid_input where it is no text, or too large for the window
 */
function finish<M, N>(
  context: Context<M, N>,
  request: SummaryRequest<M, N>,
  call: Call<M>,
  text: unknown,
): SummaryOutcome<M> {
  if (typeof text !== "string" || text.trim() === "") {
    const given = typeof text === "string" ? "an empty one" : typeof text;
    throw new KeepsakeError("invalid_input", `summarize must return a text, not ${given}.`);
  }
  const { thread, fresh } = call;
  const block = blockWith(context, request.plan, text);
  if (context.config.injectSummary) thread.blockHash = hashOfBlock(block);
  thread.text = text;
  thread.missed = [];
  for (const message of fresh) thread.covered.add(message);
  if (fresh.length > 0)
    context.reporter.emit({ type: "summarised", count: fresh.length, summary: text, ...request.scope });
  return { summary: text, block };
}

function fail<M, N>(
  context: Context<M, N>,
  { plan, scope }: SummaryRequest<M, N>,
  call: Call<M>,
  error: unknown,
): SummaryOutcome<M> {
  context.reporter.warn("keepsake: no summary was made; what it missed is in the next call.", error);
  context.reporter.emit({ type: "summary_failed", error, ...scope });
  return miss(plan, call);
}

function blockWith<M, N>(context: Context<M, N>, plan: Plan<M>, text: string): readonly M[] {
  if (!context.config.injectSummary) return [];
  if (plan.block?.text === text) return plan.block.messages;
  const block = makeBlock(context, text, plan.leaving.length, plan.messages);
  const size = context.sizeOf(block);
  if (plan.size + size <= plan.limit) return block;
  throw new KeepsakeError(
    "invalid_input",
    `The summary does not fit the window: ${plan.size} of ${plan.limit} are taken, and it needs ${size}. Let summarize write less, or raise the limit.`,
  );
}

/** The block is built in the format of the list where the app builds none: its messages are then of the list's own type. */
function makeBlock<M, N>({ config }: Context<M, N>, text: string, count: number, like: readonly M[]): M[] {
  return config.summaryMessages?.(text, count) ?? (makeSummaryBlock(text, like) as M[]);
}

function findBlocks<M, N>(context: Context<M, N>, messages: readonly M[], scope: Scope<N>): SummaryBlock[] {
  const { injectSummary, summaryMessages } = context.config;
  if (!injectSummary) return [];
  const known = summaryMessages === undefined ? [] : findKnownBlock(context.threadOf(scope), messages);
  return known.length > 0 ? known : findSummaryBlocks(messages);
}

function reservedSize<M, N>(context: Context<M, N>, messages: readonly M[], current: readonly M[]): number {
  const { injectSummary, maxTokens } = context.config;
  if (!injectSummary) return 0;
  const empty = context.sizeOf(sampleBlock(context, messages));
  if (maxTokens === undefined) return Math.max(empty, current.length);
  return Math.max(context.sizeOf(current), empty + Math.min(firstSummaryTokens, Math.floor(maxTokens / 8)));
}

/** A block made only to be measured: a factory that fails on it will fail again where that is reported. */
function sampleBlock<M, N>(context: Context<M, N>, like: readonly M[]): readonly M[] {
  try {
    return makeBlock(context, "", 0, like);
  } catch {
    return [];
  }
}
