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
export interface BackgroundSettings {
  readonly concurrency: number;
  readonly maxPending: number;
  readonly retries: number;
  readonly waitUntil: ((promise: Promise<void>) => void) | undefined;
  readonly logger: Logger;
}

const optionNames = ["concurrency", "maxPending", "retries", "waitUntil", "logger"];

/**
 * Fills in the defaults.
 *
 * @throws {KeepsakeError} `invalid_config` for an option that is unknown or has a value that cannot work.
 */
export function readBackgroundOptions(options: BackgroundOptions): BackgroundSettings {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) {
    throw invalid(unknown, `background has no option "${unknown}". It has ${optionNames.join(", ")}.`);
  }
  const { waitUntil, logger = console } = options;
  if (waitUntil !== undefined && typeof waitUntil !== "function") {
    throw invalid(
      "waitUntil",
      "background's waitUntil is not a function. Pass (promise) => context.waitUntil(promise).",
    );
  }
  if (typeof logger?.warn !== "function") {
    throw invalid("logger", "background's logger has no warn(). Pass { debug, warn }, such as console.");
  }
  return {
    concurrency: wholeNumber("concurrency", options.concurrency ?? 2, 1),
    maxPending: wholeNumber("maxPending", options.maxPending ?? 1_000, 1),
    retries: wholeNumber("retries", options.retries ?? 0, 0),
    waitUntil,
    logger,
  };
}

function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  if (value === Number.POSITIVE_INFINITY) return value;
  throw invalid(
    name,
    `background's ${name} is ${String(value)}. It must be a whole number, ${least} or more.`,
  );
}

function invalid(option: string, message: string): KeepsakeError {
  return new KeepsakeError("invalid_config", message, { data: { option } });
}
