import {
  calledBy,
  isStamped,
  isUnchanged,
  type MessageRecord,
  recordOf,
  type Stamps,
  stamp,
  trait,
} from "../message/index.ts";

/**
 * A list of messages, read and grouped into exchanges, the smallest units that may be pruned: a plain message; an assistant's message with
 * calls and every result that answers them: parallel calls, results in any order, split over adjacent assistant rows; reasoning with the
 * items of its answer. Hidden messages are looked through: no provider sees them.
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
  /** The rows of the exchange that may still grow: what is open at the end is not broken, its results are yet to come. */
  rows: readonly Row[];
  /** Where calls are made whose ids must not occur twice, by id. */
  readonly callers: Map<string, number>;
  /** Where OpenAI's items stand first, by the ids that OpenAI has given them. */
  readonly items: Map<string, number>;
  /** The index of the last message that makes one of them again; -1 where there is none. */
  lastBreak: number;
}

/** Messages of the assistant that stay or go together with results: mostly one message with calls. */
interface Row {
  /** What still waits for an answer. */
  readonly waiting: readonly string[];
  /** What may be answered, and may be left. */
  readonly offers: readonly string[];
  /** The indices of the assistant's messages, and of the results so far. */
  readonly members: readonly number[];
  readonly hasResults: boolean;
  /** True where a later row makes one of its calls again, before it was answered. */
  readonly lost: boolean;
  /** True for reasoning, which needs a row that follows it. */
  readonly binds: boolean;
  /** True for what neither calls nor answers nor thinks: it would be no row by itself. */
  readonly loose: boolean;
}

const none: readonly never[] = [];

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
  const stamps = { contents: [], sizes: [], toolCalls: [], ids: [] };
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
    callers: new Map(),
    items: new Map(),
    lastBreak: -1,
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
  const known = countKnown(sequence, list);
  const same = known < sequence.messages.length ? truncate(sequence, known) : known;
  for (let index = same; index < list.length; index += 1) {
    const message = list[index] as M;
    const record = absent.has(index) ? undefined : recordOf(message);
    append(sequence, message, record, record === undefined ? 0 : weigh(message, record));
  }
}

/** How many messages of a list a sequence knows, from the first. */
function countKnown(sequence: Sequence, list: readonly unknown[]): number {
  const { messages } = sequence;
  const index = messages.findIndex((message, at) => message !== list[at] || !isKnown(sequence, at));
  return index < 0 ? messages.length : index;
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
  const last = sequence.records.findLastIndex(
    (record, index) => index < length && record !== undefined && closes(record.traits),
  );
  const { rows: _, callers, items, lastBreak, records, ...columns } = sequence;
  // What a call that is made again has broken is sound without it.
  const left = lastBreak > last ? 0 : last + 1;
  for (const record of records.slice(left)) {
    for (const { id = "" } of record?.calls ?? none) if ((callers.get(id) ?? -1) >= left) callers.delete(id);
    const id = record?.view.id ?? "";
    if ((items.get(id) ?? -1) >= left) items.delete(id);
  }
  for (const column of [records, ...Object.values(columns)]) column.length = left;
  sequence.rows = [];
  if (left === 0) sequence.lastBreak = -1;
  return left;
}

/** True for a message that nothing before it can be tied to: a user's, or a prompt. */
function closes(traits: number): boolean {
  return (
    (traits & (trait.human | trait.fixed)) !== 0 &&
    (traits & (trait.calls | trait.result | trait.hidden)) === 0
  );
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
  if (isRepeated(sequence, record, index)) {
    sequence.broken[index] = 1;
    if ((traits & trait.binds) === 0) loseThoughts(sequence);
    return;
  }
  place(sequence, record, index);
  if ((traits & trait.uniqueCalls) !== 0) breakEarlier(sequence, record.calls, index);
}

/** True for an item of OpenAI's that stands in the list already: a request that holds one twice is refused. */
function isRepeated({ items }: Sequence, { traits, view: { id } }: MessageRecord, index: number): boolean {
  if ((traits & trait.item) === 0 || id === undefined || !/^[a-z]+_/.test(id)) return false;
  if (items.has(id)) return true;
  items.set(id, index);
  return false;
}

/** Reasoning whose item has no place leaves with it, and with all that it still leads to. */
function loseThoughts(sequence: Sequence): void {
  const last = sequence.rows.findLastIndex((row) => !row.binds);
  sequence.rows = sequence.rows.map((row, at) => (at > last ? { ...row, lost: true } : row));
  breakLost(sequence);
}

