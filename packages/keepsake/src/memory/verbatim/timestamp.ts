import { isRecord } from "../../util/index.ts";

const names = ["timestamp", "createdAt", "created_at"] as const;
const holders = ["metadata", "additional_kwargs"] as const;
/** Numbers below are seconds, not milliseconds: in milliseconds this is the year 1973, in seconds 5138. */
const firstMilliseconds = 1e11;

/**
 * When a message was made, where it says so: the first of `timestamp`, `createdAt` and `created_at` that holds a time, on the message, else
 * in its `metadata`, else in its `additional_kwargs`.
 */
export function timestampIn(message: unknown): unknown {
  if (!isRecord(message)) return undefined;
  for (const holder of [message, ...holders.map((name) => message[name])]) {
    if (!isRecord(holder)) continue;
    const found = names.map((name) => holder[name]).find((value) => isoTime(value) !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A `Date`, a date string, or a number of milliseconds or seconds since 1970 as ISO 8601 in UTC; `undefined` for anything else. */
export function isoTime(time: unknown): string | undefined {
  const date = dateOf(time);
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function dateOf(time: unknown): Date | undefined {
  if (time instanceof Date) return time;
  if (typeof time === "string") return new Date(time);
  if (typeof time !== "number") return undefined;
  return new Date(Math.abs(time) < firstMilliseconds ? time * 1000 : time);
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** An ISO time as a person writes its date, `"8 May 2023"`: what a question about a date is likely to say. */
export function dateInWords(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
