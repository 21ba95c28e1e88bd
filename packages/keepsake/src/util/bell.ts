/** Tells workers of this process that there may be work. */
export interface Bell {
  /** Calls back whenever there may be work for a hook; the returned function ends that. */
  listen(hook: string, wake: () => void): () => void;
  /** Calls the listeners of a hook back. */
  ring(hook: string): void;
  /** The hooks that someone listens for. */
  hooks(): string[];
  close(): void;
}

/**
 * A bell that is rung by this process, and looks every so often whether something is due that nobody rang for: what other processes have
 * enqueued, what has become due. Its timer keeps no process running.
 */
export function createBell(isDue: (hook: string) => Promise<boolean>, pollMs: () => number): Bell {
  const listeners = new Map<string, Set<() => void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ring = (hook: string): void => {
    for (const wake of listeners.get(hook) ?? []) queueMicrotask(wake);
  };
  const look = async (): Promise<void> => {
    try {
      for (const hook of [...listeners.keys()]) if (await isDue(hook)) ring(hook);
    } catch {
      // The database is away: a worker that calls it meets the same error, and says so.
    }
    timer = undefined;
    if (listeners.size > 0) lookLater();
  };
  const lookLater = (): void => {
    timer = setTimeout(() => void look(), pollMs());
    timer.unref?.();
  };
  return {
    ring,
    hooks: () => [...listeners.keys()],
    listen: (hook, wake) => {
      const own = (): void => wake();
      const ofHook = listeners.get(hook) ?? new Set();
      listeners.set(hook, ofHook.add(own));
      if (timer === undefined) lookLater();
      return () => {
        ofHook.delete(own);
        if (ofHook.size === 0 && listeners.get(hook) === ofHook) listeners.delete(hook);
      };
    },
    close: () => {
      listeners.clear();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
