import type { Logger } from "../util/index.ts";
import { attempt, attemptOrTell } from "./attempt.ts";
import type { KeepsakeEvent, Reporter } from "./types.ts";

/** Makes a reporter: an `onEvent` that fails, by throwing or rejecting, is logged the first time. */
export function createReporter(logger: Logger, onEvent?: (event: KeepsakeEvent) => void): Reporter {
  const warned = new Set<string>();

  function warn(message: string, ...details: unknown[]): void {
    attempt(() => logger.warn(`keepsake: ${message}`, ...details));
  }

  function warnOnce(topic: string, message: string, ...details: unknown[]): void {
    if (warned.has(topic)) return;
    warned.add(topic);
    warn(message, ...details);
  }

  function emit(event: KeepsakeEvent): void {
    attemptOrTell(
      () => onEvent?.(event),
      (error) => warnOnce("onEvent", `onEvent failed on "${event.type}".`, error),
    );
  }

  return { emit, warn, warnOnce };
}
