import type { Sequence } from "./sequence.ts";

/** How a window is chosen: the part of the reducer's configuration that decides which messages stay. */
export interface WindowOptions {
  /** More messages than this trigger pruning; `null`: never by count. */
  readonly maxMessages: number | null;
  /** Messages to retain behind the preserved first. */
  readonly minMessages: number;
  /** More tokens than this trigger pruning; when set the counts do not. */
  readonly maxTokens?: number | undefined;
  /** Tokens to prune down to. */
  readonly targetTokens?: number | undefined;
  readonly preserveFirst: boolean;
  readonly cascadeToolMessages: boolean;
  readonly boundary: "turn" | "message";
  readonly repair: boolean;
}

/** A list to choose a window of. */
export interface WindowInput {
  readonly sequence: Sequence;
  /** True where the app pins the message at an index. */
  readonly pin: ((index: number) => boolean) | undefined;
  /** What a summary block that is in the window now takes up: messages, or tokens where `maxTokens` is set. */
  readonly blockSize: number;
  /** What the summary block takes up that will be there after pruning; asked only when something is cut. */
  readonly reservedSize: () => number;
}

/** A chosen window. */
export interface WindowChoice {
  /** 1 for each message that stays. */
  readonly keep: Uint8Array;
  /** What the messages that stay take up. */
  readonly size: number;
  /** The most that the window may take up. */
  readonly limit: number;
}

/** A list to cut. */
export interface CutInput extends WindowInput {
  readonly options: WindowOptions;
  /** 1 for each message that has not left yet. A cut sets it to 0 for those that leave. */
  readonly keep: Uint8Array;
  /** What they take up, and the summary block that will be there. */
  readonly total: number;
  readonly limit: number;
}
