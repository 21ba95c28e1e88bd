import "../../seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMemories } from "../../../src/memory/index.ts";
import { closingTag, openingTag, stripRendered } from "../../../src/memory/render/marker.ts";

const block = renderMemories([
  { value: { content: "Asha prefers an aisle seat.", role: "human", at: "2024-05-02T09:00:00Z" } },
  { value: { content: "Asha lives in Pune." } },
]);

describe("stripping rendered memories", () => {
  it.each([
    ["around it", `Answer briefly.\n\n${block}\nWho am I?`, "Answer briefly.\n\n\nWho am I?"],
    [
      "with attributes",
      `a${block.replace(openingTag, `${openingTag.slice(0, -1)} id="1" lang='en'>`)}b`,
      "ab",
    ],
    ["in capitals", `a${block.toUpperCase()}b`, "ab"],
    [
      "with spaces in its tags",
      `a${block.replace("</", "< / ").replaceAll("memories>", "memories\n >")}b`,
      "ab",
    ],
    ["on one line", `a ${block.replaceAll("\n", " ")} b`, "a  b"],
    ["with twice the line breaks", `a ${block.replaceAll("\n", "\n\n")} b`, "a  b"],
    ["with Windows' line breaks", `a ${block.replaceAll("\n", "\r\n")} b`, "a  b"],
    ["escaped once more", `a ${escaped(block)} b`, "a  b"],
    ["escaped twice more", `a ${escaped(escaped(block))} b`, "a  b"],
    ["twice", `a${block}b${block}c`, "abc"],
    ["in a memory of another", `a${renderMemories([block, "x"])}b`, "ab"],
    ["as JSON", JSON.stringify({ text: `a ${block} b` }), JSON.stringify({ text: "a  b" })],
    ["inside an app's tag", `<memories>\n${block}\n</memories>`, "<memories>\n\n</memories>"],
  ])("removes a block %s", (_, text, rest) => {
    expect(stripRendered(text)).toBe(rest);
  });

  it("removes what is left of a block that was cut at its end, wherever", () => {
    for (let length = openingTag.length; length < block.length; length += 1) {
      expect(stripRendered(`Hello.\n${block.slice(0, length)}`), String(length)).toBe("Hello.\n");
    }
  });

  it("removes the memories of a block that was cut at its beginning", () => {
    expect(stripRendered(`${block.slice(block.indexOf("- ["))}\nWhere do I live?`)).toBe(
      "\nWhere do I live?",
    );
  });

  it("keeps what follows a block without an end", () => {
    const [open = "", notice = "", entry = ""] = block.split("\n");
    const text = `${[open, notice, entry].join("\n")}\nI moved to Goa.\n- and bought a boat`;
    expect(stripRendered(text)).toBe("I moved to Goa.\n- and bought a boat");
    expect(stripRendered(`${text}\n${block}`)).toBe("I moved to Goa.\n- and bought a boat\n");
  });

  it("keeps texts that only speak of the tag", () => {
    const text = "The recalled_memories tag, <recalled_memories_2> and <b>recalled_memories</b>.\n- [x] done";
    expect(stripRendered(text)).toBe(text);
  });

  it("takes time in proportion to the text", () => {
    const hostile = [openingTag, closingTag, openingTag.slice(0, -1), "&amp;amp;amp;", "< ", "\n- [", "\n\n"];
    for (const piece of hostile) {
      const text = piece.repeat(200_000);
      expect(stripRendered(text).length).toBeLessThanOrEqual(text.length);
    }
  });

  it("removes all of any block and nothing else", () => {
    const plain = fc.string({ unit: "grapheme", maxLength: 40 });
    const content = fc.oneof(
      plain,
      fc.constantFrom(openingTag, closingTag, block, escaped(block), "\n- [", "&lt;"),
    );
    fc.assert(
      fc.property(plain, fc.array(content, { maxLength: 6 }), plain, (before, contents, after) => {
        const rendered = renderMemories(contents);
        expect(stripRendered(before + rendered + after)).toBe(before + after);
      }),
      { numRuns: 300 },
    );
  });
});

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
