import type { MessageRecord, MessageView } from "../message/index.ts";

/** How a list falls into exchanges, the smallest units that may be pruned. */
export interface Exchanges {
  /** For each message the index of the first message of its exchange. */
  readonly startOf: Int32Array;
  /** 1 for each message that no provider would accept where it stands: a result without its call, a call without all its results. */
  readonly broken: Uint8Array;
  readonly hasBroken: boolean;
}

/** An assistant message with calls, and which of them still wait for a result. */
interface Row {
  readonly index: number;
  open: number;
}

/** The exchange that results may still join: adjacent assistant rows with calls, and the results so far. */
interface OpenExchange {
  readonly start: number;
  readonly rows: Row[];
  /** The row that waits for the result of a call. */
  readonly waiting: Map<string, Row>;
  /** The row that each result answered. */
  readonly answers: (readonly [index: number, row: Row])[];
}

/**
 * Groups messages into exchanges: a plain message, or an assistant's message with calls and every result that answers them: parallel calls,
 * results in any order, split over adjacent assistant rows. Messages of unknown role and blank ones are looked through: no provider sees the
 * first, and repair takes the second.
 *
 * What is still open at the end of the list is not broken: its results are yet to come.
 */
export function groupExchanges(records: readonly MessageRecord[]): Exchanges {
  const startOf = new Int32Array(records.length);
  const broken = new Uint8Array(records.length);
  let open: OpenExchange | undefined;
  let hasBroken = false;
  for (let index = 0; index < records.length; index += 1) {
    const { view, blank } = records[index] as MessageRecord;
    startOf[index] = index;
    if (view.role === "other" || blank) continue;
    if (view.results.length > 0 || view.role === "tool") {
      if (open !== undefined && answer(open, view, index)) startOf[index] = open.start;
      else {
        broken[index] = 1;
        hasBroken = true;
      }
    } else if (view.calls.length > 0) {
      if (open === undefined || open.answers.length > 0) {
        hasBroken = close(open, broken) || hasBroken;
        open = { start: index, rows: [], waiting: new Map(), answers: [] };
      }
      startOf[index] = open.start;
      call(open, view, index);
    } else if (open !== undefined) {
      hasBroken = close(open, broken) || hasBroken;
      open = undefined;
    }
  }
  return { startOf, broken, hasBroken };
}

function call(open: OpenExchange, view: MessageView, index: number): void {
  const row: Row = { index, open: view.calls.length };
  open.rows.push(row);
  for (const id of view.calls) open.waiting.set(id, row);
}

/** Takes a result into the open exchange; false where it answers nothing there. */
function answer(open: OpenExchange, view: MessageView, index: number): boolean {
  const rows = view.results.map((id) => open.waiting.get(id));
  const row = rows[0];
  if (row === undefined || rows.includes(undefined)) return false;
  for (const id of view.results) {
    const answered = open.waiting.get(id);
    if (answered !== undefined) answered.open -= 1;
    open.waiting.delete(id);
  }
  open.answers.push([index, row]);
  return true;
}

/** Marks the rows that were not answered in full, with the results they have; true where there were any. */
function close(open: OpenExchange | undefined, broken: Uint8Array): boolean {
  if (open === undefined || open.rows.every((row) => row.open === 0)) return false;
  for (const row of open.rows) if (row.open > 0) broken[row.index] = 1;
  for (const [index, row] of open.answers) if (row.open > 0) broken[index] = 1;
  return true;
}
