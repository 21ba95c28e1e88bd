import { contentHashOf, type SummaryBlock } from "../message/index.ts";
import { deleteOldest } from "../util/index.ts";

/** How many threads' summaries are remembered; the least recently used are forgotten first. */
const maxThreads = 1000;
/** How many messages are remembered of a thread, oldest forgotten first. */
const maxCovered = 10_000;

/** By what a message is known: its identity, or the object that it is. */
export type MessageKey = string | object;

/** What the reducer remembers of a thread's summary. */
export interface ThreadSummary<M> {
  /** The last summary; `undefined` before the first. */
  text: string | undefined;
  /** The messages that it covers. */
  readonly covered: Marks;
  /** The messages that stayed in the window when it was made last: the next list of the same conversation has some of them. */
  stayed: Marks;
  /** What a failed call was to summarise, for the next one. */
  missed: ReadonlyMap<MessageKey, M>;
  /** The content hashes of the messages that hold it: they are recognised after a trip through JSON. */
  block: readonly string[];
  /** The call that runs, or the last one. */
  running: Promise<unknown>;
}

/** A set of messages. */
export interface Marks {
  has(key: MessageKey): boolean;
  add(key: MessageKey): void;
}

/** Remembers the summaries of a reducer by thread, the most recently used ones. */
export function createSummaries<M>(): (thread: string) => ThreadSummary<M> {
  const threads = new Map<string, ThreadSummary<M>>();
  return (thread) => {
    const summary = threads.get(thread) ?? newThread();
    threads.delete(thread);
    threads.set(thread, summary);
    deleteOldest(threads, maxThreads);
    return summary;
  };
}

function newThread<M>(): ThreadSummary<M> {
  return {
    text: undefined,
    covered: createMarks(),
    stayed: createMarks(),
    missed: new Map(),
    block: [],
    running: Promise.resolve(),
  };
}

/** Makes an empty set of messages: it holds identities up to a bound, and no object that nobody else holds. */
export function createMarks(): Marks {
  const identities = new Set<string>();
  const objects = new WeakSet<object>();
  return {
    has: (key) => (typeof key === "string" ? identities.has(key) : objects.has(key)),
    add(key) {
      if (typeof key !== "string") objects.add(key);
      else identities.add(key);
      deleteOldest(identities, maxCovered);
    },
  };
}

/** Finds the block that a thread was given last by the content of its messages. */
export function findKnownBlock<M>({ block, text }: ThreadSummary<M>, messages: readonly M[]): SummaryBlock[] {
  if (text === undefined || block.length === 0) return [];
  for (let start = messages.length - block.length; start >= 0; start -= 1) {
    if (block.every((hash, offset) => contentHashOf(messages[start + offset]) === hash))
      return [{ indices: block.map((_, offset) => start + offset), text }];
  }
  return [];
}