function place(sequence: Sequence, record: MessageRecord, index: number): void {
  const { traits } = record;
  if ((traits & trait.result) !== 0) {
    if (answersTwice(record) || !answer(sequence, record, index)) sequence.broken[index] = 1;
    else join(sequence, sequence.rows, index);
    // Words of the user's beside results end the turn.
    if ((traits & trait.startsTurn) !== 0) close(sequence);
    if (sequence.broken[index] === 1 || (traits & trait.calls) === 0) return;
  } else if (!continues(sequence.rows, record)) close(sequence);
  if ((traits & (trait.calls | trait.binds)) !== 0 || sequence.rows.length > 0)
    addRow(sequence, record, index);
}

/** True where a message belongs to the exchange that is open. */
function continues(rows: readonly Row[], { traits, nature: { caller } }: MessageRecord): boolean {
  if (caller !== undefined && rows.some(({ waiting }) => waiting.includes(caller))) return true;
  const isItem = (traits & trait.item) !== 0;
  if (rows.some((row) => row.hasResults)) {
    // The calls of one answer may be carried out one by one: those behind its reasoning still need it.
    return isItem && (traits & trait.calls) !== 0 && rows[0]?.binds === true;
  }
  if ((traits & (trait.calls | trait.binds)) !== 0) return true;
  return (traits & trait.ai) !== 0 && (isItem || rows.at(-1)?.binds === true);
}

/** Adds an assistant's message to the exchange that is open, or begins one with it. */
function addRow(sequence: Sequence, { asks, calls, traits, nature }: MessageRecord, index: number): void {
  const isUnique = (traits & trait.uniqueCalls) !== 0;
  // A message that answers and calls is one row with what it answers.
  const own = sequence.rows.find((row) => row.members.at(-1) === index);
  const row: Row = {
    waiting: [...(own?.waiting ?? none), ...asks],
    offers: [...(own?.offers ?? none), ...(nature.offers ?? none)],
    members: own?.members ?? [index],
    hasResults: false,
    lost: own?.lost === true || ((isUnique || nature.names !== undefined) && callsTwice(calls)),
    binds: (traits & trait.binds) !== 0,
    loose: (traits & (trait.calls | trait.binds)) === 0,
  };
  const at = own === undefined ? sequence.rows.length : sequence.rows.indexOf(own);
  sequence.rows = withoutCalls(sequence.rows, asks).toSpliced(at, 1, row);
  join(sequence, sequence.rows, index);
  breakLost(sequence);
}

/** True where two calls have one id. */
function callsTwice(calls: MessageRecord["calls"]): boolean {
  const ids = calls.flatMap(({ id }) => id ?? none);
  return new Set(ids).size < ids.length;
}

/** True where a message holds two results for one call: no provider takes them, and no message is rewritten. */
function answersTwice({ parts, answers }: MessageRecord): boolean {
  const given = parts.flatMap((part) => part.answers ?? none).filter((id) => answers.includes(id));
  return new Set(given).size < given.length;
}

/** Marks the rows that will never be answered in full, whatever comes, with all that goes where they go. */
function breakLost(sequence: Sequence): void {
  if (!sequence.rows.some((row) => row.lost)) return;
  const rows = answersOf(sequence.rows).flatMap((together): readonly Row[] => {
    if (!together.some((row) => row.lost)) return together;
    for (const row of together) markBroken(sequence, row);
    // What reasoning still leads to goes where it goes.
    return together[0]?.binds === true ? together.map((row) => ({ ...row, lost: true })) : none;
  });
  const rest = new Set(
    regroup(
      sequence,
      rows.filter((row) => !row.lost),
    ),
  );
  sequence.rows = rows.filter((row) => row.lost || rest.has(row));
}

function markBroken(sequence: Sequence, { members }: Row): void {
  for (const index of members) {
    join(sequence, none, index);
    sequence.broken[index] = 1;
  }
}

/** Makes rows the exchange that they would be by themselves: in front of the first call, or reasoning, messages stand alone. */
function regroup(sequence: Sequence, rows: readonly Row[]): readonly Row[] {
  const first = rows.findIndex((row) => !row.loose);
  const rest = first < 0 ? none : rows.slice(first);
  for (const [at, { members }] of rows.entries())
    for (const index of members) join(sequence, at < first ? none : rest, index);
  return rest;
}

