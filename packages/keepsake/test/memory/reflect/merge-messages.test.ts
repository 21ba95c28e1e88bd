import "../../seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeMessages } from "../../../src/memory/reflect/merge-messages.ts";

const user = (content: string, id?: string) => ({
  role: "user",
  content,
  ...(id === undefined ? {} : { id }),
});
const ids = (text: string) => [...text].map((letter) => user(letter, letter));
const said = (messages: unknown[]) => messages.map((message) => Object(message).content).join("");

describe("mergeMessages", () => {
  it.each([
    ["ab", "abc", "abc"],
    ["ab", "cd", "abcd"],
    ["ab", "bc", "abc"],
    ["bc", "abcd", "abcd"],
    ["ac", "abc", "abc"],
    ["", "ab", "ab"],
    ["ab", "", "ab"],
  ])("makes %j and %j %j", (earlier, later, merged) => {
    expect(said(mergeMessages(ids(earlier), ids(later)))).toBe(merged);
  });

  it("tells messages without ids by content and by how often they were there", () => {
    const earlier = [user("ok"), user("tea"), user("ok")];
    expect(said(mergeMessages(earlier, [...earlier, user("ok")]))).toBe("okteaokok");
    expect(said(mergeMessages(earlier, earlier))).toBe("okteaok");
  });

  it("takes the later form of a message that was edited", () => {
    expect(mergeMessages([user("tee", "1")], [user("tea", "1")])).toEqual([user("tea", "1")]);
  });

  it("loses no message, and has none twice", () => {
    const list = fc
      .uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 8 })
      .map((letters) => ids(letters.join("")));
    fc.assert(
      fc.property(list, list, (earlier, later) => {
        const merged = said(mergeMessages(earlier, later));
        expect([...merged].sort().join("")).toBe([...new Set(said(earlier) + said(later))].sort().join(""));
        const order = [...said(later)].map((letter) => merged.indexOf(letter));
        const common = [...said(earlier)].filter((letter) => said(later).includes(letter)).join("");
        if ([...said(later)].filter((letter) => common.includes(letter)).join("") === common)
          expect(order).toEqual([...order].sort((left, right) => left - right));
      }),
      { numRuns: 300 },
    );
  });
});
