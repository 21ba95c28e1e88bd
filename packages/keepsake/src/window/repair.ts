import type { MessageRecord } from "../message/index.ts";
import { groupExchanges } from "./exchanges.ts";

/**
 * Marks with 1 the messages that a provider accepts where they stand; `undefined` where that is all of them.
 *
 * Not marked: results whose call is missing, calls in the middle that were not all answered, with what results they have, and user or
 * assistant messages without any content.
 */
export function findSound(records: readonly MessageRecord[]): Uint8Array | undefined {
  const { broken, hasBroken } = groupExchanges(records);
  if (!hasBroken && !records.some((record) => record.blank)) return undefined;
  return broken.map((isBroken, index) => (isBroken === 1 || records[index]?.blank ? 0 : 1));
}
