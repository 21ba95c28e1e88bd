import { expect, test } from "vitest";
import { checkImports, importTable } from "./check-imports.ts";
import { fixture } from "./lib/fixture.ts";
import { importsOf } from "./lib/imports.ts";

const manifest = { name: "keepsake", exports: { ".": "./dist/index.js", "./store": "./dist/store.js" } };

function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const inSource = Object.entries(files).map(([path, text]) => {
    return [/^(packages|bench|examples)\//.test(path) ? path : `packages/keepsake/src/${path}`, text];
  });
  const root = fixture({
    "packages/keepsake/package.json": JSON.stringify(manifest),
    ...Object.fromEntries(inSource),
  });
  const { problems } = checkImports(root);
  return problems.map((problem) => problem.replace("packages/keepsake/src/", ""));
}

const rooms = {
  "util/index.ts": "export const one = 1;",
  "errors/index.ts": "export const two = 2;",
  "message/index.ts": "export const three = 3;",
  "delivery/index.ts": 'import { three } from "../message/index.ts"; export type Hook = typeof three;',
  "search/index.ts": "export const four = 4;",
  "store/index.ts": 'import { four } from "../search/index.ts"; export const five = four;',
};

test("imports that the table allows are no problem", () => {
  const problems = problemsOf({
    ...rooms,
    "window/index.ts":
      'import { three } from "../message/index.ts"; import { one } from "../util/index.ts"; import "./cut.ts";',
    "window/cut.ts": 'import { two } from "../errors/index.ts";',
    "memory/index.ts":
      'import type { Hook } from "../delivery/index.ts"; import { five } from "../store/index.ts";',
    "stores/sqlite/index.ts":
      'import { readFileSync } from "node:fs"; const lazy = import("libsql"); type T = import("better-sqlite3").Database;',
    "tools/index.ts": 'import { five } from "../store/index.ts";',
    "adapters/langgraph/index.ts":
      'import { tool } from "@langchain/core/tools"; import { x } from "../../tools/index.ts";',
    "testing/index.ts": 'import assert from "node:assert/strict"; import { five } from "../store/index.ts";',
    "index.ts": 'export { three } from "./message/index.ts";',
    "packages/cli/src/cli.ts": 'import { x } from "keepsake/store"; import "commander"; import "./own.ts";',
    "packages/keepsake/test/any.test.ts": 'import "../src/window/cut.ts";',
  });
  expect(problems).toEqual([]);
});

test.each([
  [
    "a room that is not in its row",
    "window/index.ts",
    'import "../store/index.ts";',
    /window may enter message, util, errors only/,
  ],
  [
    "a room by another file",
    "window/index.ts",
    'export { x } from "../message/view.ts";',
    /entered by its index.ts only/,
  ],
  [
    "values where only types are allowed",
    "memory/index.ts",
    'import { x } from "../delivery/index.ts";',
    /types of delivery only/,
  ],
  [
    "values beside inline types",
    "memory/index.ts",
    'import { type Hook } from "../delivery/index.ts";',
    /types of delivery only/,
  ],
  [
    "a type of a room not in its row",
    "message/index.ts",
    'import type { S } from "../store/index.ts";',
    /message may enter util, errors only/,
  ],
  ["a module of Node", "window/index.ts", 'import { x } from "node:fs";', /no such module of Node/],
  ["a module of Node, lazily", "search/index.ts", 'await import("node:fs");', /no such module of Node/],
  [
    "another host",
    "adapters/langgraph/index.ts",
    'import { tool } from "ai";',
    /adapters\/langgraph may import no package/,
  ],
  [
    "a store from an adapter",
    "adapters/langgraph/index.ts",
    'import { x } from "../../stores/sqlite/index.ts";',
    /adapters\/langgraph may enter/,
  ],
  ["a package", "store/index.ts", 'import { z } from "zod";', /may import no package/],
  ["a package by type", "store/index.ts", 'type Z = import("zod").ZodType;', /may import no package/],
  ["a test runner", "testing/index.ts", 'import { test } from "vitest";', /testing may import no package/],
  [
    "an SDK by value",
    "stores/sqlite/index.ts",
    'import Database from "better-sqlite3";',
    /only by type or by import\(\)/,
  ],
  [
    "a module that old Nodes lack, by value",
    "stores/sqlite/index.ts",
    'import { x } from "node:sqlite";',
    /only by type or by/,
  ],
  ["a computed module", "delivery/index.ts", "await import(name);", /imports something computed/],
  ["a file that does not exist", "window/index.ts", 'import "./gone.ts";', /no such file/],
  ["a package's own name", "memory/index.ts", 'import "keepsake/store";', /may import no package/],
  ["the root from a room", "reducer/index.ts", 'import "../index.ts";', /reducer may enter .* only/],
])("in the library: %s", (_, path, text, expected) => {
  const files = {
    ...rooms,
    "message/view.ts": "",
    "stores/sqlite/index.ts": "",
    "index.ts": "",
    [path]: text,
  };
  expect(problemsOf(files)).toEqual([expect.stringMatching(expected)]);
});

