/** Times in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

/** The median, and what one in twenty exceeds. */
export function spreadOf(times: readonly number[]): Spread {
  const sorted = [...times].sort((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}
