import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOf, isExcerpt } from "../../src/reducer/excerpt.ts";
import { long, marker } from "./truncating.ts";

describe("an excerpt", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
  it("has the beginning and the end of the text, whole graphemes, and says how much is missing", () => {
    const segmenter = new Intl.Segmenter();
    fc.assert(
      fc.property(text, fc.nat(300), (whole, most) => {
        const kept = Math.min(most, whole.length - 1);
        const excerpt = excerptOf(whole, kept);
        const [mark = "", count] = marker.exec(excerpt) ?? [];
        const [head = "", tail = ""] = excerpt.split(`\n${mark}\n`);
        expect(head.length + tail.length).toBeLessThanOrEqual(kept);
        expect(head.length + tail.length + Number(count)).toBe(whole.length);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        const boundaries = new Set([...segmenter.segment(whole)].map(({ index }) => index)).add(whole.length);
        expect([head.length, boundaries.has(head.length)]).toEqual([head.length, true]);
        expect(boundaries.has(whole.length - tail.length)).toBe(true);
        expect(isExcerpt(excerpt)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps families, flags and accents whole at every place", () => {
    const whole = "👩‍👩‍👧‍👦é🇩🇪🇫🇷x\r\nक्षि한".repeat(6);
    const segments = [...new Intl.Segmenter().segment(whole)];
    const boundaries = new Set(segments.map(({ index }) => index)).add(whole.length);
    for (let kept = 0; kept < whole.length; kept += 1) {
      const excerpt = excerptOf(whole, kept);
      const [head = "", tail = ""] = excerpt.split(/\n\[\.\.\. .* \.\.\.\]\n/);
      expect([kept, boundaries.has(head.length), boundaries.has(whole.length - tail.length)]).toEqual([
        kept,
        true,
        true,
      ]);
    }
  });

  it("is not what quotes one, or was changed", () => {
    const excerpt = excerptOf(long, 100);
    expect(isExcerpt(excerpt)).toBe(true);
    for (const other of [
      `What does this mean? ${excerpt}`,
      `${excerpt}.`,
      excerpt.replace("line 0", "line 1"),
      marker.exec(excerpt)?.[0] ?? "",
      excerpt.replace(/\d+ characters/, "9 characters"),
    ])
      expect(isExcerpt(other)).toBe(false);
    expect(isExcerpt(excerptOf(`${excerpt}${long}`, 400))).toBe(true);
  });
});
