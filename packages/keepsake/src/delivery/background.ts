import { attemptOrTell } from "./attempt.ts";
import { type BackgroundOptions, checkBackground } from "./background-options.ts";
import { createBatchWorker } from "./batch-worker.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import { namespaceRef } from "./namespace-ref.ts";
import { notTaken } from "./not-taken.ts";
import { createReporter } from "./reporter.ts";
import type { HookContext, RememberFn } from "./types.ts";

/** A hook that takes a delivery at once and works on it off the caller's path. */
export interface BackgroundHook<M, N = string[]> {
  (pruned: M[], namespace: N, context?: HookContext): unknown;
  /** Batches that were not taken, and those that `close({ drain: false })` discarded. */
  readonly dropped: number;
  /** Batches that failed, after their retries. */
  readonly failed: number;
  /** Batches that wait or run. */
  readonly pending: number;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Takes no more, and resolves when nothing runs. `drain` (default true): what waits is worked off first; else it is discarded. */
  close(options?: { readonly drain?: boolean }): Promise<void>;
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Moves a slow hook off the caller's path: the returned hook copies the list, takes it, and never blocks or throws.
 *
 * One batch per namespace at a time, in order; namespaces side by side. What waits is in memory only: it dies with the process. `fn` gets
 * the context of the hand-over, `attempt` counted on by its retries; `hookTimeoutMs` covers the hand-over alone, so its signal is
 * never aborted for what `fn` does later.
 *
 * @throws {KeepsakeError} `invalid_config`
 * @example
 * ```ts
 * const remember = background(extractAndStore, { concurrency: 4, retries: 2 });
 * const reducer = new MessageReducer({ onPrune: [remember] });
 * // before process.exit(), or at the end of a serverless handler:
 * await remember.idle();
 * ```
 */
export function background<M, N = string[]>(
  fn: RememberFn<M, N>,
  options: BackgroundOptions = {},
): BackgroundHook<M, N> {
  checkBackground(fn, options);
  const { concurrency = 2, maxPending = 1_000, retries = 0, waitUntil, logger = console } = options;
  const { warn } = createReporter(logger);
  const worker = createBatchWorker(fn, { concurrency, retries, warn });
  let closed = false;
  let dropped = 0;

  function hook(pruned: M[], namespace: N, context: HookContext = directCall()): unknown {
    const pending = worker.pending();
    if (closed || pending >= maxPending) {
      dropped += 1;
      const reason = closed ? "it is closed" : `${pending} batches are pending (maxPending)`;
      warn(`background dropped ${pruned.length} messages: ${reason}.`);
      return notTaken;
    }
    const done = worker.add({ messages: [...pruned], namespace: namespaceRef(namespace), context });
    attemptOrTell(
      () => waitUntil?.(done),
      (error) => warn("waitUntil failed; the batch runs.", error),
    );
    return undefined;
  }

  async function close({ drain = true }: { readonly drain?: boolean } = {}): Promise<void> {
    closed = true;
    const discarded = drain ? 0 : worker.discard();
    dropped += discarded;
    if (discarded > 0) warn(`background dropped ${discarded} batches: it is closed.`);
    await worker.idle();
  }

  const members: PropertyDescriptorMap = {
    dropped: { get: () => dropped },
    failed: { get: worker.failed },
    pending: { get: worker.pending },
    idle: { value: worker.idle },
    close: { value: close },
  };
  // Older runtimes have no such symbol.
  if (Symbol.asyncDispose) members[Symbol.asyncDispose] = { value: () => close() };
  // Object.defineProperties keeps the type of the bare function.
  return Object.defineProperties(hook, members) as BackgroundHook<M, N>;
}

/** The context where the app itself calls the hook. */
function directCall(): HookContext {
  const { signal } = new AbortController();
  return { deliveryId: deliveryIdOf([undefined]), attempt: 1, threadId: undefined, signal };
}
