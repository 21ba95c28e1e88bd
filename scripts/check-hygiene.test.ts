import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { checkHygiene } from "./check-hygiene.ts";
import { fixture, writeFixture } from "./lib/fixture.ts";

function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const root = fixture(files);
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  return checkHygiene(root).problems;
}

test("ordinary files are no problem, nor are those that git ignores", () => {
  const problems = problemsOf({
    ".gitignore": "notes.txt\n",
    "notes.txt": `${homedir()}/notes`,
    "src/a.ts": 'const path = "/home/"; const route = "https://example.org/home/page/";\n',
    "package-lock.json": '{ "resolved": "packages/keepsake", "link": true }',
    "image.bin": `\0${homedir()}/x`,
  });
  expect(problems).toEqual([]);
});

test.each([
  ["this user's home folder", `see ${homedir()}/x`, "a folder of this machine"],
  ["anyone's home folder", ["see ", "home", "asha", "x"].join("/"), "a folder of some machine"],
  ["a build folder", ["see ", "builds", "keepsake", "x"].join("/"), "a folder of some machine"],
  ["a registry", ["https://registry", "npmjs", "org/x"].join("."), "the address of a package registry"],
  ["a download address", ['"resolved": "https', "//example.org/x.tgz"].join(":"), "a download address"],
])("%s is a problem", (_, text, name) => {
  expect(problemsOf({ "a.md": `first line\n${text}\n` })).toEqual([`a.md:2 holds ${name}`]);
});

test("the folder of the clone is a problem", () => {
  const root = fixture({});
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  writeFixture(root, "a.md", `see ${root}/x`);
  expect(checkHygiene(root).problems).toEqual(["a.md:1 holds a folder of this machine"]);
});

test("long source files are a problem, the very long ones whatever they say", () => {
  const excused = "// Long on purpose: one table.\n";
  const problems = problemsOf({
    "fits.ts": "\n".repeat(500),
    "long.ts": "\n".repeat(501),
    "excused.ts": `${excused}${"\n".repeat(799)}`,
    "endless.ts": `${excused}${"\n".repeat(800)}`,
    "data.json": "\n".repeat(5000),
  });
  expect(problems).toEqual([
    "endless.ts has 801 lines; 800 are the most",
    'long.ts has 501 lines: split it, or say "Long on purpose: …" in a comment',
  ]);
});
