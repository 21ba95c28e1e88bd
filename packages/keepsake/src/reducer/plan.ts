import { type MessageRecord, recordOf, type SummaryBlock } from "../message/index.ts";
import { chooseWindow, type WindowOptions } from "../window/index.ts";

/** What {@link planWindow} needs beside the list. */
export interface PlanOptions<M> {
  readonly window: WindowOptions;
  readonly pin: ((message: M) => boolean) | undefined;
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
  readonly unreadable: number;
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
  const { indices, records } = readable(messages, inBlock);
  const { pin } = options;
  const messageAt = (index: number): M => messages[indices[index] ?? 0] as M;
  const tokensAt = (index: number): number =>
    options.tokensOf(messageAt(index), records[index] as MessageRecord);
  const choice = chooseWindow(
    {
      records,
      pin: pin && ((index) => pin(messageAt(index))),
      tokensOf: tokensAt,
      blockSize: block === undefined ? 0 : sizeOf(block.messages, options),
      reservedSize: () => options.reservedSize(messages, block?.messages ?? []),
    },
    options.window,
  );
  const keep = new Uint8Array(messages.length);
  const leaving: M[] = [];
  for (let index = 0; index < indices.length; index += 1) {
    if (choice.keep[index] === 1) keep[indices[index] ?? 0] = 1;
    else leaving.push(messageAt(index));
  }
  const unreadable = messages.length - inBlock.size - indices.length;
  return { messages, keep, block, inBlock, leaving, unreadable, size: choice.size, limit: choice.limit };
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

/** The messages that can be read and belong to no summary block, by their index. */
function readable(
  messages: readonly unknown[],
  inBlock: ReadonlySet<number>,
): { indices: Int32Array; records: MessageRecord[] } {
  const indices = new Int32Array(messages.length);
  const records: MessageRecord[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    if (inBlock.has(index)) continue;
    const record = recordOf(messages[index]);
    if (record === undefined) continue;
    indices[records.length] = index;
    records.push(record);
  }
  return { indices: indices.subarray(0, records.length), records };
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
  const surviving: M[] = [];
  const pruned: M[] = [];
  const kept = new Set<unknown>(block);
  const at = block.length === 0 ? -1 : blockIndex(plan, preserveFirst);
  for (let index = 0; index < plan.messages.length; index += 1) {
    if (index === at) surviving.push(...block);
    const message = plan.messages[index] as M;
    if (plan.keep[index] === 1) surviving.push(message);
    else if (!(plan.inBlock.has(index) && kept.has(message))) pruned.push(message);
  }
  if (at >= plan.messages.length) surviving.push(...block);
  return { surviving, pruned };
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
  if (next >= 0) return next;
  const latest = messages.findLastIndex(isTurn);
  return latest >= 0 ? latest : afterPrompt(plan, first);
}

/** The index behind the preserved first message and the system messages that follow it. */
function afterPrompt<M>(plan: Plan<M>, first: number): number {
  let index = first + 1;
  while (
    index < plan.messages.length &&
    (plan.keep[index] !== 1 || recordOf(plan.messages[index])?.view.role === "system")
  )
    index += 1;
  return index;
}
