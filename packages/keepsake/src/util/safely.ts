import type { Logger } from "./types.ts";

/** Calls a function of the app; what it throws, or rejects with, breaks nothing. `onError` must not throw. */
export function callSafely(call: () => unknown, onError: (error: unknown) => void): void {
  try {
    Promise.resolve(call()).catch(onError);
  } catch (error) {
    onError(error);
  }
}

/** A logger of the app's that breaks nothing where it throws or rejects: there is nowhere to tell of that. */
export function safeLogger(logger: Logger): Logger {
  return {
    debug: (message, ...details) => callSafely(() => logger.debug(message, ...details), ignore),
    warn: (message, ...details) => callSafely(() => logger.warn(message, ...details), ignore),
  };
}

function ignore(): void {}
