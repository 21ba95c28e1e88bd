import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { checkRootEntry } from "./check-root-entry.ts";
import { fixture } from "./lib/fixture.ts";

async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const inDist = Object.entries(files).map(([path, text]) => [`packages/keepsake/dist/${path}`, text]);
  const { problems } = await checkRootEntry(fixture(Object.fromEntries(inDist)));
  return problems;
}

test("an entry that reaches only its own chunks is fine, and its size is told", async () => {
  const root = fixture({
    "packages/keepsake/dist/index.js": 'import { a } from "./chunk.js"; export const b = a + 1;',
    "packages/keepsake/dist/chunk.js": "export const a = structuredClone(1);",
  });
  expect(await checkRootEntry(root)).toEqual({
    problems: [],
    note: expect.stringMatching(/^\d+ of 31000 bytes/),
  });
});

test("a missing build is a problem", async () => {
  expect(await problemsOf({})).toEqual([expect.stringMatching(/index.js is missing/)]);
});

test.each([
  ["a module of Node", 'import { readFileSync } from "node:fs"; console.log(readFileSync);', "node:fs"],
  [
    "a module of Node without its prefix",
    'import { readFileSync } from "fs"; console.log(readFileSync);',
    "fs",
  ],
  ["a module of Node, lazily", 'export const load = () => import("node:sqlite");', "node:sqlite"],
  ["a package", 'export { z } from "zod";', "zod"],
])("a chunk that reaches %s is a problem", async (_, chunk, name) => {
  const problems = await problemsOf({ "index.js": 'export * from "./chunk.js";', "chunk.js": chunk });
  expect(problems).toEqual([`packages/keepsake/dist/chunk.js reaches ${name}`]);
});

test("a global of Node that is needed on loading is a problem", async () => {
  const problems = await problemsOf({ "index.js": "export const name = process.argv[1];" });
  expect(problems).toEqual([expect.stringMatching(/without the globals of Node: ReferenceError: process/)]);
});

test("an entry above 31 000 bytes is a problem", async () => {
  const noise = randomBytes(40_000).toString("base64");
  const problems = await problemsOf({ "index.js": `export const noise = "${noise}";` });
  expect(problems).toEqual([expect.stringMatching(/bytes minified and gzipped; 31000 are allowed/)]);
});
