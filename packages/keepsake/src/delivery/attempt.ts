import { KeepsakeError } from "../errors/index.ts";
import { type Awaitable, isThenable } from "../util/index.ts";
import { notTaken } from "./not-taken.ts";

/** Why a call failed; `error` is {@link notTaken} where a hook returned it. */
export interface Failure {
  readonly error: unknown;
}

/** Calls one of the app's functions, and says whether it failed: at once where it ended at once. Never throws or rejects. */
export function attempt(call: () => unknown): Awaitable<Failure | undefined> {
  try {
    const result = call();
    return isThenable(result) ? Promise.resolve(result).then(failureOf, failed) : failureOf(result);
  } catch (error) {
    return { error };
  }
}

/** Calls a hook, and counts it as failed if it has not settled by then; what it does later is ignored. */
export function attemptWithin(
  timeoutMs: number | undefined,
  call: (signal: AbortSignal) => unknown,
): Awaitable<Failure | undefined> {
  const controller = new AbortController();
  const ended = attempt(() => call(controller.signal));
  if (timeoutMs === undefined || !(ended instanceof Promise)) return ended;
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      const error = new KeepsakeError(
        "hook_timeout",
        `The hook had not settled after ${timeoutMs} ms. Raise hookTimeoutMs, or use background().`,
        { data: { timeoutMs } },
      );
      resolve({ error });
      controller.abort(error);
    }, timeoutMs);
    ended.then((failure) => {
      clearTimeout(timer);
      resolve(failure);
    });
  });
}

/** Calls one of the app's functions whose failure changes nothing but a log. */
export function attemptOrTell(call: () => unknown, tell: (error: unknown) => void): void {
  const tellFailure = (failure: Failure | undefined): void => {
    if (failure !== undefined) tell(failure.error);
  };
  const ended = attempt(call);
  if (ended instanceof Promise) ended.then(tellFailure);
  else tellFailure(ended);
}

function failureOf(result: unknown): Failure | undefined {
  return result === notTaken ? failed(notTaken) : undefined;
}

function failed(error: unknown): Failure {
  return { error };
}
