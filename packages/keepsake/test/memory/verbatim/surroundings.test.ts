import { describe, expect, it } from "vitest";
import type { TurnValue } from "../../../src/memory/index.ts";
import { sameSitting, wordsAfter, wordsBefore } from "../../../src/memory/verbatim/surroundings.ts";

const turn = (content: string, at?: string): TurnValue => ({
  kind: "turn",
  role: "human",
  content,
  position: 0,
  ...(at === undefined ? {} : { at }),
});

const around = (content: string, before: string[], after: string[]) => ({
  before: wordsBefore(
    turn(content),
    before.map((text) => turn(text)),
  ),
  after: wordsAfter(
    turn(content),
    after.map((text) => turn(text)),
  ),
});

describe("the surroundings of a turn", () => {
  it("are the key words of its neighbours, in reading order", () => {
    expect(
      around("Where?", ["We found a lovely hotel.", "Tell me of the honeymoon!"], ["In Lisbon, last May."]),
    ).toEqual({
      before: "Tell honeymoon found lovely hotel",
      after: "Lisbon last May",
    });
  });

  it("leave out what the turn says itself, in whatever form, and say nothing twice", () => {
    expect(
      around(
        "I booked two hotels",
        ["Did you book the hotel?", "A hotel in Porto! Porto!"],
        ["Hotels?", "Nice"],
      ),
    ).toEqual({
      before: "Porto",
      after: "Nice",
    });
  });

  it("are empty where there is nothing to say", () => {
    expect(around("Hello", [], [])).toEqual({ before: "", after: "" });
    expect(around("Hello", ["You and I", ""], ["?!"])).toEqual({ before: "", after: "" });
  });

  it("keep the nearest words where space is short: the end of what came before, the start of what follows", () => {
    const long = Array.from({ length: 500 }, (_, index) => `word${index}`).join(" ");
    const { before, after } = around("Yes", [long, "farther"], [long]);
    expect(before).toMatch(/ word498 word499$/);
    expect(before).not.toContain("farther");
    expect(before.length).toBeLessThanOrEqual(120);
    expect(after).toMatch(/^word0 word1 /);
    expect(after.length).toBeLessThanOrEqual(60);
  });

  it("hold identifiers whole, and scripts without spaces", () => {
    expect(around("Yes", ["Booking QX7-88 stands."], ["田中さんは京都に住んでいます。"])).toEqual({
      before: "Booking QX7-88 stands",
      after: "田中さんは京都に住んでいます",
    });
    const { before } = around("はい", ["京".repeat(10_000)], []);
    expect(before.length).toBeLessThanOrEqual(120);
  });
});

describe("one sitting", () => {
  const noon = "2024-05-08T12:00:00.000Z";

  it("lasts while no gap is longer than allowed", () => {
    expect(sameSitting(turn("a", noon), turn("b", "2024-05-08T18:00:00.000Z"), 6 * 3_600_000)).toBe(true);
    expect(sameSitting(turn("a", "2024-05-08T18:00:00.001Z"), turn("b", noon), 6 * 3_600_000)).toBe(false);
  });

  it("is assumed where a time is not known", () => {
    expect(sameSitting(turn("a"), turn("b", noon), 0)).toBe(true);
  });
});
