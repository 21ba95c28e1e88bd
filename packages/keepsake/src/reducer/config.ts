import type { KeepsakeEvent, RememberFn } from "../delivery/index.ts";
import type { Awaitable, Logger } from "../util/index.ts";

/** What a summariser is told beside the messages. */
export interface SummarizeContext {
  /** The summary that the new one replaces, where there is one. */
  readonly previousSummary: string | undefined;
  /** Aborted when `summaryTimeoutMs` has passed. */
  readonly signal: AbortSignal;
}

/** Where a message stands, for those who make ids. */
export interface IdentifyContext {
  /** The list that it is in, without what never reaches a hook: summary blocks, and copies of truncated messages. One array for each call. */
  readonly messages: readonly unknown[];
  /** Its place in that list. */
  readonly index: number;
  readonly namespace: unknown;
  readonly threadId: string | undefined;
  /** True where the list holds a summary: what is summarised has left it. */
  readonly isSummarized: boolean;
}

/** What happened, and when: milliseconds since 1970. */
export type ReducerEvent = KeepsakeEvent & { readonly at: number };

/** The configuration of a {@link MessageReducer}: every field has a default. */
export interface ReducerConfig<M = unknown, N = string[]> {
  /** More messages than this trigger pruning; `null`: never by count. Default 20. */
  readonly maxMessages?: number | null | undefined;
  /** Messages to retain after pruning; the preserved first message comes on top. Default 10, or half of `maxMessages` if that is less. */
  readonly minMessages?: number | undefined;
  /** More tokens than this trigger pruning; when set the counts do not. */
  readonly maxTokens?: number | undefined;
  /** Tokens to prune down to. Default `maxTokens`. */
  readonly targetTokens?: number | undefined;
  /** A message of more tokens is replaced in the window by a copy with its beginning and its end. Default: none is. */
  readonly maxMessageTokens?: number | undefined;
  /** Tokens of a message. Default {@link estimateTokens}. */
  readonly tokenCounter?: ((message: M) => number) | undefined;
  /** The first message is never pruned. Default true. */
  readonly preserveFirst?: boolean | undefined;
  /** Results go with the ai message that asked for them. Default true. */
  readonly cascadeToolMessages?: boolean | undefined;
  /** `"turn"`: the window starts on a user message. `"message"`: agentstate-reducer's exact arithmetic. Default `"turn"`. */
  readonly boundary?: "turn" | "message" | undefined;
  /** Results without a call, calls never answered and empty messages are pruned. Default true; off while `cascadeToolMessages` is false. */
  readonly repair?: boolean | undefined;
  /** Never prune these. */
  readonly pin?: ((message: M) => boolean) | undefined;
  /** The id part of a message's identity. Default the message's `id`; {@link contentIds} makes ids for messages without. */
  readonly identify?: ((message: M, context: IdentifyContext) => string | undefined) | undefined;
  /** What hooks get instead of the original. */
  readonly redact?: ((message: M) => M) | undefined;
  /** Makes a summary of what is newly pruned. */
  readonly summarize?: ((pruned: M[], context: SummarizeContext) => Awaitable<string>) | undefined;
  /** A summary that has not settled after so many milliseconds has failed. Default none. */
  readonly summaryTimeoutMs?: number | undefined;
  /** Put the summary into `surviving`, before the retained tail. Default false. */
  readonly injectSummary?: boolean | undefined;
  /** The messages that hold an injected summary. Default a user message with it, and an assistant's "OK". */
  readonly summaryMessages?: ((text: string, count: number) => M[]) | undefined;
  /** Hooks, called in order with what leaves the window. Default none. */
  readonly onPrune?: readonly RememberFn<M, N>[] | undefined;
  /** The key that integrations look up in their per-call config or state. Default `"memory_namespace"`. */
  readonly namespaceKey?: string | undefined;
  /** Deliver each message once per hook, by identity. Default true. */
  readonly dedupeOnPrune?: boolean | undefined;
  /** Ids remembered per hook and namespace. Default 10 000. */
  readonly dedupeWindow?: number | undefined;
  /** `"skip"`: log a failed hook and go on. `"retain"`: keep its messages in the window. Default `"skip"`. */
  readonly onHookError?: "skip" | "retain" | undefined;
  /** Told of everything that happens, and when. */
  readonly onEvent?: ((event: ReducerEvent) => void) | undefined;
  /** The clock that events are stamped with, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** A hook that has not settled after so many milliseconds has failed. Default none. */
  readonly hookTimeoutMs?: number | undefined;
  /** Default `console`. */
  readonly logger?: Logger | undefined;
}
