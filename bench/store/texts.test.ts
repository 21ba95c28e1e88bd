import { expect, it } from "vitest";
import { textSource } from "./texts.ts";

it("gives the same texts in every run, of words that occur as often as words do", () => {
  const words = textSource().text(20_000).split(" ");
  expect(textSource().text(20_000).split(" ")).toEqual(words);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [first = 0, second = 0] = [...counts.values()].sort((left, right) => right - left);
  expect(first / second).toBeGreaterThan(1.3);
  expect(counts.size).toBeGreaterThan(3000);
  expect(words.every((word) => /^k[a-z]+o$/.test(word))).toBe(true);
});

it("gives queries of four words", () => {
  expect(textSource().query().split(" ")).toHaveLength(4);
});
