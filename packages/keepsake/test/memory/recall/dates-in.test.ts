import { describe, expect, it } from "vitest";
import type { Span } from "../../../src/memory/recall/calendar.ts";
import { datesIn } from "../../../src/memory/recall/dates-in.ts";

/** A Monday. */
const now = Date.parse("2026-11-30T15:30:00Z");

/** First and last day of each. */
function days(spans: readonly Span[]): string[] {
  return spans.map(({ from, to }) => {
    const [first, last] = [dayOf(from), dayOf(to - 1)];
    return first === last ? first : `${first}…${last}`;
  });
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

describe("dates in a query", () => {
  it.each<[query: string, ...dates: string[]]>([
    ["what happened on 2023-05-08?", "2023-05-08"],
    ["at 2023-05-08T10:00:00Z", "2023-05-08"],
    ["expenses of 2023-05", "2023-05-01…2023-05-31"],
    ["on 8 May 2023", "2023-05-08"],
    ["on the 8th of May, 2023", "2023-05-08"],
    ["May 8, 2023", "2023-05-08"],
    ["Sept. 1st 2023", "2023-09-01"],
    ["in February 2024", "2024-02-01…2024-02-29"],
    ["on 8 May", "2026-05-08", "2027-05-08"],
    ["december 24", "2025-12-24", "2026-12-24"],
    ["where did we eat last March?", "2026-03-01…2026-03-31"],
    ["last November", "2025-11-01…2025-11-30"],
    ["last december", "2025-12-01…2025-12-31"],
    ["this May", "2026-05-01…2026-05-31"],
    ["next November", "2027-11-01…2027-11-30"],
    ["in June", "2026-06-01…2026-06-30", "2027-06-01…2027-06-30"],
    ["in december", "2025-12-01…2025-12-31", "2026-12-01…2026-12-31"],
    ["in 2023", "2023-01-01…2023-12-31"],
    ["my 2023 trip", "2023-01-01…2023-12-31"],
    ["in May 2023 and in 2021", "2023-05-01…2023-05-31", "2021-01-01…2021-12-31"],
    ["yesterday", "2026-11-29"],
    ["Last  night", "2026-11-29"],
    ["the day before yesterday", "2026-11-28"],
    ["today", "2026-11-30"],
    ["tomorrow", "2026-12-01"],
    ["the day after tomorrow", "2026-12-02"],
    ["last week", "2026-11-23…2026-11-29"],
    ["this week", "2026-11-30…2026-12-06"],
    ["next week", "2026-12-07…2026-12-13"],
    ["last month", "2026-10-01…2026-10-31"],
    ["next year", "2027-01-01…2027-12-31"],
    ["two months ago", "2026-09-01…2026-09-30"],
    ["a year ago", "2025-01-01…2025-12-31"],
    ["3 days ago", "2026-11-27"],
    ["a couple of weeks ago", "2026-11-16…2026-11-22"],
    ["in 2 days", "2026-12-02"],
    ["in the past week", "2026-11-23…2026-11-30"],
    ["in the last 10 days", "2026-11-20…2026-11-30"],
    ["the last three months", "2026-08-30…2026-11-30"],
    ["last Friday", "2026-11-27"],
    ["last Monday", "2026-11-23"],
    ["on Monday", "2026-11-30", "2026-12-07"],
    ["this Wednesday", "2026-12-02"],
    ["next tue", "2026-12-01"],
    ["since 2023", "2023-01-01…9998-12-31"],
    ["after May 2023", "2023-06-01…9998-12-31"],
    ["since March", "2026-03-01…9998-12-31"],
    ["before 8 May 2023", "1000-01-01…2023-05-07"],
    ["until yesterday", "1000-01-01…2026-11-29"],
  ])("%s", (query, ...dates) => {
    expect(days(datesIn(query, now))).toEqual(dates);
  });

  it.each([
    "",
    "which seat does she prefer?",
    "this may be wrong, so march on",
    "may I sit in the sun?",
    "2023-13-45 and 2023-02-30",
    "room 2023, part 2023-0512, v2023-05-08x",
    "the second decision of Augustus",
    "in an hour",
  ])("finds none in %j", (query) => {
    expect(datesIn(query, now)).toEqual([]);
  });

  it.each([
    ["2026-01-15T00:00:00Z", "last month", "2025-12-01…2025-12-31"],
    ["2026-01-15T00:00:00Z", "yesterday", "2026-01-14"],
    ["2024-03-31T00:00:00Z", "last month", "2024-02-01…2024-02-29"],
    ["2026-03-15T00:00:00Z", "last March", "2025-03-01…2025-03-31"],
    ["2026-04-01T00:00:00Z", "last March", "2026-03-01…2026-03-31"],
    ["2026-02-01T23:59:59Z", "last week", "2026-01-19…2026-01-25"],
  ])("knows on %s what %s is", (time, query, date) => {
    expect(days(datesIn(query, Date.parse(time)))).toEqual([date]);
  });

  it("takes time in proportion to the query", () => {
    for (const piece of ["1 ", "in ", "may ", "2023-", "the ", "last last "]) {
      expect(datesIn(piece.repeat(100_000), now).length).toBeLessThan(1000);
    }
  });
});
