import { identityOf, type Reporter, type Scope, scopeRef } from "../delivery/index.ts";
import { KeepsakeError } from "../errors/index.ts";
import { contentHashOf, findSummaryBlocks, makeSummaryBlock, type SummaryBlock } from "../message/index.ts";
import { isThenable } from "../util/index.ts";
import type { Plan } from "./plan.ts";
import type { ResolvedConfig } from "./resolve-config.ts";
import {
  createMarks,
  createSummaries,
  findKnownBlock,
  type MessageKey,
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
  readonly previousSummary: string | null | undefined;
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

/** A summary to be made. */
interface Task<M, N> {
  readonly plan: Plan<M>;
  readonly scope: Scope<N>;
  readonly thread: ThreadSummary<M>;
  /** By its key, what the thread's summary does not cover yet. */
  readonly fresh: ReadonlyMap<MessageKey, M>;
  /** The summary to go on from. */
  readonly previous: string | undefined;
}

/** Makes the summarizer of a reducer. */
export function createSummarizer<M, N>(parts: SummarizerParts<M, N>): Summarizer<M, N> {
  const { config, reporter } = parts;
  const summaries = createSummaries<M>();
  const threadOf = (scope: Scope<N>): ThreadSummary<M> => summaries(scopeRef(scope).key);
  const isDue = ({ plan }: SummaryRequest<M, N>): boolean =>
    config.summarize !== undefined && plan.leaving.length > 0;

  async function run(thread: ThreadSummary<M>, request: SummaryRequest<M, N>): Promise<SummaryOutcome<M>> {
    const task = prepare(parts, thread, request);
    try {
      return take(parts, task, await ask(parts, task));
    } catch (error) {
      return fail(parts, task, error);
    }
  }

  function runSync(thread: ThreadSummary<M>, request: SummaryRequest<M, N>): SummaryOutcome<M> {
    const task = prepare(parts, thread, request);
    try {
      const text = ask(parts, task);
      if (!isThenable(text)) return take(parts, task, text);
      text.then(undefined, () => {});
    } catch (error) {
      return fail(parts, task, error);
    }
    reporter.warnOnce("promise", "no summary was made: summarize returned a promise. Await reduce instead.");
    return miss(task);
  }

  return {
    async summarize(request) {
      if (!isDue(request)) return unchanged(request);
      const thread = threadOf(request.scope);
      const outcome = thread.running.then(() => run(thread, request));
      thread.running = outcome;
      return await outcome;
    },
    summarizeSync: (request) =>
      isDue(request) ? runSync(threadOf(request.scope), request) : unchanged(request),
    findBlocks(messages, scope) {
      if (!config.injectSummary) return [];
      const known = config.summaryMessages && findKnownBlock(threadOf(scope), messages);
      return known ? [known] : findSummaryBlocks(messages);
    },
    reservedSize(messages, current) {
      if (!config.injectSummary) return 0;
      const empty = parts.sizeOf(emptyBlock(parts, messages));
      const text = Math.min(firstSummaryTokens, Math.floor((config.maxTokens ?? 0) / 8));
      return Math.max(parts.sizeOf(current), empty + text);
    },
  };
}

/** The outcome where nothing leaves or nothing is summarised. */
function unchanged<M, N>({ plan, previousSummary }: SummaryRequest<M, N>): SummaryOutcome<M> {
  return { summary: previousSummary ?? plan.block?.text ?? null, block: plan.block?.messages ?? [] };
}

/** Finds out what is new to the thread's summary, and which summary to go on from. */
function prepare<M, N>(
  { idOf }: SummarizerParts<M, N>,
  thread: ThreadSummary<M>,
  { plan, scope, previousSummary }: SummaryRequest<M, N>,
): Task<M, N> {
  const keyOf = (message: M): MessageKey => identityOf(idOf, message) ?? Object(message);
  const keys = plan.messages.map(keyOf);
  // Without a thread id two conversations may share this memory: only a message seen before tells that this is the same one.
  const isSameThread =
    scope.threadId !== undefined || keys.some((key) => thread.stayed.has(key) || thread.covered.has(key));
  const candidates = isSameThread ? [...thread.missed, ...plan.leaving] : plan.leaving;
  const fresh = new Map<MessageKey, M>();
  for (const message of candidates) {
    const key = keyOf(message);
    fresh.delete(key); // Its place is that in the list.
    if (!thread.covered.has(key)) fresh.set(key, message);
  }
  thread.stayed = createMarks();
  for (const [index, key] of keys.entries()) if (plan.keep[index] === 1) thread.stayed.add(key);
  const previous = previousSummary ?? plan.block?.text ?? (isSameThread ? thread.text : undefined);
  return { plan, scope, thread, fresh, previous };
}

/** Asks for a summary where the thread's last one does not cover everything that leaves, and the window has room for one. */
function ask<M, N>(parts: SummarizerParts<M, N>, { plan, thread, fresh, previous }: Task<M, N>): unknown {
  const { summarize, injectSummary } = parts.config;
  if (injectSummary) checkRoom(parts, plan, emptyBlock(parts, plan.messages));
  if (fresh.size === 0 && thread.text !== undefined) return thread.text;
  return summarize?.([...fresh.values()], { previousSummary: previous });
}

/**
 * Takes a summary over.
 *
 * @throws {KeepsakeError} invalid_input where it is no text, or too large for the window
 */
function take<M, N>(parts: SummarizerParts<M, N>, task: Task<M, N>, text: unknown): SummaryOutcome<M> {
  if (typeof text !== "string" || text.trim() === "")
    throw new KeepsakeError("invalid_input", `summarize must return a text, not "${String(text)}".`);
  const { thread, fresh, scope } = task;
  const block = parts.config.injectSummary ? blockWith(parts, task.plan, text) : [];
  thread.block = block.map(contentHashOf);
  thread.text = text;
  thread.missed = [];
  for (const key of fresh.keys()) thread.covered.add(key);
  if (fresh.size > 0) parts.reporter.emit({ type: "summarised", count: fresh.size, summary: text, ...scope });
  return { summary: text, block };
}

function fail<M, N>(
  { reporter }: SummarizerParts<M, N>,
  task: Task<M, N>,
  error: unknown,
): SummaryOutcome<M> {
  reporter.warn("no summary was made; the next call makes up for it.", error);
  reporter.emit({ type: "summary_failed", error, ...task.scope });
  return miss(task);
}

/** What was to be summarised waits for the next call; the previous block stays. */
function miss<M, N>({ thread, fresh, plan }: Task<M, N>): SummaryOutcome<M> {
  thread.missed = [...fresh.values()].slice(-maxMissed);
  return { summary: null, block: plan.block?.messages ?? [] };
}

function blockWith<M, N>(parts: SummarizerParts<M, N>, plan: Plan<M>, text: string): readonly M[] {
  if (plan.block?.text === text) return plan.block.messages;
  const block = makeBlock(parts, text, plan.leaving.length, plan.messages);
  checkRoom(parts, plan, block);
  return block;
}

function checkRoom<M, N>({ sizeOf }: SummarizerParts<M, N>, plan: Plan<M>, block: readonly M[]): void {
  const size = sizeOf(block);
  if (plan.size + size <= plan.limit) return;
  throw new KeepsakeError(
    "invalid_input",
    `The summary needs ${size}, and ${plan.size} of ${plan.limit} are taken. Shorten it, or raise the limit.`,
  );
}

/** The block is built in the format of the list where the app builds none: its messages are then of the list's own type. */
function makeBlock<M, N>(
  { config }: SummarizerParts<M, N>,
  text: string,
  count: number,
  like: readonly M[],
): readonly M[] {
  return config.summaryMessages?.(text, count) ?? (makeSummaryBlock(text, like) as M[]);
}

/** A block made only to be measured: a factory that fails on it will fail again where that is reported. */
function emptyBlock<M, N>(parts: SummarizerParts<M, N>, like: readonly M[]): readonly M[] {
  try {
    return makeBlock(parts, "", 0, like);
  } catch {
    return [];
  }
}
