/** How soon what other processes have enqueued, and what has become due, is noticed. */
const pollMs = 200;

/** Tells workers of this process that there may be work. */
export interface Bell {
  /** Calls back whenever there may be work for a hook; the returned function ends that. */
  listen(hook: string, wake: () => void): () => void;
  /** Calls the listeners of a hook back. */
  ring(hook: string): void;
  close(): void;
}

/** A bell that is rung by this process, and looks now and then whether something is due that nobody rang for. */
export function createBell(isDue: (hook: string) => Promise<boolean>): Bell {
  const listeners = new Map<string, Set<() => void>>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isLooking = false;

  const ring = (hook: string): void => {
    for (const wake of listeners.get(hook) ?? []) wake();
  };
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      for (const hook of listeners.keys()) if (await isDue(hook)) ring(hook);
    } catch {
      // The file is locked, or away: a worker that calls meets the same error and says so.
    } finally {
      isLooking = false;
    }
  };
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    ring,
    listen: (hook, wake) => {
      const own = (): void => wake();
      const ofHook = listeners.get(hook) ?? new Set();
      listeners.set(hook, ofHook.add(own));
      timer ??= setInterval(() => void look(), pollMs).unref();
      return () => {
        ofHook.delete(own);
        if (ofHook.size > 0 || listeners.get(hook) !== ofHook) return;
        listeners.delete(hook);
        if (listeners.size === 0) rest();
      };
    },
    close: () => {
      listeners.clear();
      rest();
    },
  };
}
