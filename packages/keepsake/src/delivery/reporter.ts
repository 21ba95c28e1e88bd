import type { Logger } from "../util/index.ts";
import { afterwards, attempt } from "./attempt.ts";
import type { KeepsakeEvent } from "./types.ts";

/** Tells the app what happens. Nothing that the app does with it breaks the hand-over. */
export interface Reporter {
  emit(event: KeepsakeEvent): void;
  warn(message: string, ...details: unknown[]): void;
}

/** Makes the reporter of one call: an `onEvent` that fails is logged once. */
export function createReporter(logger: Logger, onEvent?: (event: KeepsakeEvent) => void): Reporter {
  let complained = false;

  function warn(message: string, ...details: unknown[]): void {
    attempt(() => logger.warn(message, ...details));
  }

  function emit(event: KeepsakeEvent): void {
    const ended = attempt(() => onEvent?.(event));
    afterwards(ended, (ending) => {
      if (ending.taken || complained) return;
      complained = true;
      warn(`keepsake: onEvent failed on "${event.type}"; nothing else is affected.`, ending.error);
    });
  }

  return { emit, warn };
}
