import { callWithin, type IdAt, identityOf, type Reporter, type Scope, scopeRef } from "../delivery/index.ts";
import { KeepsakeError } from "../errors/index.ts";
import {
  contentHashOf,
  findSummaryBlocks,
  makeSummaryBlock,
  recordOf,
  type SummaryBlock,
  viewOf,
} from "../message/index.ts";
import { isThenable } from "../util/index.ts";
import { blockPlace } from "./block-place.ts";
import { type BlockTemplate, findByTemplate, templateOf } from "./block-template.ts";
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
  /** The id part of the identity of the message at a place of the list. */
  readonly idAt: IdAt;
  readonly previousSummary: string | null | undefined;
}

/** The messages that hold a summary in the window, and the index of the message that they go before. */
interface PlacedBlock<M> {
  readonly block: readonly M[];
  readonly place: number;
}

/** How it ended. */
export interface SummaryOutcome<M> extends PlacedBlock<M> {
  readonly summary: string | null;
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
  let template: BlockTemplate | undefined;
  const isDue = ({ plan }: SummaryRequest<M, N>): boolean =>
    config.summarize !== undefined && plan.leaving.length > 0;

  async function run(thread: ThreadSummary<M>, request: SummaryRequest<M, N>): Promise<SummaryOutcome<M>> {
    const task = prepare(thread, request);
    try {
      return take(parts, task, await ask(parts, task));
    } catch (error) {
      return fail(parts, task, error);
    }
  }

  function runSync(thread: ThreadSummary<M>, request: SummaryRequest<M, N>): SummaryOutcome<M> {
    const task = prepare(thread, request);
    try {
      const text = ask(parts, task);
      if (!isThenable(text)) return take(parts, task, text);
      text.then(undefined, () => {});
    } catch (error) {
      return fail(parts, task, error);
    }
    reporter.warnOnce("promise", "no summary was made: summarize returned a promise. Await reduce instead.");
    return miss(parts, task);
  }

  /** The outcome where nothing leaves or nothing is summarised. */
  function unchanged(request: SummaryRequest<M, N>): SummaryOutcome<M> {
    const { plan, scope, previousSummary } = request;
    const known = previousSummary ?? plan.block?.text;
    const thread = known === undefined && config.summarize !== undefined ? threadOf(scope) : undefined;
    const last = thread?.text !== undefined && isSameThread(thread, request) ? thread.text : null;
    return { summary: known ?? last, ...currentBlock(parts, plan) };
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
      const standard = findSummaryBlocks(messages);
      if (config.summaryMessages === undefined) return standard;
      template ??= templateOf(config.summaryMessages);
      const own = findByTemplate(template, messages);
      return own.length > 0 ? own : [...standard, ...findKnownBlock(threadOf(scope), messages)];
    },
    reservedSize(messages, current) {
      if (!config.injectSummary) return 0;
      const empty = parts.sizeOf(emptyBlock(parts, messages));
      const text = Math.min(firstSummaryTokens, Math.floor((config.maxTokens ?? 0) / 8));
      return Math.max(parts.sizeOf(current), empty + text);
    },
  };
}

/** By what the messages of a list are known. */
function keyAt<M, N>({ plan, idAt }: SummaryRequest<M, N>, index: number): MessageKey {
  const message = plan.input[index];
  return identityOf(message, idAt(index)) ?? Object(message);
}

/** Without a thread id two conversations may share a memory: only a message seen before tells that this is the same one. */
function isSameThread<M, N>(thread: ThreadSummary<M>, request: SummaryRequest<M, N>): boolean {
  const { plan, scope } = request;
  if (scope.threadId !== undefined) return true;
  return plan.input.some((_, index) => {
    const key = keyAt(request, index);
    return thread.stayed.has(key) || thread.covered.has(key);
  });
}

/** Finds out what is new to the thread's summary, and which summary to go on from. */
function prepare<M, N>(thread: ThreadSummary<M>, request: SummaryRequest<M, N>): Task<M, N> {
  const { plan, scope, previousSummary } = request;
  const isKnown = isSameThread(thread, request);
  const fresh = new Map<MessageKey, M>(isKnown ? thread.missed : []);
  for (const index of plan.leavingAt()) {
    const key = keyAt(request, index);
    fresh.delete(key); // Its place is that in the list.
    if (!thread.covered.has(key)) fresh.set(key, plan.input[index] as M);
  }
  thread.stayed = createMarks();
  plan.keep.forEach((kept, index) => {
    if (kept === 1) thread.stayed.add(keyAt(request, index));
  });
  const previous = previousSummary ?? plan.block?.text ?? (isKnown ? thread.text : undefined);
  return { plan, scope, thread, fresh, previous };
}

/** Asks for a summary where the thread's last one does not cover everything that leaves, and the window has room for one. */
function ask<M, N>(parts: SummarizerParts<M, N>, { plan, thread, fresh, previous }: Task<M, N>): unknown {
  const { summarize, summaryTimeoutMs, injectSummary } = parts.config;
  if (injectSummary) checkRoom(parts, plan, makeBlock(parts, "-", plan));
  if (fresh.size === 0 && thread.text !== undefined) return thread.text;
  return callWithin(summaryTimeoutMs, ["summariser", "summaryTimeoutMs", "summary_timeout"], (signal) =>
    summarize?.([...fresh.values()], { previousSummary: previous, signal }),
  );
}

