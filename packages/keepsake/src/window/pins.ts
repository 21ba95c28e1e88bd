import type { MessageRecord } from "../message/index.ts";
import type { Exchanges } from "./exchanges.ts";

/** What decides which messages never leave. */
export interface PinOptions {
  readonly preserveFirst: boolean;
  /** True where the app pins the message at an index. */
  readonly pin: ((index: number) => boolean) | undefined;
}

/** True for the roles that are never pruned by themselves, wherever they stand. */
export function isNeverPruned(record: MessageRecord): boolean {
  const { role } = record.view;
  return role === "system" || role === "function" || role === "other";
}

/**
 * Marks with 1 the messages that never leave: the first one while it is preserved, system and function messages, unknown roles, what the app
 * pins, the latest user message, the last exchange. A pinned message keeps its whole exchange.
 */
export function findPins(
  records: readonly MessageRecord[],
  exchanges: Exchanges,
  options: PinOptions,
): Uint8Array {
  const pinned = new Uint8Array(records.length);
  const whole = new Set<number>();
  if (options.preserveFirst && records.length > 0) whole.add(0);
  for (let index = 0; index < records.length; index += 1) {
    if (isNeverPruned(records[index] as MessageRecord)) pinned[index] = 1;
    if (options.pin?.(index)) whole.add(exchanges.startOf[index] ?? index);
  }
  const user = latestUser(records);
  if (user >= 0) whole.add(exchanges.startOf[user] ?? user);
  const last = lastExchange(records, exchanges);
  if (last >= 0) whole.add(last);
  for (let index = 0; index < records.length; index += 1) {
    if (whole.has(exchanges.startOf[index] ?? index)) pinned[index] = 1;
  }
  return pinned;
}

/** The index of the latest message that starts a turn, else of the latest user message; -1 where there is none. */
export function latestUser(records: readonly MessageRecord[]): number {
  const turn = records.findLastIndex((record) => record.view.startsTurn);
  return turn >= 0 ? turn : records.findLastIndex((record) => record.view.role === "human");
}

/** The first index of the last exchange that a provider accepts; -1 where the list has none that may be pruned. */
function lastExchange(records: readonly MessageRecord[], exchanges: Exchanges): number {
  const last = records.findLastIndex(
    (record, index) => !isNeverPruned(record) && !record.blank && exchanges.broken[index] === 0,
  );
  return last < 0 ? -1 : (exchanges.startOf[last] ?? last);
}
