import { describe, expect, it } from "vitest";
import { dateInWords, isoTime, timestampIn } from "../../../src/memory/verbatim/timestamp.ts";

const iso = "2023-05-08T13:56:00.000Z";

describe("the time of a message", () => {
  it.each([
    ["a Date", new Date(iso), iso],
    ["milliseconds", Date.parse(iso), iso],
    ["seconds", Date.parse(iso) / 1000, iso],
    ["a date string with an offset", "2023-05-08T15:56:00+02:00", iso],
    ["a date alone", "2023-05-08", "2023-05-08T00:00:00.000Z"],
    ["words", "soon", undefined],
    ["an invalid Date", new Date(Number.NaN), undefined],
    ["a number beyond all dates", 1e300, undefined],
    ["NaN", Number.NaN, undefined],
    ["nothing", undefined, undefined],
    ["an object", {}, undefined],
  ])("is read from %s", (_, time, expected) => {
    expect(isoTime(time)).toBe(expected);
  });

  it.each([
    ["timestamp", { timestamp: iso }],
    ["createdAt", { createdAt: new Date(iso) }],
    ["created_at", { created_at: Date.parse(iso) / 1000 }],
    ["metadata", { metadata: { createdAt: iso } }],
    ["additional_kwargs", { additional_kwargs: { timestamp: iso } }],
    ["the first that holds a time", { timestamp: "soon", createdAt: iso }],
  ])("is found in %s", (_, message) => {
    expect(isoTime(timestampIn(message))).toBe(iso);
  });

  it("is not found where there is none", () => {
    expect(timestampIn({ role: "user", content: "Hi" })).toBeUndefined();
    expect(timestampIn(null)).toBeUndefined();
  });

  it("is a date in words, in UTC", () => {
    expect(dateInWords(iso)).toBe("8 May 2023");
    expect(dateInWords("2021-12-31T23:59:59.999Z")).toBe("31 December 2021");
  });
});
