import { findPins } from "./pins.ts";
import type { CutInput } from "./types.ts";

/**
 * Cuts with the arithmetic of agentstate-reducer: the messages of `[start, n − minMessages)` are scanned, human and ai messages among them are
 * pruned, and tool messages go only with their ai message, wherever they are. By tokens the scan ends when `targetTokens` is reached.
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
    const view = records[index]?.view;
    if (view === undefined) continue;
    scanned -= 1;
    if (pinned[index] === 1 || (view.role !== "human" && view.role !== "ai")) continue;
    for (const gone of [index, ...view.calls.flatMap((id) => answers.get(id) ?? [])]) {
      if (keep[gone] === 0 || pinned[gone] === 1) continue;
      keep[gone] = 0;
      size -= weights[gone] as number;
    }
  }
}

function answersByCall({ sequence }: CutInput): Map<string, number[]> {
  const answers = new Map<string, number[]>();
  sequence.records.forEach((record, index) => {
    for (const id of record?.view.role === "tool" ? record.view.results : []) {
      answers.set(id, [...(answers.get(id) ?? []), index]);
    }
  });
  return answers;
}
