import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { read, repositoryRoot } from "./lib/files.ts";
import { fixture, writeFixture } from "./lib/fixture.ts";

const lock = {
  packages: {
    "": { name: "workspace" },
    "packages/keepsake": { version: "0.1.0" },
    "node_modules/left": { version: "1.0.0", integrity: "a" },
    "node_modules/other-platform": { version: "1.0.0", integrity: "b", optional: true },
  },
};
const installed = { packages: { "node_modules/left": { version: "1.0.0", integrity: "a" } } };

// Stands in for npm: writes down how it was called, and does what the real one would leave behind.
const fakeNpm = `#!/bin/sh
echo "$*" >> npm-calls.txt
if [ -f "npm-fails" ]; then echo "out: cannot"; echo "err: cannot" >&2; exit 7; fi
case "$1" in
  ci) mkdir -p node_modules && cp installed.json node_modules/.package-lock.json ;;
  rebuild) echo 'module.exports = class { close() {} };' > node_modules/better-sqlite3/index.js ;;
  run) for last; do :; done; mkdir -p "$last/dist" ;;
esac
`;

interface Outcome {
  readonly status: number | null;
  readonly output: string;
  /** What npm was called with, since the last time. */
  readonly calls: readonly string[];
}

function clone(): string {
  const root = fixture({
    "package-lock.json": JSON.stringify(lock),
    "installed.json": JSON.stringify(installed),
    "bin/npm": fakeNpm,
    "packages/keepsake/src/index.ts": "export const one = 1;",
    "packages/cli/src/cli.ts": "console.log(1);",
  });
  chmodSync(join(root, "bin/npm"), 0o755);
  cpSync(join(repositoryRoot, "scripts/setup.mjs"), join(root, "scripts/setup.mjs"));
  return root;
}

function setup(root: string, args: readonly string[] = [], cwd = root): Outcome {
  const env = { ...process.env, PATH: `${join(root, "bin")}${delimiter}${process.env.PATH}` };
  const script = join(root, "scripts/setup.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
  const log = join(root, "npm-calls.txt");
  const calls = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  rmSync(log, { force: true });
  return { status, output: stdout + stderr, calls };
}

const install = "ci --ignore-scripts --no-audit --no-fund";
const buildLibrary = "run --silent build --workspace packages/keepsake";
const buildCli = "run --silent build --workspace packages/cli";

test("a fresh clone is installed and built, the library first, from whatever folder", () => {
  const root = clone();
  const first = setup(root, [], "/");
  expect(first).toEqual({
    status: 0,
    output: expect.stringMatching(
      /^setup: installing .*\nsetup: building packages\/keepsake\nsetup: building packages\/cli\n$/,
    ),
    calls: [install, buildLibrary, buildCli],
  });
  expect(setup(root)).toEqual({ status: 0, output: "", calls: [] });
});

test("a changed, new or removed source file is built again, its package only", () => {
  const root = clone();
  setup(root);
  writeFixture(root, "packages/cli/src/cli.ts", "console.log(2);");
  expect(setup(root).calls).toEqual([buildCli]);
  writeFixture(root, "packages/keepsake/src/deep/new.ts", "");
  expect(setup(root).calls).toEqual([buildLibrary]);
  rmSync(join(root, "packages/keepsake/src/deep/new.ts"));
  expect(setup(root).calls).toEqual([buildLibrary]);
  rmSync(join(root, "packages/cli/dist"), { recursive: true });
  expect(setup(root).calls).toEqual([buildCli]);
});

test.each([
  ["version", { version: "1.0.1", integrity: "a" }],
  ["content", { version: "1.0.0", integrity: "c" }],
])("a lock that demands another %s is installed anew", (_, entry) => {
  const root = clone();
  setup(root);
  const newer = { "node_modules/left": entry };
  writeFixture(root, "package-lock.json", JSON.stringify({ packages: { ...lock.packages, ...newer } }));
  writeFixture(root, "installed.json", JSON.stringify({ packages: newer }));
  expect(setup(root).calls).toEqual([install, buildLibrary, buildCli]);
  expect(setup(root).calls).toEqual([]);
});

test("an install that was broken off is done again", () => {
  const root = clone();
  writeFixture(root, "node_modules/left/package.json", "{}");
  expect(setup(root).calls[0]).toBe(install);
});

test("better-sqlite3 is built where it does not load, and left alone on request", () => {
  const root = clone();
  setup(root);
  writeFixture(root, "node_modules/better-sqlite3/index.js", 'throw new Error("built for another Node");');
  expect(setup(root, ["--skip-native"]).calls).toEqual([]);
  expect(setup(root).calls).toEqual(["rebuild better-sqlite3 --ignore-scripts=false"]);
  expect(setup(root).calls).toEqual([]);
});

test("a step that fails shows its output, and ends the set-up", () => {
  const root = clone();
  writeFixture(root, "npm-fails", "");
  expect(setup(root)).toEqual({
    status: 1,
    output: expect.stringMatching(/out: cannot\nerr: cannot\nsetup: "npm ci .*" failed \(exit code 7\)/),
    calls: [install],
  });
});

test("a build that failed is tried again", () => {
  const root = clone();
  setup(root);
  writeFixture(root, "packages/cli/src/cli.ts", "console.log(");
  writeFixture(root, "npm-fails", "");
  expect(setup(root).status).toBe(1);
  rmSync(join(root, "npm-fails"));
  expect(setup(root).calls).toEqual([buildCli]);
});

test("a Node that is too old is told so, before anything else", () => {
  const root = clone();
  const script = read(root, "scripts/setup.mjs");
  writeFixture(root, "scripts/setup.mjs", script.replace("minimumNode = [20, 19]", "minimumNode = [99, 0]"));
  expect(setup(root)).toEqual({
    status: 1,
    output: `setup: keepsake needs Node 99.0 or later; this is Node ${process.versions.node}.\n`,
    calls: [],
  });
});

test("the Node that the set-up wants is the one that the packages name", () => {
  for (const path of ["package.json", "packages/keepsake/package.json", "packages/cli/package.json"]) {
    expect(read(repositoryRoot, path)).toMatch(/"node": ">=20\.19"/);
  }
});

test("an unknown argument is refused", () => {
  expect(setup(clone(), ["--skip"])).toMatchObject({ status: 2, calls: [] });
});
