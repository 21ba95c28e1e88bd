/** A stretch of time in milliseconds since 1970: from `from` on, before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Before every date that is written with four digits for the year; milliseconds since 1970. */
export const firstTime: number = Date.UTC(1000, 0);
/** After every date that is written with four digits for the year; milliseconds since 1970. */
export const lastTime: number = Date.UTC(9999, 0);

/** A day in UTC. */
export const dayMs: number = 24 * 60 * 60 * 1000;

/** A day in UTC; `month` counts from 0. Days beyond the month's are of the months around it. */
export function daySpan(year: number, month: number, day: number): Span {
  const from = Date.UTC(year, month, day);
  return { from, to: from + dayMs };
}

/** A month in UTC, counted from 0 and on beyond the year's end. */
export function monthSpan(year: number, month: number): Span {
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}

/** A year in UTC. */
export function yearSpan(year: number): Span {
  return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
}

/** The week, Monday to Sunday, in which a time lies, or so many weeks from there. */
export function weekSpan(time: number, weeks: number): Span {
  const day = startOfDay(time);
  const from = day - ((new Date(day).getUTCDay() + 6) % 7) * dayMs + weeks * 7 * dayMs;
  return { from, to: from + 7 * dayMs };
}

/** Midnight of the day in which a time lies. */
export function startOfDay(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}

const iso = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(T.*)?)?)?$/;

/** The year, month or day that an ISO date names, a day for a date with a time; `undefined` for what is none. */
export function spanOfIso(text: string): Span | undefined {
  const [, year, month, day, time] = iso.exec(text) ?? [];
  if (year === undefined) return undefined;
  if (month === undefined) return yearSpan(Number(year));
  if (Number(month) < 1 || Number(month) > 12) return undefined;
  if (day === undefined) return monthSpan(Number(year), Number(month) - 1);
  const span = daySpan(Number(year), Number(month) - 1, Number(day));
  if (new Date(span.from).getUTCDate() !== Number(day)) return undefined;
  const instant = time === undefined ? span.from : Date.parse(text);
  return Number.isNaN(instant) ? undefined : { from: startOfDay(instant), to: startOfDay(instant) + dayMs };
}

/** The share of a stretch that lies in any of the others: 1 where it is wholly in one. */
export function shareWithin({ from, to }: Span, spans: readonly Span[]): number {
  const shares = spans.map((span) => (Math.min(to, span.to) - Math.max(from, span.from)) / (to - from));
  return Math.max(0, ...shares);
}