/**
 * Takes a summary over.
 *
 * @throws {KeepsakeError} invalid_input where it is no text, or too large for the window
 */
function take<M, N>(parts: SummarizerParts<M, N>, task: Task<M, N>, text: unknown): SummaryOutcome<M> {
  if (typeof text !== "string" || text.trim() === "")
    throw new KeepsakeError("invalid_input", `summarize must return a text, not "${String(text)}".`);
  const { thread, fresh, scope, plan } = task;
  const placed = parts.config.injectSummary ? blockWith(parts, plan, text) : none;
  checkRoom(parts, plan, placed.block);
  thread.block = placed.block.map(contentHashOf);
  thread.text = text;
  thread.missed = new Map();
  for (const key of fresh.keys()) thread.covered.add(key);
  if (fresh.size > 0) parts.reporter.emit({ type: "summarised", count: fresh.size, summary: text, ...scope });
  return { summary: text, ...placed };
}

function fail<M, N>(parts: SummarizerParts<M, N>, task: Task<M, N>, error: unknown): SummaryOutcome<M> {
  parts.reporter.warn("no summary was made; the next call makes up for it.", error);
  parts.reporter.emit({ type: "summary_failed", error, ...task.scope });
  return miss(parts, task);
}

/** What was to be summarised waits for the next call; the previous block stays. */
function miss<M, N>(parts: SummarizerParts<M, N>, { thread, fresh, plan }: Task<M, N>): SummaryOutcome<M> {
  thread.missed = new Map([...fresh].slice(-maxMissed));
  return { summary: null, ...currentBlock(parts, plan) };
}

const none: PlacedBlock<never> = { block: [], place: 0 };

/** The block that is in the list, where it goes now. */
function currentBlock<M, N>(parts: SummarizerParts<M, N>, plan: Plan<M>): PlacedBlock<M> {
  return plan.block === undefined ? none : blockWith(parts, plan, plan.block.text);
}

/** The block with a text: the one that is there, where it has that text and its roles fit the place. */
function blockWith<M, N>(parts: SummarizerParts<M, N>, plan: Plan<M>, text: string): PlacedBlock<M> {
  const { block: current, leaving } = plan;
  const isCurrent = current?.text === text;
  const staysAsItIs = isCurrent && (leaving.length === 0 || parts.config.summaryMessages !== undefined);
  const made = staysAsItIs ? current.messages : makeBlock(parts, text, plan);
  const block = isCurrent && rolesOf(current.messages) === rolesOf(made) ? current.messages : made;
  const isPrompt = block.every((message) => viewOf(message).role === "system");
  return { block, place: blockPlace(plan, { preserveFirst: parts.config.preserveFirst, isPrompt }) };
}

function rolesOf(messages: readonly unknown[]): string {
  return messages.map((message) => viewOf(message).role).join();
}

function checkRoom<M, N>({ sizeOf }: SummarizerParts<M, N>, plan: Plan<M>, block: readonly M[]): void {
  const size = sizeOf(block);
  if (block.length === 0 || plan.size + size <= plan.limit) return;
  throw new KeepsakeError(
    "invalid_input",
    `The summary needs ${size}, and ${plan.size} of ${plan.limit} are taken. Shorten it, or raise the limit.`,
  );
}

/**
 * The block is built in the format of the list where the app builds none: its messages are then of the list's own type.
 *
 * @throws {KeepsakeError} invalid_value where the app's function returns something else than messages
 */
function makeBlock<M, N>({ config }: SummarizerParts<M, N>, text: string, plan: Plan<M>): readonly M[] {
  const { summaryMessages, preserveFirst } = config;
  if (summaryMessages !== undefined) return checkedBlock(summaryMessages(text, plan.leaving.length));
  const place = blockPlace(plan, { preserveFirst, isPrompt: false });
  const before = plan.keep.subarray(0, place).lastIndexOf(1);
  return makeSummaryBlock(text, plan.messages, viewOf(plan.messages[before]).role) as M[];
}

function checkedBlock<M>(block: readonly M[]): readonly M[] {
  const isMessage = (message: M): boolean => {
    const view = recordOf(message)?.view;
    return view !== undefined && view.calls.length + view.results.length === 0;
  };
  if (Array.isArray(block) && block.length > 0 && block.every(isMessage)) return block;
  throw new KeepsakeError(
    "invalid_value",
    "summaryMessages must return a list of messages, without tool calls and results.",
  );
}

/** A block made only to be measured: a factory that fails on it will fail again where that is reported. */
function emptyBlock<M, N>({ config }: SummarizerParts<M, N>, like: readonly M[]): readonly M[] {
  try {
    return config.summaryMessages?.("", 0) ?? (makeSummaryBlock("", like) as M[]);
  } catch {
    return [];
  }
}
