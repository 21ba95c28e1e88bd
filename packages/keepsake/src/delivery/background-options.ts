import { checkOptions, isCount, isFunction, isLogger, type Logger, type OptionKind } from "../util/index.ts";

/** How `background` runs its function. */
export interface BackgroundOptions {
  /** Batches that run at once, of different namespaces. Default 2. */
  readonly concurrency?: number;
  /** Batches that wait or run; past it, batches are dropped. Default 1 000. */
  readonly maxPending?: number;
  /** How often a batch that failed is tried again, at once. Default 0. */
  readonly retries?: number;
  /** A serverless runtime's `waitUntil`: called for each batch with a promise that resolves when the batch is done. */
  readonly waitUntil?: (promise: Promise<void>) => void;
  /** Where dropped and failed batches are warned about. Default `console`. */
  readonly logger?: Logger;
}

/** Every option, with what its value must be. */
const kinds: Readonly<Record<keyof BackgroundOptions, OptionKind>> = {
  concurrency: isCount(1),
  maxPending: isCount(1),
  retries: isCount(0),
  waitUntil: isFunction,
  logger: isLogger,
};

/**
 * Refuses a function that is none, and options that cannot work.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function checkBackground(fn: unknown, options: unknown): void {
  checkOptions("background", { fn: fn ?? null }, { fn: isFunction });
  checkOptions("background", options, kinds);
}
