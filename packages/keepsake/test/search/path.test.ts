import { expect, test } from "vitest";
import { missing, readPath, textAt } from "../../src/search/path.ts";

const value = JSON.parse(
  '{"a": {"b": {"c": 1}, "x.y": 2, "list": [{"n": 3}, 4]}, "a.b": {"c": 5}, "q.r": 6, "__proto__": {"p": 7}, "": 8}',
);

test.each<[path: string, found: unknown]>([
  ["a.b.c", 1],
  ["a.b", { c: 5 }],
  ["a.x.y", 2],
  ["q.r", 6],
  ["a.list.0.n", 3],
  ["a.list.1", 4],
  ["__proto__.p", 7],
  ["", 8],
  ["a.list.2", missing],
  ["a.list.length", missing],
  ["a.list.-1", missing],
  ["a.list.01x", missing],
  ["a.constructor", missing],
  ["toString", missing],
  ["a.b.c.d", missing],
  ["q", missing],
  ["a..b", missing],
  [".", missing],
])("%j", (path, found) => {
  expect(readPath(value, path)).toEqual(found);
});

test("the text at a path holds the texts and numbers below it", () => {
  const item = { title: "Tea", tags: ["green", { origin: "Japan" }], year: 2026, flag: true, none: null };
  expect(textAt(item, "$")).toBe("Tea\ngreen\nJapan\n2026");
  expect(textAt(item, "tags")).toBe("green\nJapan");
  expect(textAt(item, "year")).toBe("2026");
  expect(textAt(item, "flag")).toBe("");
  expect(textAt(item, "nowhere")).toBe("");
});
