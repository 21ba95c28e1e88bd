import { trait } from "../message/index.ts";
import { exchangeOf, findPins, has } from "./pins.ts";
import type { Sequence } from "./sequence.ts";
import type { CutInput } from "./types.ts";

/**
 * Cuts with the arithmetic of agentstate-reducer: the messages of `[start, n − minMessages)` are scanned, human and ai messages among them are
 * pruned, and results go only with their ai message, wherever they are. By tokens the scan ends when `targetTokens` is reached.
 *
 * What the original does not know: reasoning and the items of its answer go as one; with `repair`, calls of one id are told apart by place.
 */
export function cutByMessage(input: CutInput): void {
  const { sequence, keep, options } = input;
  const { records, weights } = sequence;
  const pinned = findPins(input);
  const answers = options.cascadeToolMessages ? answersByCall(input) : new Map<string, number[]>();
  const byTokens = options.maxTokens !== undefined;
  const target = byTokens ? (options.targetTokens ?? input.limit) : Number.NEGATIVE_INFINITY;
  let size = input.total;
  let scanned = byTokens ? records.length : keep.reduce((sum, kept) => sum + kept, -options.minMessages);
  for (let index = 0; index < records.length && size > target && scanned > 0; index += 1) {
    const record = records[index];
    if (record === undefined) continue;
    scanned -= 1;
    if (pinned[index] === 1 || keep[index] === 0 || !has(sequence, index, trait.human | trait.ai)) continue;
    const isAnswer = has(sequence, index, trait.result) && !has(sequence, index, trait.calls);
    if (isAnswer && options.cascadeToolMessages) continue;
    const cascade = record.asks
      .flatMap((id) => answers.get(id) ?? [])
      .filter((answer) => !options.repair || !isOfOther(sequence, answer, index));
    const members = has(sequence, index, trait.item) ? exchangeOf(sequence, index) : [index];
    for (const gone of [...members, ...cascade]) {
      if (keep[gone] === 0 || pinned[gone] === 1) continue;
      keep[gone] = 0;
      size -= weights[gone] as number;
    }
  }
}

/** True for a result in the exchange of another call that has the same id. */
function isOfOther({ startOf }: Sequence, answer: number, call: number): boolean {
  return startOf[answer] !== answer && startOf[answer] !== startOf[call];
}

function answersByCall({ sequence }: CutInput): Map<string, number[]> {
  const answers = new Map<string, number[]>();
  sequence.records.forEach((record, index) => {
    for (const id of record?.answers ?? []) {
      answers.set(id, [...(answers.get(id) ?? []), index]);
    }
  });
  return answers;
}
