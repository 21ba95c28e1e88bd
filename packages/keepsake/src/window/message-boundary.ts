import type { MessageRecord } from "../message/index.ts";
import { groupExchanges } from "./exchanges.ts";
import { findPins } from "./pins.ts";
import type { CutInput } from "./types.ts";

/**
 * Cuts with the arithmetic of agentstate-reducer: the messages of `[start, n − minMessages)` are scanned, human and ai messages among them are
 * pruned, and tool messages go only with their ai message, wherever they are. By tokens the scan ends when `targetTokens` is reached.
 */
export function cutByMessage(input: CutInput): Uint8Array {
  const { records, options } = input;
  const exchanges = groupExchanges(records);
  const pinned = findPins(records, exchanges, { preserveFirst: options.preserveFirst, pin: input.pin });
  const keep = new Uint8Array(records.length).fill(1);
  const answers = options.cascadeToolMessages ? answersByCall(records) : new Map<string, number[]>();
  let size = input.total + input.reservedSize;
  const drop = (index: number): void => {
    if (keep[index] === 0 || pinned[index] === 1) return;
    keep[index] = 0;
    size -= input.weights[index] ?? 0;
  };
  const byTokens = options.maxTokens !== undefined;
  const target = options.targetTokens ?? input.limit;
  const end = byTokens ? records.length : records.length - options.minMessages;
  for (let index = options.preserveFirst ? 1 : 0; index < end; index += 1) {
    if (byTokens && size <= target) break;
    const { view } = records[index] as MessageRecord;
    if ((view.role !== "human" && view.role !== "ai") || pinned[index] === 1) continue;
    drop(index);
    for (const id of view.calls) for (const answer of answers.get(id) ?? []) drop(answer);
  }
  return keep;
}

function answersByCall(records: readonly MessageRecord[]): Map<string, number[]> {
  const answers = new Map<string, number[]>();
  records.forEach((record, index) => {
    if (record.view.role !== "tool") return;
    for (const id of record.view.results) {
      const known = answers.get(id);
      if (known === undefined) answers.set(id, [index]);
      else known.push(index);
    }
  });
  return answers;
}
