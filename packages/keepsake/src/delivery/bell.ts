/** Wakes one sleeper; a ring that nobody waits for is remembered. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or after so many milliseconds. `keepAlive`: the process waits for that. */
  wait(forMs: number, keepAlive: boolean): Promise<void>;
}

/** The longest delay that timers take. */
export const longestMs: number = 2 ** 31 - 1;

/** A bell that has not rung. */
export function createBell(): Bell {
  let hasRung = false;
  let wake = (): void => {};
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async wait(forMs, keepAlive) {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          const timer = startTimer(resolve, forMs, keepAlive);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      hasRung = false;
    },
  };
}

/** Starts a timer; one that does not keep the process alive where the runtime knows such. */
export function startTimer(
  call: () => void,
  inMs: number,
  keepAlive: boolean,
): ReturnType<typeof setTimeout> {
  const timer = setTimeout(call, Math.min(inMs, longestMs));
  if (!keepAlive) Object(timer).unref?.();
  return timer;
}
