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

/** What is called with a limit of time, by its name in messages and the option that sets the limit. */
export type Limited = readonly [name: string, option: string, code: "hook_timeout" | "summary_timeout"];

/**
 * Calls one of the app's functions; what it promises is rejected if it has not settled in time, and what it does later is ignored.
 *
 * @throws {KeepsakeError} hook_timeout, summary_timeout: rejects with it
 */
export function callWithin(
  timeoutMs: number | undefined,
  [name, option, code]: Limited,
  call: (signal: AbortSignal) => unknown,
): unknown {
  const controller = new AbortController();
  const result = call(controller.signal);
  if (timeoutMs === undefined || !isThenable(result)) return result;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const problem = `The ${name} had not settled after ${timeoutMs} ms. Raise ${option}, or make it faster.`;
      const error = new KeepsakeError(code, problem, { data: { timeoutMs } });
      reject(error);
      controller.abort(error);
    }, timeoutMs);
    const end = (settle: (value: unknown) => void) => (value: unknown) => {
      clearTimeout(timer);
      settle(value);
    };
    result.then(end(resolve), end(reject));
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
