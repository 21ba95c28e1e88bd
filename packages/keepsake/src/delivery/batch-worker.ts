import { warnAtExit } from "../util/index.ts";
import { attempt } from "./attempt.ts";
import { createLines } from "./lines.ts";
import type { NamespaceRef } from "./namespace-ref.ts";
import type { HookContext, RememberFn, Reporter } from "./types.ts";

/** What `background` was given by one call. */
export interface Batch<M, N> {
  readonly messages: readonly M[];
  readonly namespace: NamespaceRef<N>;
  readonly context: HookContext;
}

/** Works off batches. */
export interface BatchWorker<M, N> {
  /** The promise resolves when the batch is done or discarded, and never rejects. */
  add(batch: Batch<M, N>): Promise<void>;
  /** Gives up what has not been started, and says how many that were. */
  discard(): number;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  failed(): number;
  pending(): number;
}

interface Job<M, N> extends Batch<M, N> {
  readonly done: () => void;
}

/** Calls `fn` with one batch per namespace at a time, in order; with `retries` more calls where it fails. */
export function createBatchWorker<M, N>(
  fn: RememberFn<M, N>,
  { concurrency, retries, warn }: { concurrency: number; retries: number; warn: Reporter["warn"] },
): BatchWorker<M, N> {
  const lines = createLines(concurrency, work);
  const unfinished = new Set<Promise<void>>();
  let forgetExit = (): void => {};
  let failed = 0;

  async function work({ messages, namespace, context, done }: Job<M, N>): Promise<void> {
    await undefined; // The caller goes on first, also where fn is synchronous.
    for (let retry = 0; retry <= retries; retry += 1) {
      const counted = { ...context, attempt: context.attempt + retry };
      const failure = await attempt(() => fn([...messages], namespace.read(), counted));
      if (failure === undefined) return done();
      const next = retry < retries ? "trying again" : "giving up";
      warn(`background failed on delivery ${context.deliveryId}, ${next}.`, failure.error);
    }
    failed += 1;
    done();
  }

  function warnOfExit(): void {
    warn(`exiting with ${unfinished.size} background batches pending. Await close() first.`);
  }

  return {
    add(batch) {
      if (unfinished.size === 0) forgetExit = warnAtExit(warnOfExit);
      const finished = new Promise<void>((done) => {
        lines.add(batch.namespace.key, { ...batch, done });
      }).then(() => {
        unfinished.delete(finished);
        if (unfinished.size === 0) forgetExit();
      });
      unfinished.add(finished);
      return finished;
    },
    discard() {
      const jobs = lines.clear();
      for (const job of jobs) job.done();
      return jobs.length;
    },
    async idle() {
      while (unfinished.size > 0) await Promise.all(unfinished);
    },
    failed: () => failed,
    pending: () => unfinished.size,
  };
}
