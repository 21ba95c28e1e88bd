/** The longest pause between two attempts: 15 minutes. */
const longestPauseMs = 15 * 60 * 1000;

/** Twice as long after every attempt, from 1 s to 15 minutes; between half and one and a half times that, so that many do not come back at once. */
export function defaultBackoff(attempt: number): number {
  return spread(Math.min(longestPauseMs, 1_000 * 2 ** (attempt - 1)));
}

/** Between half and one and a half times a pause. */
export function spread(pauseMs: number): number {
  return Math.round(pauseMs * (0.5 + Math.random()));
}
