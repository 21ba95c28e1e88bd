import type { MessageRecord } from "../message/index.ts";
import { groupExchanges } from "./exchanges.ts";

/**
 * The indices of the messages that a provider accepts where they stand; `undefined` where that is all of them.
 *
 * Left out: results whose call is missing, calls in the middle that were not all answered, with what results they have, and user or
 * assistant messages without any content.
 */
export function findSound(records: readonly MessageRecord[]): readonly number[] | undefined {
  const { broken, hasBroken } = groupExchanges(records);
  if (!hasBroken && !records.some((record) => record.blank)) return undefined;
  const sound: number[] = [];
  for (let index = 0; index < records.length; index += 1) {
    if (broken[index] === 0 && !records[index]?.blank) sound.push(index);
  }
  return sound;
}
