/**
 * What a promise gives, unless the signal is aborted before: then it rejects with the signal's reason at once, and what the promise does
 * later is ignored.
 */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(work);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const end =
      <Value>(settle: (value: Value) => void) =>
      (value: Value): void => {
        signal.removeEventListener("abort", abort);
        settle(value);
      };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    work.then(end(resolve), end(reject));
  });
}
