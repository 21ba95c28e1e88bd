import { contentHashOf, recordOf, type SummaryBlock } from "../message/index.ts";

/** How many threads' summaries are remembered; the least recently used are forgotten first. */
const maxThreads = 1000;
/** How many messages are remembered of a thread, oldest forgotten first. */
const maxCovered = 10_000;

/** What the reducer remembers of a thread's summary. */
export interface ThreadSummary<M> {
  /** The last summary; `undefined` before the first. */
  text: string | undefined;
  /** The messages that it covers. */
  readonly covered: Marks<M>;
  /** The messages that stayed in the window when it was made last: the next list of the same conversation has some of them. */
  stayed: Marks<M>;
  /** What a failed call was to summarise, for the next one. */
  missed: readonly M[];
  /** The content hashes of the block that holds it, joined: recognises the block after a trip through JSON. */
  blockHash: string | undefined;
  /** The call that runs, or the last one. */
  running: Promise<unknown>;
}

/** A set of messages: those with an id by identity, the others by object. */
export interface Marks<M> {
  has(message: M): boolean;
  add(message: M): void;
}

/** The summaries of all threads of one reducer. */
export interface Summaries<M> {
  /** What is remembered of a thread. */
  of(thread: string): ThreadSummary<M>;
}

/** Remembers summaries by thread, the most recently used ones. */
export function createSummaries<M>(idOf: (message: M) => string | undefined): Summaries<M> {
  const threads = new Map<string, ThreadSummary<M>>();
  return {
    of(thread) {
      const known = threads.get(thread) ?? newThread(idOf);
      threads.delete(thread);
      threads.set(thread, known);
      deleteOldest(threads, maxThreads);
      return known;
    },
  };
}

function newThread<M>(idOf: (message: M) => string | undefined): ThreadSummary<M> {
  return {
    text: undefined,
    covered: createMarks(idOf),
    stayed: createMarks(idOf),
    missed: [],
    blockHash: undefined,
    running: Promise.resolve(),
  };
}

/** Makes an empty set of messages. */
export function createMarks<M>(idOf: (message: M) => string | undefined): Marks<M> {
  const identities = new Set<string>();
  const objects = new WeakSet<object>();
  const identityOf = (message: M): string | undefined => {
    const id = idOf(message);
    return id === undefined ? undefined : `${contentHashOf(message)} ${id}`;
  };
  return {
    has(message) {
      const identity = identityOf(message);
      if (identity !== undefined) return identities.has(identity);
      return typeof message === "object" && message !== null && objects.has(message);
    },
    add(message) {
      const identity = identityOf(message);
      if (identity === undefined) {
        if (typeof message === "object" && message !== null) objects.add(message);
        return;
      }
      identities.add(identity);
      deleteOldest(identities, maxCovered);
    },
  };
}

function deleteOldest(entries: Map<string, unknown> | Set<string>, most: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
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
