import { spawnSync } from "node:child_process";
import { chmodSync, cpSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./lib/files.ts";
import { fixture } from "./lib/fixture.ts";

const scripts = {
  lint: "",
  types: "",
  "check:repo": "",
  "check:unused": "",
  "test:unit": "",
  "test:pack": "",
};

// Stands in for npm: `run --silent <script> -- … --outputFile.json=<file>` copies the report kept for that script, where
// there is one, and ends with the exit code kept for it.
const fakeNpm = `#!/bin/sh
name=$(echo "$3" | tr : -)
for arg; do
  case "$arg" in --outputFile.json=*) [ -f "reports/$name.json" ] && cp "reports/$name.json" "\${arg#*=}" ;; esac
done
exit "$(cat "exits/$name" 2>/dev/null || echo 0)"
`;

function run(files: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const root = fixture({
    "package.json": JSON.stringify({ scripts }),
    "scripts/setup.mjs": "",
    "bin/npm": fakeNpm,
    "reports/test-unit.json": '{ "numPassedTests": 40, "numFailedTests": 0 }',
    "reports/test-pack.json": '{ "numPassedTests": 2, "numFailedTests": 0 }',
    ...files,
  });
  chmodSync(join(root, "bin/npm"), 0o755);
  cpSync(join(repositoryRoot, "scripts/test.mjs"), join(root, "scripts/test.mjs"));
  const env = { ...process.env, PATH: `${join(root, "bin")}${delimiter}${process.env.PATH}` };
  const script = join(root, "scripts/test.mjs");
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], {
    cwd: "/",
    env,
    encoding: "utf8",
  });
  const lines = stdout.trimEnd().split("\n");
  const place = lines.findIndex((line) => line.startsWith("failed: "));
  return { status, last: lines.at(-1), broken: lines[place], end: place < 0 ? [] : lines.slice(place) };
}

test("the last line sums up the suites", () => {
  expect(run({})).toMatchObject({ status: 0, last: "42 passed, 0 failed", broken: undefined });
});

test("only what is named is run", () => {
  expect(run({ "exits/lint": "1" }, ["test:pack"])).toMatchObject({
    status: 0,
    last: "2 passed, 0 failed",
    broken: undefined,
  });
  expect(run({}, ["test:gone"]).status).toBe(2);
});

test.each([
  [
    "a failed test",
    { "exits/test-unit": "1", "reports/test-unit.json": '{ "numPassedTests": 37, "numFailedTests": 3 }' },
    "39 passed, 3 failed",
    "failed: test:unit",
  ],
  [
    "a suite that fails without a failed test",
    { "exits/test-unit": "1" },
    "42 passed, 1 failed",
    "failed: test:unit",
  ],
  [
    "a suite that ends well without a report",
    { "reports/test-unit.json": "{}" },
    "2 passed, 1 failed",
    "failed: test:unit",
  ],
  [
    "a check that fails, the suites after it still running",
    { "exits/lint": "1", "exits/check-repo": "1" },
    "42 passed, 2 failed",
    "failed: lint, check:repo",
  ],
  ["a set-up that fails", { "scripts/setup.mjs": "process.exit(1);" }, "0 passed, 1 failed", "failed: setup"],
])("%s is red", (_, files, last, broken) => {
  expect(run(files)).toMatchObject({ status: 1, last, broken });
});

test("the failed tests are named at the end", () => {
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      {
        name: "a.test.ts",
        status: "failed",
        assertionResults: [
          { status: "passed", fullName: "adds" },
          { status: "failed", fullName: "sum subtracts" },
        ],
      },
      { name: "b.test.ts", status: "failed", assertionResults: [] },
      { name: "c.test.ts", status: "passed", assertionResults: [{ status: "passed", fullName: "is well" }] },
    ],
  };
  const { end } = run({ "exits/test-unit": "1", "reports/test-unit.json": JSON.stringify(report) });
  expect(end).toEqual([
    "failed: test:unit",
    expect.stringMatching(/a\.test\.ts: sum subtracts$/),
    expect.stringMatching(/b\.test\.ts$/),
    "",
    "3 passed, 1 failed",
  ]);
});
