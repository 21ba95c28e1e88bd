import type { Awaitable } from "../util/index.ts";

/**
 * Goes on with a result at once where it is there, and when it comes where it is a promise. So work over a synchronous database runs in one
 * go: nothing else of the process comes between the statements of a transaction.
 */
export function after<T, R>(result: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return result instanceof Promise ? result.then(next) : next(result);
}

/** Carries out work for each item, one after the other, at once as long as it is there at once. */
export function inOrder<T>(items: readonly T[], work: (item: T) => Awaitable<void>): Awaitable<void> {
  const goOn = (start: number): Awaitable<void> => {
    for (let index = start; index < items.length; index += 1) {
      const [item] = items.slice(index, index + 1);
      if (item === undefined) continue;
      const result = work(item);
      if (result instanceof Promise) return result.then(() => goOn(index + 1));
    }
    return undefined;
  };
  return goOn(0);
}
