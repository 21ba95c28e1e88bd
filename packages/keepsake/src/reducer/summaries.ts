import { contentHashOf, recordOf, type SummaryBlock } from "../message/index.ts";

/** How many threads' summaries are remembered; the least recently used are forgotten first. */
const maxThreads = 1000;
/** How many summarised messages are remembered of a thread, oldest forgotten first. */
const maxCovered = 10_000;

/** What the reducer remembers of a thread's summary. */
export interface ThreadSummary<M> {
  /** The last summary; `undefined` before the first. */
  text: string | undefined;
  /** Identities of the messages with an id that it covers. */
  readonly coveredIds: Set<string>;
  /** The messages without an id that it covers. */
  readonly coveredObjects: WeakSet<object>;
  /** What a failed call was to summarise, for the next one. */
  missed: readonly M[];
  /** The content hashes of the block that holds it, joined: recognises the block after a trip through JSON. */
  blockHash: string | undefined;
  /** The call that runs, or the last one. */
  running: Promise<unknown>;
}

/** The summaries of all threads of one reducer. */
export interface Summaries<M> {
  /** What is remembered of a thread. */
  of(thread: string): ThreadSummary<M>;
}

/** Remembers summaries by thread, the most recently used ones. */
export function createSummaries<M>(): Summaries<M> {
  const threads = new Map<string, ThreadSummary<M>>();
  return {
    of(thread) {
      const known = threads.get(thread) ?? newThread();
      threads.delete(thread);
      threads.set(thread, known);
      if (threads.size > maxThreads)
        for (const oldest of threads.keys()) {
          threads.delete(oldest);
          break;
        }
      return known;
    },
  };
}

function newThread<M>(): ThreadSummary<M> {
  return {
    text: undefined,
    coveredIds: new Set(),
    coveredObjects: new WeakSet(),
    missed: [],
    blockHash: undefined,
    running: Promise.resolve(),
  };
}

/** True where a thread's summary covers a message already. */
export function isCovered<M>(thread: ThreadSummary<M>, message: M, id: string | undefined): boolean {
  if (id !== undefined) return thread.coveredIds.has(identity(message, id));
  return typeof message === "object" && message !== null && thread.coveredObjects.has(message);
}

/** Notes that a thread's summary covers a message. */
export function cover<M>(thread: ThreadSummary<M>, message: M, id: string | undefined): void {
  if (id === undefined) {
    if (typeof message === "object" && message !== null) thread.coveredObjects.add(message);
    return;
  }
  thread.coveredIds.add(identity(message, id));
  for (const oldest of thread.coveredIds) {
    if (thread.coveredIds.size <= maxCovered) break;
    thread.coveredIds.delete(oldest);
  }
}

function identity(message: unknown, id: string): string {
  return `${contentHashOf(message)} ${id}`;
}

/** Finds the block of the app's own `summaryMessages` that a thread was given last: by the content of its messages. */
export function findKnownBlock<M>(thread: ThreadSummary<M>, messages: readonly M[]): SummaryBlock[] {
  const { blockHash, text } = thread;
  if (blockHash === undefined || text === undefined) return [];
  const hashes = blockHash.split(" ");
  const last = messages.length - hashes.length;
  for (let start = last; start >= 0; start -= 1) {
    if (hashes.every((hash, offset) => contentHashOf(messages[start + offset]) === hash)) {
      return [{ indices: hashes.map((_, offset) => start + offset), text }];
    }
  }
  return [];
}

/** The hash by which {@link findKnownBlock} knows a block again; `undefined` where it has a message that cannot be read. */
export function hashOfBlock(block: readonly unknown[]): string | undefined {
  if (block.length === 0 || block.some((message) => recordOf(message) === undefined)) return undefined;
  return block.map(contentHashOf).join(" ");
}
