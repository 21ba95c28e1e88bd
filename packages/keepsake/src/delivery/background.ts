import { KeepsakeError } from "../errors/index.ts";
import type { Logger } from "../util/index.ts";
import type { HookContext, RememberFn } from "./types.ts";

/** How {@link background} runs its function. */
export interface BackgroundOptions {
  /** Batches that run at once, of different namespaces. Default 2. */
  readonly concurrency?: number;
  /** Batches that wait or run at once; past it, batches are dropped. Default 1 000. */
  readonly maxPending?: number;
  /** How often a batch that failed is tried again, at once. Default 0. */
  readonly retries?: number;
  /** Called with a promise for each batch, which resolves when the batch is done: a serverless runtime's `waitUntil`. */
  readonly waitUntil?: (promise: Promise<void>) => void;
  /** Default `console`. */
  readonly logger?: Logger;
}

/** A hook that takes a delivery at once and works on it off the caller's path. */
export interface BackgroundHook<M, N = string[]> {
  (pruned: M[], namespace: N, context: HookContext): unknown;
  /** Batches that were not taken, or discarded by `close({ drain: false })`. */
  readonly dropped: number;
  /** Batches that failed, retries included. */
  readonly failed: number;
  /** Batches that wait or run. */
  readonly pending: number;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Takes no more batches, and resolves when nothing runs. `drain` (default true): what waits is worked off first, else discarded. */
  close(options?: { readonly drain?: boolean }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Moves a slow hook off the caller's path. */
export function background<M, N = string[]>(
  fn: RememberFn<M, N>,
  options: BackgroundOptions = {},
): BackgroundHook<M, N> {
  throw new KeepsakeError("unsupported", "background is being written", { data: { fn, options } });
}
