import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./lib/files.ts";

function postgres(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const script = join(repositoryRoot, "scripts/postgres.mjs");
  const options = { encoding: "utf8", env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, [script, ...args], options);
}

test.each([[[]], [["run"]], [["serve", "now"]], [["strat"]]])("%j is answered by the usage", (args) => {
  const { status, stdout, stderr } = postgres(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain("Usage: node scripts/postgres.mjs run COMMAND");
});

test("where DATABASE_URL is set, the command gets it, no server is started, and the exit code is the command's", () => {
  const url = "postgres://somewhere/else";
  const program = "console.log(process.env.DATABASE_URL); process.exit(7)";
  const { status, stdout, stderr } = postgres(["run", process.execPath, "-e", program], {
    DATABASE_URL: url,
  });
  expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: `${url}\n`, stderr: "" });
});

test("a command that is not there", () => {
  const { status, stderr } = postgres(["run", "no-such-command"], { DATABASE_URL: "postgres://a/b" });
  expect(status).not.toBe(0);
  expect(stderr).toContain("no-such-command");
});