/** Where ids must be unlike, a call that is made again leaves no place for the exchange that made it first. */
function breakEarlier(sequence: Sequence, calls: MessageRecord["calls"], index: number): void {
  const { callers, startOf, endOf, broken } = sequence;
  for (const { id } of calls) {
    if (id === undefined) continue;
    const earlier = callers.get(id);
    callers.set(id, index);
    const start = earlier === undefined ? undefined : startOf[earlier];
    if (start === undefined || start === startOf[index]) continue;
    sequence.lastBreak = index;
    for (let member = start; member <= (endOf[start] as number); member += 1)
      if (startOf[member] === start) broken[member] = 1;
  }
}

/** The rows, where none waits any longer for a call that is made again. */
function withoutCalls(rows: readonly Row[], calls: readonly string[]): Row[] {
  if (calls.length === 0) return [...rows];
  return rows.map((row) => {
    const waiting = row.waiting.filter((id) => !calls.includes(id));
    return { ...row, waiting, lost: row.lost || waiting.length < row.waiting.length };
  });
}

function join({ startOf, endOf }: Sequence, rows: readonly Row[], index: number): void {
  const start = rows.find((row) => !row.lost)?.members[0] ?? index;
  startOf[index] = start;
  endOf[start] = Math.max(index, endOf[start] as number);
}

/** Takes a message's answers to the rows that wait for them, which it ties together; false where none does, or they have no place. */
function answer(sequence: Sequence, record: MessageRecord, index: number): boolean {
  const answers = named(sequence, record);
  const isAnswer = (id: string): boolean => answers.includes(id);
  const asking = sequence.rows.filter((row) => row.waiting.some(isAnswer) || row.offers.some(isAnswer));
  const waiting = asking.flatMap((row) => row.waiting);
  const offers = asking.flatMap((row) => row.offers);
  if (asking.length === 0 || !answers.every((id) => waiting.includes(id) || offers.includes(id)))
    return false;
  const tied: Row = {
    waiting: waiting.filter((id) => !isAnswer(id)),
    offers: offers.filter((id) => !isAnswer(id)),
    members: [...asking.flatMap((row) => row.members), index],
    hasResults: true,
    lost: asking.some((row) => row.lost),
    binds: false,
    loose: false,
  };
  sequence.rows = sequence.rows.flatMap((row) =>
    row === asking[0] ? [tied] : asking.includes(row) ? [] : [row],
  );
  breakThoughts(sequence);
  return asking.every(({ members: [first = index] }) => sequence.broken[first] === 0);
}

/** Reasoning that a result follows has led to nothing. */
function breakThoughts(sequence: Sequence): void {
  const { rows } = sequence;
  const last = rows.findLastIndex((row) => !row.binds);
  for (const row of rows.slice(last + 1)) markBroken(sequence, row);
  if (last + 1 < rows.length) sequence.rows = rows.slice(0, last + 1);
}

/** The ids of the calls that a message's answers are for, where they or the calls came without ids. */
function named({ rows, records }: Sequence, record: MessageRecord): readonly string[] {
  const { answers } = record;
  const calls = rows.flatMap(({ waiting }) => waiting);
  if (answers.every((id) => calls.includes(id))) return answers;
  const made = rows.flatMap(({ members }) => members.flatMap((index) => records[index]?.calls ?? none));
  const names = new Map(made.map(({ id, name }) => [id, name]));
  let waiting = calls.map((id) => ({ id, name: names.get(id) }));
  return answers.map((answer) => {
    // A call that another answer names by its id is not for this one.
    const free = waiting.filter(({ id }) => id === answer || !answers.includes(id));
    const called = calledBy(record, answer, free) ?? answer;
    waiting = waiting.filter(({ id }) => id !== called);
    return called;
  });
}

/** Marks the rows that were not answered in full, with the results they have; the exchange begins at the first of the others. */
function close(sequence: Sequence): void {
  const { rows } = sequence;
  sequence.rows = [];
  const sound = answersOf(rows).filter(isSound).flat();
  if (sound.length === rows.length) return;
  const stays = new Set(sound);
  for (const row of rows) if (!stays.has(row)) markBroken(sequence, row);
  regroup(sequence, sound);
}

/** The rows that only stay together: each by itself, but for reasoning with all that follows it up to the next reasoning. */
function answersOf(rows: readonly Row[]): Row[][] {
  const answers: Row[][] = [];
  let previous: Row | undefined;
  for (const row of rows) {
    const current = answers.at(-1);
    const begins = row.binds ? previous?.binds !== true : current?.[0]?.binds !== true;
    if (current === undefined || begins) answers.push([row]);
    else current.push(row);
    previous = row;
  }
  return answers;
}

function isSound(answer: readonly Row[]): boolean {
  return answer.at(-1)?.binds === false && answer.every((row) => !row.lost && row.waiting.length === 0);
}
