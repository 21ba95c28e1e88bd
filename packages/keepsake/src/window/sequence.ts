import {
  isStamped,
  isUnchanged,
  type MessageRecord,
  recordOf,
  type Stamps,
  stamp,
  trait,
} from "../message/index.ts";

/**
 * A list of messages, read and grouped into exchanges, the smallest units that may be pruned: a plain message, or an assistant's message with
 * calls and every result that answers them: parallel calls, results in any order, split over adjacent assistant rows. Hidden messages are
 * looked through: no provider sees them.
 *
 * Column by column, an entry for each message, so that a list that only grew costs its new messages.
 */
export interface Sequence extends Stamps {
  readonly messages: unknown[];
  /** `undefined` for what cannot be read or has no place in the window. */
  readonly records: (MessageRecord | undefined)[];
  readonly traits: number[];
  /** What each message takes up: 1, or its tokens. */
  readonly weights: number[];
  /** The index of the first message of the exchange. */
  readonly startOf: number[];
  /** At the index of an exchange's first message the index of its last. */
  readonly endOf: number[];
  /** 1 for what no provider accepts where it stands: a result without its call, a call in the middle without all its results. */
  readonly broken: number[];
  /** The rows of the exchange that results may still join: what is open at the end is not broken, its results are yet to come. */
  rows: readonly Row[];
}

/** Assistant messages with calls whose results are tied together: mostly one message. */
interface Row {
  /** The calls that still wait for a result. */
  readonly waiting: readonly string[];
  /** The indices of the messages with the calls, and of the results so far. */
  readonly members: readonly number[];
  readonly hasResults: boolean;
  /** True where a later row makes one of its calls again, before it was answered. */
  readonly lost: boolean;
}

/**
 * Remembers the sequences of lists by their second message, which conversations do not share as they may share a prompt. A sequence lives
 * as long as that message.
 */
export function createSequences(): (list: readonly unknown[]) => Sequence {
  const sequences = new WeakMap<object, Sequence>();
  return (list) => {
    const key = list[1] ?? list[0];
    if (typeof key !== "object" || key === null) return emptySequence();
    const sequence = sequences.get(key) ?? emptySequence();
    sequences.set(key, sequence);
    return sequence;
  };
}

/** A sequence without messages. */
export function emptySequence(): Sequence {
  const stamps = { contents: [], toolCalls: [], ids: [] };
  return {
    ...stamps,
    messages: [],
    records: [],
    traits: [],
    weights: [],
    startOf: [],
    endOf: [],
    broken: [],
    rows: [],
  };
}

/**
 * Makes a sequence hold a list: what has changed since the last time is read again, and all that follows it. The messages at the indices
 * in `absent` have no place in the window.
 */
export function follow<M>(
  sequence: Sequence,
  list: readonly M[],
  absent: ReadonlySet<number>,
  weigh: (message: M, record: MessageRecord) => number,
): void {
  const { messages } = sequence;
  let same = 0;
  while (same < messages.length && messages[same] === list[same] && isKnown(sequence, same)) same += 1;
  if (same < messages.length) same = truncate(sequence, same);
  for (let index = same; index < list.length; index += 1) {
    const message = list[index] as M;
    const record = absent.has(index) ? undefined : recordOf(message);
    append(sequence, message, record, record === undefined ? 0 : weigh(message, record));
  }
}

function isKnown(sequence: Sequence, index: number): boolean {
  const message = sequence.messages[index];
  try {
    if (isStamped(sequence, index, message)) return true;
  } catch {
    return false;
  }
  return isUnchanged(sequence.records[index], message);
}

/** Cuts a sequence back to where no exchange is open, at most so many messages, and tells how many are left. */
function truncate(sequence: Sequence, length: number): number {
  const open = trait.calls | trait.result | trait.hidden;
  const last = sequence.records.findLastIndex(
    (record, index) => index < length && record !== undefined && (record.traits & open) === 0,
  );
  for (const column of Object.values({ ...sequence, rows: [] })) column.length = last + 1;
  sequence.rows = [];
  return last + 1;
}

/** Adds a message to the end; without a record it has no place in the window. */
export function append(
  sequence: Sequence,
  message: unknown,
  record: MessageRecord | undefined,
  weight: number,
): void {
  const index = sequence.messages.length;
  const traits = record?.traits ?? 0;
  stamp(sequence, record);
  sequence.messages.push(message);
  sequence.records.push(record);
  sequence.traits.push(traits);
  sequence.weights.push(weight);
  sequence.startOf.push(index);
  sequence.endOf.push(index);
  sequence.broken.push(0);
  if (record === undefined || (traits & trait.hidden) !== 0) return;
  if ((traits & trait.result) !== 0) {
    if (answer(sequence, record.view.results, index)) join(sequence, sequence.rows, index);
    else sequence.broken[index] = 1;
    return;
  }
  const isCall = (traits & trait.calls) !== 0;
  if (!isCall || sequence.rows.some((row) => row.hasResults)) close(sequence);
  if (!isCall) return;
  const { calls } = record.view;
  const row = { waiting: calls, members: [index], hasResults: false, lost: false };
  sequence.rows = [...withoutCalls(sequence.rows, calls), row];
  join(sequence, sequence.rows, index);
}

/** The rows, where none waits any longer for a call that is made again. */
function withoutCalls(rows: readonly Row[], calls: readonly string[]): Row[] {
  return rows.map((row) => {
    const waiting = row.waiting.filter((id) => !calls.includes(id));
    return { ...row, waiting, lost: row.lost || waiting.length < row.waiting.length };
  });
}

function join({ startOf, endOf }: Sequence, rows: readonly Row[], index: number): void {
  const start = rows[0]?.members[0] ?? index;
  startOf[index] = start;
  endOf[start] = Math.max(index, endOf[start] as number);
}

/** Takes a message's results to the rows that wait for them, which it ties together; false where none does. */
function answer(sequence: Sequence, results: readonly string[], index: number): boolean {
  const asking = sequence.rows.filter((row) => row.waiting.some((id) => results.includes(id)));
  const waiting = asking.flatMap((row) => row.waiting);
  if (asking.length === 0 || !results.every((id) => waiting.includes(id))) return false;
  const tied: Row = {
    waiting: waiting.filter((id) => !results.includes(id)),
    members: [...asking.flatMap((row) => row.members), index],
    hasResults: true,
    lost: asking.some((row) => row.lost),
  };
  sequence.rows = sequence.rows.flatMap((row) =>
    row === asking[0] ? [tied] : asking.includes(row) ? [] : [row],
  );
  return true;
}

/** Marks the rows that were not answered in full, with the results they have; the exchange begins at the first of the others. */
function close(sequence: Sequence): void {
  const { rows } = sequence;
  sequence.rows = [];
  const answered = rows.filter((row) => !row.lost && row.waiting.length === 0);
  if (answered.length === rows.length) return;
  for (const row of rows) {
    const isAnswered = answered.includes(row);
    for (const index of row.members) {
      join(sequence, isAnswered ? answered : [], index);
      if (!isAnswered) sequence.broken[index] = 1;
    }
  }
}
