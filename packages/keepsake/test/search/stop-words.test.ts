import { describe, expect, it } from "vitest";
import { analyze, isStopTerm, queryTerms } from "../../src/search/index.ts";

const terms = (query: string): string[] => queryTerms(query).map(({ term }) => term);

describe("stop words", () => {
  it("are left out of a query", () => {
    expect(terms("What did she do with the kiln in May?")).toEqual(["kiln", "may"]);
    expect(terms("Don't we've it's who’s kiln")).toEqual(["kiln"]);
  });

  it("are the query where it has nothing else", () => {
    expect(terms("To be or not to be")).toEqual(["to", "be", "or", "not"]);
  });

  it("stay in the index", () => {
    expect(analyze("to be")).toEqual(["to", "be"]);
  });

  it("are none that are also names", () => {
    for (const word of ["may", "will", "us", "mark", "sue", "art"]) expect(isStopTerm(word)).toBe(false);
  });
});
