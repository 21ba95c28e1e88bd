#!/usr/bin/env node
// `npm test`: sets the workspace up, then runs npm scripts one after another and sums up what vitest counted.
// Plain Node without dependencies: it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const everything = ["lint", "types", "check:repo", "check:unused", "test:unit", "test:pack"];

const usage = `Usage: node scripts/test.mjs [npm script ...]

Runs scripts/setup.mjs, then the npm scripts named (default: ${everything.join(", ")}), the later ones even when an earlier
one failed. The last line says how many tests passed and failed; a script that is no test suite counts only where it fails.`;

main(process.argv.slice(2));

function main(args) {
  const known = Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts);
  const unknown = args.find((arg) => !known.includes(arg));
  if (unknown !== undefined) {
    console.error(`${usage}\n\ntest: no npm script is called ${unknown}`);
    process.exit(2);
  }
  const total = { passed: 0, failed: 0 };
  const broken = [];
  const failedTests = [];
  if (!succeeds(process.execPath, [join(root, "scripts/setup.mjs")])) {
    finish({ passed: 0, failed: 1 }, ["setup"]);
  }
  for (const script of args.length > 0 ? args : everything) {
    console.log(`\n── npm run ${script}`);
    const { passed, failed, names = [] } = script.startsWith("test:") ? runSuite(script) : runCheck(script);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) broken.push(script);
    failedTests.push(...names);
  }
  finish(total, broken, failedTests);
}

function runCheck(script) {
  return { passed: 0, failed: succeeds("npm", ["run", "--silent", script]) ? 0 : 1 };
}

/** A suite that fails without a failed test (a file that does not load, an unhandled rejection) counts as one failure. */
function runSuite(script) {
  const report = join(root, ".cache/test", `${script.replace(":", "-")}.json`);
  rmSync(report, { force: true });
  mkdirSync(dirname(report), { recursive: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const succeeded = succeeds("npm", ["run", "--silent", script, "--", ...reporters]);
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  const passed = counts?.numPassedTests ?? 0;
  const failed = counts?.numFailedTests ?? 0;
  const isBroken = !succeeded || passed + failed === 0;
  return { passed, failed: isBroken ? Math.max(failed, 1) : failed, names: failedTestsIn(counts) };
}

function failedTestsIn(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((test) => test.status === "failed");
    if (tests.length === 0 && status === "failed") return [file];
    return tests.map(({ fullName }) => `${file}: ${fullName}`);
  });
}

function succeeds(command, args) {
  const options = { cwd: root, stdio: ["ignore", "inherit", "inherit"], shell: process.platform === "win32" };
  return spawnSync(command, args, options).status === 0;
}

function finish({ passed, failed }, broken, failedTests = []) {
  if (broken.length > 0) console.log(["", `failed: ${broken.join(", ")}`, ...failedTests].join("\n"));
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
