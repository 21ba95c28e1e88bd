import { expect, test } from "vitest";
import { embeddedTexts, fieldsAsText, hashOfTexts } from "../../src/store/index-fields.ts";

const fields = [
  { path: "content", weight: 1 },
  { path: "name", weight: 2 },
  { path: "near", weight: 0.3 },
];

test("the texts of all fields are embedded as one, the heaviest first; empty ones are left out", () => {
  expect(embeddedTexts({ near: "c", content: "b", name: "a", other: "x" }, fields)).toEqual(["a\nb\nc"]);
  expect(embeddedTexts({ content: " ", name: "a" }, fields)).toEqual(["a"]);
  expect(embeddedTexts({ content: " " }, fields)).toEqual([]);
  expect(embeddedTexts({ content: "b" }, false)).toEqual([]);
});

test("a long text is cut between words, into at most 32 pieces; nothing is lost before", () => {
  const text = Array.from({ length: 1_500 }, (_, n) => `word${n}`).join(" ");
  const pieces = embeddedTexts({ content: text }, fields);
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.join("")).toBe(text);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(2_000);
  for (const piece of pieces.slice(1)) expect(piece).toMatch(/^ word/);
  expect(embeddedTexts({ content: "word ".repeat(100_000) }, fields)).toHaveLength(32);
});

test("a text without spaces is cut too, never inside of a character", () => {
  const text = `a${"\u{1f600}".repeat(3_000)}`;
  const pieces = embeddedTexts({ content: text }, fields);
  expect(pieces.join("")).toBe(text);
  for (const piece of pieces) expect(piece).not.toMatch(/\p{Surrogate}/u);
});

test("texts are told apart by their hash, fields whatever their order", () => {
  expect(hashOfTexts(["a", "b"])).not.toBe(hashOfTexts(["ab"]));
  expect(hashOfTexts(["a", "b"])).toBe(hashOfTexts(["a", "b"]));
  expect(fieldsAsText(fields)).toBe(fieldsAsText([...fields].reverse()));
  expect(fieldsAsText(fields)).not.toBe(fieldsAsText(fields.slice(1)));
});
