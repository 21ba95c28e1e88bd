import type { Logger } from "../util/index.ts";
import { afterwards, attempt } from "./attempt.ts";
import type { KeepsakeEvent, Reporter } from "./types.ts";

/** Makes a reporter: an `onEvent` that fails, by throwing or rejecting, is logged the first time. */
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
