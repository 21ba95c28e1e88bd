import { type MessageReducer, viewOf } from "../../src/index.ts";
import type { Draft } from "./draft.ts";
import { type Format, type Written, writeHistory } from "./formats.ts";
import type { Outcome } from "./judge.ts";
import type { Limits } from "./limits.ts";
import { partitionOf } from "./partition.ts";

export type Reducer = MessageReducer<unknown, unknown>;
export type ReducerConfig = NonNullable<ConstructorParameters<typeof MessageReducer<unknown, unknown>>[0]>;
export type Result = Awaited<ReturnType<Reducer["reduce"]>>;

const SILENT = { debug: () => {}, warn: () => {} };
const BLOCK_TOKENS = 3;

/** A history as one reducer meets it: `pinned` holds only where the limits say so. */
export interface Case {
  readonly drafts: readonly Draft[];
  readonly written: Written;
  readonly limits: Limits;
}

export function writeCase(drafts: readonly Draft[], format: Format, limits: Limits): Case {
  const list = limits.pin ? drafts : unpinned(drafts);
  return { drafts: list, written: writeHistory(list, format), limits };
}

/** Keeps a draft that occurs twice the same draft. */
function unpinned(drafts: readonly Draft[]): Draft[] {
  const copies = new Map<Draft, Draft>();
  return drafts.map((draft) => {
    const copy = copies.get(draft) ?? { ...draft, pinned: false };
    copies.set(draft, copy);
    return copy;
  });
}

/** The configuration that these limits stand for; tokens and pins are those of the drafts. */
export function configOf({ limits, written }: Case, more: Partial<ReducerConfig> = {}): ReducerConfig {
  const {
    maxMessages,
    minMessages,
    maxTokens,
    targetTokens,
    preserveFirst,
    boundary,
    repair,
    pin,
    injectSummary,
  } = limits;
  return {
    maxMessages,
    minMessages,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(targetTokens === undefined ? {} : { targetTokens }),
    tokenCounter: (message) => written.draftOf.get(message)?.tokens ?? BLOCK_TOKENS,
    preserveFirst,
    boundary,
    repair,
    ...(pin ? { pin: (message: unknown) => written.draftOf.get(message)?.pinned ?? false } : {}),
    ...(injectSummary
      ? { injectSummary, summarize: (pruned: unknown[]) => `${pruned.length} messages` }
      : {}),
    logger: SILENT,
    ...more,
  };
}

/** A result in the terms of the oracle, or what is wrong with it as a partition of its input. */
export function outcomeOf(
  { written, drafts }: Case,
  { surviving, pruned, overBudget }: Result,
): Outcome | string {
  const known = new Set(written.messages);
  const isBlock = (message: unknown): boolean => !known.has(message);
  const isOwn = (message: unknown): boolean => !isBlock(message);
  const partition = partitionOf(written.messages, surviving.filter(isOwn), pruned.filter(isOwn));
  if (partition === undefined) return "surviving and pruned are not the input, in order, each message once";
  let next = 0;
  const window = surviving.map((message) =>
    isBlock(message) ? blockDraft(message) : (drafts[partition.survived[next++] ?? -1] as Draft),
  );
  return { ...partition, window, block: surviving.filter(isBlock).map(blockDraft), carried: [], overBudget };
}

/** The messages of a list that are a summary block: all that the history does not know. */
export function blocksOf({ written }: Case, messages: readonly unknown[]): Draft[] {
  return messages.filter((message) => !written.draftOf.has(message)).map(blockDraft);
}

function blockDraft(message: unknown): Draft {
  const role = viewOf(message).role === "human" ? "human" : "ai";
  return {
    role,
    label: "summary",
    id: undefined,
    content: "string",
    calls: [],
    answers: undefined,
    tokens: BLOCK_TOKENS,
    pinned: false,
    variant: 0,
  };
}
