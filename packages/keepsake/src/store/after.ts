import type { Awaitable } from "../util/index.ts";

/**
 * Goes on with a result at once where it is there, and when it comes where it is a promise. So work over a synchronous database runs in one
 * go: nothing else of the process comes between the statements of a transaction.
 */
export function after<T, R>(result: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return result instanceof Promise ? result.then(next) : next(result);
}
