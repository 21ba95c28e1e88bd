import type { SearchItem } from "../../store/index.ts";
import type { MemoryRecord } from "../types.ts";
import { dayMs, type Span, shareWithin, spanOfIso } from "./calendar.ts";
import type { RecallMatch, RecallReason, RecallSettings } from "./types.ts";

/** A memory that makes up so much of a score drove it. */
const goodPart = 0.25;

/**
 * How like a query a memory is, from 0 to 1. Words and vectors are two witnesses: both together say more than either, and one that is missing
 * takes nothing away, so that a store without vectors is not at a disadvantage.
 */
export function similarityOf({ vector = 0, keyword = 0 }: NonNullable<SearchItem["signals"]>): number {
  return 1 - (1 - share(vector)) * (1 - share(keyword));
}

/**
 * Weighs likeness, newness and importance, as CrewAI's memory does: the weighted mean of similarity, `0.5 ** (age / half-life)` and
 * importance. Where the query names a time, it counts instead of newness whether the memory is of that time, and as much as likeness.
 *
 * @param times What the query names; none: nothing.
 */
export function scoreMemory(
  record: MemoryRecord,
  similarity: number,
  times: readonly Span[],
  settings: RecallSettings,
): RecallMatch {
  const { semanticWeight, recencyWeight, importanceWeight } = settings;
  const parts: readonly (readonly [RecallReason, weight: number, value: number])[] = [
    ["semantic", semanticWeight, similarity],
    times.length > 0
      ? ["date", Math.max(semanticWeight, recencyWeight), shareOfTimes(record, times)]
      : ["recency", recencyWeight, recencyOf(record, settings)],
    ["importance", importanceWeight, record.importance],
  ];
  const total = sum(parts.map(([, weight]) => weight));
  const weighed = parts.map(([reason, weight, value]) => ({
    reason,
    amount: (weight * value) / (total || 1),
  }));
  const score = sum(weighed.map(({ amount }) => amount));
  const reasons = weighed
    .filter(({ amount }) => amount > 0 && amount >= goodPart * score)
    .sort((left, right) => right.amount - left.amount)
    .map(({ reason }) => reason);
  return { record, score, similarity, reasons };
}

/** What comes first: the higher score, then likeness, then what is newer, then by place. */
export function compareMatches(left: RecallMatch, right: RecallMatch): number {
  return (
    right.score - left.score ||
    right.similarity - left.similarity ||
    right.record.updatedAt.getTime() - left.record.updatedAt.getTime() ||
    compareTexts(placeOf(left.record), placeOf(right.record))
  );
}

/** A memory's namespace and key as one text. */
export function placeOf({
  namespace,
  key,
}: {
  readonly namespace: readonly string[];
  readonly key: string;
}): string {
  return JSON.stringify([namespace, key]);
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function recencyOf({ at, updatedAt }: MemoryRecord, { recencyHalfLifeDays, now }: RecallSettings): number {
  const ageDays = Math.max(0, now() - (at ?? updatedAt).getTime()) / dayMs;
  return 0.5 ** (ageDays / recencyHalfLifeDays);
}

/** How much of what a memory is about lies in the times: 1 for a day in a month that is asked for, 1/12 for a year. */
function shareOfTimes({ eventDate, at }: MemoryRecord, times: readonly Span[]): number {
  const span = (eventDate && spanOfIso(eventDate)) || (at && spanOfIso(at.toISOString()));
  return span ? shareWithin(span, times) : 0;
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
