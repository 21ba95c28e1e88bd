import {
  type MessageRecord,
  type MessageView,
  recordOf,
  type SummaryBlock,
  viewOf,
} from "../message/index.ts";
import { chooseWindow, emptySequence, follow, type Sequence, type WindowOptions } from "../window/index.ts";

/** What {@link planWindow} needs beside the list. */
export interface PlanOptions<M> {
  readonly window: WindowOptions;
  readonly pin: ((message: M) => boolean) | undefined;
  /** The sequence that followed an earlier state of a list. */
  readonly sequenceOf: (messages: readonly M[]) => Sequence;
  readonly tokensOf: (message: M, record: MessageRecord) => number;
  /** Finds the summary blocks in a list; `undefined` where no summaries are made. */
  readonly findBlocks: ((messages: readonly M[]) => SummaryBlock[]) | undefined;
  /** What the summary block takes up that a prune will put into the list, given the one that is there now: messages or tokens. */
  readonly reservedSize: (messages: readonly M[], current: readonly M[]) => number;
}

/** Which messages of a list stay, before anything is handed over. */
export interface Plan<M> {
  readonly messages: readonly M[];
  /** 1 for each message that stays; a summary block's are 0. */
  readonly keep: Uint8Array;
  /** The summary block of the list, the last one where there are several. */
  readonly block:
    | { readonly messages: readonly M[]; readonly text: string; readonly index: number }
    | undefined;
  /** Messages that belong to a summary block, or to an older one that is left out. */
  readonly inBlock: ReadonlySet<number>;
  /** What leaves, in order: readable, and no summary block. */
  readonly leaving: readonly M[];
  /** True where something of the list cannot be read: it leaves, and is handed to nobody. */
  readonly isUnreadable: boolean;
  /** What the messages that stay take up, without a summary block. */
  readonly size: number;
  readonly limit: number;
}

/** Chooses the window of a list. Pure but for the callbacks. */
export function planWindow<M>(messages: readonly M[], options: PlanOptions<M>): Plan<M> {
  const blocks = options.findBlocks?.(messages) ?? [];
  const inBlock = new Set(blocks.flatMap((block) => block.indices));
  const last = blocks.at(-1);
  const block = last && {
    messages: last.indices.map((index) => messages[index] as M),
    text: last.text,
    index: last.indices[0] ?? 0,
  };
  const { pin } = options;
  const sequence = inBlock.size === 0 ? options.sequenceOf(messages) : emptySequence();
  const byTokens = options.window.maxTokens !== undefined;
  follow(sequence, messages, inBlock, (message, record) =>
    byTokens ? options.tokensOf(message, record) : 1,
  );
  const { keep, size, limit } = chooseWindow(
    {
      sequence,
      pin: pin && ((index) => pin(messages[index] as M)),
      blockSize: block === undefined ? 0 : sizeOf(block.messages, options),
      reservedSize: () => options.reservedSize(messages, block?.messages ?? []),
    },
    options.window,
  );
  const { records } = sequence;
  const isWhole = !records.includes(undefined);
  return {
    messages,
    keep,
    block,
    inBlock,
    leaving: isWhole
      ? marked(messages, keep, 0)
      : messages.filter((_, index) => keep[index] === 0 && records[index] !== undefined),
    isUnreadable:
      !isWhole && messages.some((_, index) => records[index] === undefined && !inBlock.has(index)),
    size,
    limit,
  };
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
}

/**
 * The lists of a plan, with `block` as the one summary block in the window: where it was while nothing leaves, else before the retained tail.
 * A block that is replaced goes to `pruned`.
 */
export function splitByPlan<M>(plan: Plan<M>, block: readonly M[], preserveFirst: boolean): Split<M> {
  const { messages, keep } = plan;
  const stays = keep.slice();
  if (plan.block?.messages === block) stays.fill(1, plan.block.index, plan.block.index + block.length);
  const surviving = marked(messages, keep, 1);
  if (block.length > 0) {
    const before = keep.subarray(0, blockIndex(plan, preserveFirst));
    const place = before.reduce((sum, kept) => sum + kept, 0);
    surviving.splice(place, 0, ...block);
  }
  return { surviving, pruned: marked(messages, stays, 0) };
}

/** The index that the summary block goes before: a turn behind what left, else the first that is neither a prompt nor a preserved question. */
function blockIndex<M>({ messages, keep, block, inBlock, leaving }: Plan<M>, preserveFirst: boolean): number {
  if (leaving.length === 0 && block !== undefined) return block.index;
  const firstGone = keep.findIndex((kept, index) => kept === 0 && !inBlock.has(index));
  const first = preserveFirst ? keep.indexOf(1) : -1;
  const find = (fits: (view: MessageView, index: number) => boolean): number =>
    keep.findIndex((kept, index) => kept === 1 && fits(viewOf(messages[index]), index));
  const turn = find(({ startsTurn }, index) => startsTurn && index > firstGone && index !== first);
  if (turn >= 0) return turn;
  const behindPrompt = find(({ role }, index) => role !== "system" && (index !== first || role !== "human"));
  return behindPrompt >= 0 ? behindPrompt : messages.length;
}