test("a folder that is in no row of the table is a problem", () => {
  expect(problemsOf({ "extras/index.ts": 'import "../util/index.ts";', "util/index.ts": "" })).toEqual([
    expect.stringMatching(/extras\/index.ts:1 belongs to no room/),
  ]);
});

test("cycles between files and between rooms are found, by type too", () => {
  const problems = problemsOf({
    "window/index.ts": 'import "./a.ts";',
    "window/a.ts": 'import { b } from "./b.ts";',
    "window/b.ts": 'import type { A } from "./a.ts";',
    "util/index.ts": 'import type { E } from "../errors/index.ts";',
    "errors/index.ts": 'import { u } from "../util/index.ts";',
  });
  expect(problems).toEqual([
    "cycle between files: errors/index.ts → util/index.ts → errors/index.ts",
    "cycle between files: window/a.ts → window/b.ts → window/a.ts",
    "cycle between rooms: errors → util → errors",
  ]);
});

test.each([
  ["packages/cli/src/cli.ts", 'import "../../keepsake/src/index.ts";', /outside packages\/cli/],
  ["packages/cli/src/cli.ts", 'import "keepsake/src/index.js";', /no sub-path of keepsake/],
  ["packages/cli/test/cli.test.ts", 'import "keepsake/window";', /no sub-path of keepsake/],
  ["examples/tour/tour.ts", 'import "../../packages/keepsake/src/index.ts";', /outside examples/],
  ["bench/reducer.ts", 'await import("../packages/keepsake/src/index.ts");', /outside bench/],
])("around the library: %s with %s", (path, text, expected) => {
  expect(problemsOf({ [path]: text })).toEqual([expect.stringMatching(expected)]);
});

test("every room that a row names has a row", () => {
  const named = Object.values(importTable).flatMap((rule) => [...rule.rooms, ...(rule.typesOf ?? [])]);
  for (const room of named) expect(importTable).toHaveProperty([room]);
});

test("importsOf finds every form of import with its line", () => {
  const text = [
    'import a from "a";',
    'import type { B } from "b";',
    'export { c } from "c";',
    'export type { D } from "d";',
    'const e = await import("e");',
    'type F = import("f").F;',
    'const g = require("g");',
    'import h = require("h");',
    "const i = await import(i);",
    '// import "comment"; and a string: \'import "k"\'',
    'export const j = "import x from y";',
  ].join("\n");
  expect(importsOf("x.ts", text).map(({ specifier, use, line }) => [line, specifier, use])).toEqual([
    [1, "a", "value"],
    [2, "b", "type"],
    [3, "c", "value"],
    [4, "d", "type"],
    [5, "e", "lazy"],
    [6, "f", "type"],
    [7, "g", "value"],
    [8, "h", "value"],
    [9, undefined, "lazy"],
  ]);
});
