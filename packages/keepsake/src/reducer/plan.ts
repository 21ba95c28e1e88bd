import { type MessageRecord, recordOf, type SummaryBlock } from "../message/index.ts";
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
  if (plan.block?.messages === block) for (const place of block.keys()) stays[plan.block.index + place] = 1;
  const at = block.length === 0 ? 0 : blockIndex(plan, preserveFirst);
  return {
    surviving: [
      ...marked(messages.slice(0, at), keep.subarray(0, at), 1),
      ...block,
      ...marked(messages.slice(at), keep.subarray(at), 1),
    ],
    pruned: marked(messages, stays, 0),
  };
}

/** The index that the summary block goes before. */
function blockIndex<M>(plan: Plan<M>, preserveFirst: boolean): number {
  if (plan.leaving.length === 0 && plan.block !== undefined) return plan.block.index;
  const { messages, keep } = plan;
  const firstGone = messages.findIndex((_, index) => keep[index] === 0 && !plan.inBlock.has(index));
  const first = preserveFirst ? messages.findIndex((_, index) => keep[index] === 1) : -1;
  const isTurn = (message: M, index: number): boolean =>
    keep[index] === 1 && index !== first && recordOf(message)?.view.startsTurn === true;
  const next = messages.findIndex((message, index) => index > firstGone && isTurn(message, index));
  return next >= 0 ? next : afterPrompt(plan, first);
}

/** The index of the first message that stays and is neither a prompt nor a preserved question. */
function afterPrompt<M>(plan: Plan<M>, first: number): number {
  const index = plan.messages.findIndex((message, place) => {
    const role = recordOf(message)?.view.role;
    return plan.keep[place] === 1 && role !== "system" && (place !== first || role !== "human");
  });
  return index >= 0 ? index : plan.messages.length;
}
