import { KeepsakeError } from "../errors/index.ts";
import type { Awaitable } from "../util/index.ts";
import { notTaken } from "./not-taken.ts";

/** How one call of a hook ended; `error` is {@link notTaken} where the hook returned it. */
export type Attempt = { readonly taken: true } | { readonly taken: false; readonly error: unknown };

/** Calls a hook, and says at once how that ended where it ended at once. Never throws or rejects. */
export function attempt(call: () => unknown): Awaitable<Attempt> {
  try {
    const result = call();
    if (!isThenable(result)) return outcomeOf(result);
    return new Promise((resolve) => resolve(result)).then(outcomeOf, failed);
  } catch (error) {
    return failed(error);
  }
}

/** Calls a hook, and counts it as failed if it has not settled by then; what it does later is ignored. */
export function attemptWithin(
  timeoutMs: number | undefined,
  call: (signal: AbortSignal) => unknown,
): Awaitable<Attempt> {
  const controller = new AbortController();
  const result = attempt(() => call(controller.signal));
  if (timeoutMs === undefined || !(result instanceof Promise)) return result;
  return new Promise((resolve) => {
    const giveUp = (): void => {
      const error = new KeepsakeError(
        "hook_timeout",
        `The hook had not settled after ${timeoutMs} ms. Raise hookTimeoutMs, or wrap the hook in background().`,
        { data: { timeoutMs } },
      );
      resolve(failed(error));
      controller.abort(error);
    };
    const timer = setTimeout(giveUp, timeoutMs);
    result.then((ended) => {
      clearTimeout(timer);
      resolve(ended);
    });
  });
}

/** Goes on after an attempt: at once where it ended at once. */
export function afterwards(
  ended: Awaitable<Attempt>,
  next: (ended: Attempt) => void,
): Promise<void> | undefined {
  if (ended instanceof Promise) return ended.then(next);
  next(ended);
  return undefined;
}

/** True for a promise of any make. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === "function";
}

/** True for all but primitives and functions. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function outcomeOf(result: unknown): Attempt {
  return result === notTaken ? failed(notTaken) : { taken: true };
}

function failed(error: unknown): Attempt {
  return { taken: false, error };
}
