import { type MessageRecord, recordOf, type SummaryBlock } from "../message/index.ts";
import { chooseWindow, emptySequence, follow, type Sequence, type WindowOptions } from "../window/index.ts";
import type { ShownList } from "./shortener.ts";

/** What {@link planWindow} needs beside the list. */
export interface PlanOptions<M> {
  readonly window: WindowOptions;
  readonly pin: ((message: M) => boolean) | undefined;
  /** What must not leave, nor be shortened, also where repair would remove it. */
  readonly stuck: ReadonlySet<M>;
  /** The sequence that followed an earlier state of a list. */
  readonly sequenceOf: (messages: readonly M[]) => Sequence;
  readonly tokensOf: (message: M, record: MessageRecord) => number;
  /** Finds the summary blocks in a list; `undefined` where no summaries are made. */
  readonly findBlocks: ((messages: readonly M[]) => SummaryBlock[]) | undefined;
  /** Puts copies in place of oversized messages; `undefined` where there is no limit. */
  readonly shorten: ((messages: readonly M[], absent: ReadonlySet<number>) => ShownList<M>) | undefined;
  /** What the summary block takes up that a prune will put into the list, given the one that is there now: messages or tokens. */
  readonly reservedSize: (messages: readonly M[], current: readonly M[]) => number;
}

/** Which messages of a list stay, before anything is handed over. */
export interface Plan<M> {
  /** The list as it came. */
  readonly input: readonly M[];
  /** The list as the window shows it: copies in place of oversized messages. */
  readonly messages: readonly M[];
  /** 1 for each message that stays; a summary block's are 0. */
  readonly keep: Uint8Array;
  /** The summary block of the list, the last one where there are several. */
  readonly block:
    | { readonly messages: readonly M[]; readonly text: string; readonly index: number }
    | undefined;
  /** Messages that belong to a summary block, or to an older one that is left out. */
  readonly inBlock: ReadonlySet<number>;
  /** Copies of messages that were truncated before. */
  readonly copies: ReadonlySet<number>;
  /** What leaves, in order, and the indices: readable, no summary block, no copy. */
  readonly leaving: readonly M[];
  readonly leavingAt: () => readonly number[];
  /** True where something of the list cannot be read: it leaves, and is handed to nobody. */
  readonly isUnreadable: boolean;
  /** What the messages that stay take up, without a summary block. */
  readonly size: number;
  readonly limit: number;
}

/** Chooses the window of a list. Pure but for the callbacks. */
export function planWindow<M>(input: readonly M[], options: PlanOptions<M>): Plan<M> {
  const blocks = options.findBlocks?.(input) ?? [];
  const inBlock = new Set(blocks.flatMap((block) => block.indices));
  const block = lastBlock(input, blocks);
  const { pin, stuck } = options;
  const stuckAt = stuck.size === 0 ? [] : [...input.keys()].filter((index) => stuck.has(input[index] as M));
  const shown = options.shorten?.(input, new Set([...inBlock, ...stuckAt]));
  const { messages, copies } = shown ?? { messages: input, copies: new Set() };
  const sequence = inBlock.size === 0 ? options.sequenceOf(messages) : emptySequence();
  const byTokens = options.window.maxTokens !== undefined;
  follow(sequence, messages, inBlock, (message, record) =>
    byTokens ? options.tokensOf(message, record) : 1,
  );
  const isPinned = (index: number): boolean =>
    stuck.has(input[index] as M) || pin?.(input[index] as M) === true;
  const choice = chooseWindow(
    {
      sequence,
      pin: pin || stuckAt.length > 0 ? isPinned : undefined,
      blockSize: block === undefined ? 0 : sizeOf(block.messages, options),
      reservedSize: () => options.reservedSize(messages, block?.messages ?? []),
    },
    options.window,
  );
  let { keep, limit, size } = choice;
  for (const index of stuckAt) {
    if (keep[index] === 0) size += sequence.weights[index] as number;
    keep[index] = 1;
  }
  const records = sequence.records.slice();
  const isWhole = !records.includes(undefined);
  const leaves = (index: number): boolean =>
    (keep[index] === 0 || messages[index] !== input[index]) &&
    records[index] !== undefined &&
    !copies.has(index);
  return {
    input,
    messages,
    keep,
    block,
    inBlock,
    copies,
    leaving:
      isWhole && messages === input && copies.size === 0
        ? marked(input, keep, 0)
        : input.filter((_, index) => leaves(index)),
    leavingAt: () => [...input.keys()].filter(leaves),
    isUnreadable: !isWhole && records.some((record, index) => record === undefined && !inBlock.has(index)),
    size,
    limit,
  };
}

function lastBlock<M>(input: readonly M[], blocks: readonly SummaryBlock[]): Plan<M>["block"] {
  const last = blocks.at(-1);
  return (
    last && {
      messages: last.indices.map((index) => input[index] as M),
      text: last.text,
      index: last.indices[0] ?? 0,
    }
  );
}

/** The messages with a mark, copied run by run: long lists leave in one piece. */
function marked<M>(messages: readonly M[], marks: Uint8Array, mark: number): M[] {
  const runs: M[][] = [];
  for (let start = marks.indexOf(mark); start >= 0; ) {
    const end = marks.indexOf(1 - mark, start);
    runs.push(messages.slice(start, end < 0 ? undefined : end));
    start = end < 0 ? -1 : marks.indexOf(mark, end);
  }
  return runs.length === 1 ? (runs[0] as M[]) : runs.flat();
}

/** What messages take up: how many they are, or their tokens where `maxTokens` is set. */
export function sizeOf<M>(
  messages: readonly M[],
  options: Pick<PlanOptions<M>, "window" | "tokensOf">,
): number {
  if (options.window.maxTokens === undefined) return messages.length;
  let tokens = 0;
  for (const message of messages) {
    const record = recordOf(message);
    if (record !== undefined) tokens += options.tokensOf(message, record);
  }
  return tokens;
}

/** A plan carried out. */
export interface Split<M> {
  readonly surviving: M[];
  readonly pruned: M[];
  /** The messages that copies stand for in the window. */
  readonly truncated: M[];
}

/** The lists of a plan, with `block` as the one summary block in the window, before the message at `place`. A block that is replaced goes to `pruned`. */
export function splitByPlan<M>(
  { input, messages, keep, block: current }: Plan<M>,
  block: readonly M[],
  place: number,
): Split<M> {
  const surviving = marked(messages, keep, 1);
  const truncated =
    messages === input
      ? []
      : input.filter((message, index) => keep[index] === 1 && message !== messages[index]);
  const stays =
    truncated.length === 0
      ? keep.slice()
      : keep.map((kept, index) => (input[index] === messages[index] ? kept : 0));
  if (current !== undefined && current.messages === block)
    stays.fill(1, current.index, current.index + block.length);
  const keptBefore = keep.subarray(0, place).reduce((sum, kept) => sum + kept, 0);
  surviving.splice(keptBefore, 0, ...block);
  return { surviving, pruned: marked(input, stays, 0), truncated };
}
