import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "keepsake";
import { describe, expect, it } from "vitest";
import { textKinds } from "./texts.ts";

describe("estimateTokens beside o200k_base", () => {
  describe.each(textKinds)("$name, within ±$tolerance", ({ make, tolerance }) => {
    it.each([
      [1_000, 25],
      [20_000, 1],
    ])("texts of %i characters", (length, texts) => {
      for (let seed = 1; seed <= texts; seed += 1) {
        const text = make(length, seed);
        expect(text.length).toBeGreaterThanOrEqual(length);
        const ratio = estimateTokens(text) / countTokens(text);
        expect(Math.abs(ratio - 1), `seed ${seed}: ${ratio.toFixed(2)}`).toBeLessThanOrEqual(tolerance);
      }
    });

    it("is the same text in every run", () => {
      expect(make(500, 7)).toBe(make(500, 7));
      expect(make(500, 7)).not.toBe(make(500, 8));
    });
  });

  it("a long text is estimated as its halves are, where they differ", () => {
    const halves = textKinds
      .filter(({ name }) => name === "English" || name === "base64")
      .map(({ make }) => make(60_000, 1));
    expect(halves).toHaveLength(2);
    const whole = estimateTokens(halves.join("\n"));
    const sum = halves.reduce((tokens, half) => tokens + estimateTokens(half), 0);
    expect(Math.abs(whole / sum - 1)).toBeLessThan(0.05);
  });

  it("a megabyte is estimated as its parts are", () => {
    for (const { make, tolerance } of textKinds.slice(0, 9)) {
      const text = make(1_000, 3);
      const whole = estimateTokens(text.repeat(1_000));
      expect(Math.abs(whole / (1_000 * estimateTokens(text)) - 1)).toBeLessThan(tolerance / 5);
    }
  });
});
