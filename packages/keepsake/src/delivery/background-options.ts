import { KeepsakeError } from "../errors/index.ts";
import type { Logger } from "../util/index.ts";

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

/** The options with their defaults. */
export type BackgroundSettings = Required<Omit<BackgroundOptions, "waitUntil">> & {
  readonly waitUntil: BackgroundOptions["waitUntil"];
};

/**
 * Fills in the defaults.
 *
 * @throws {KeepsakeError} `invalid_config` for an option that is unknown or has a value that cannot work.
 */
export function readBackgroundOptions(options: BackgroundOptions): BackgroundSettings {
  const {
    concurrency = 2,
    maxPending = 1_000,
    retries = 0,
    waitUntil,
    logger = console,
    ...unknown
  } = options;
  for (const name of Object.keys(unknown)) {
    refuse(`has no option ${name}: it has concurrency, maxPending, retries, waitUntil, logger`);
  }
  checkCount("concurrency", concurrency, 1);
  checkCount("maxPending", maxPending, 1);
  checkCount("retries", retries, 0);
  if (waitUntil !== undefined && typeof waitUntil !== "function") refuse("needs a function for waitUntil");
  if (typeof logger?.warn !== "function") refuse("needs a logger with debug and warn");
  return { concurrency, maxPending, retries, waitUntil, logger };
}

function checkCount(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  refuse(`needs a whole number from ${least} on for ${name}, not ${String(value)}`);
}

/**
 * Refuses a configuration.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function refuse(problem: string): never {
  throw new KeepsakeError("invalid_config", `background ${problem}.`);
}
