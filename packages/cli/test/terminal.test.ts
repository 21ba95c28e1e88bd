import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { widthOf } from "../src/output/screen.ts";
import { cliFile, conversation, folderWith, runProgram } from "./support/cli.ts";
import { keepsakeHere } from "./support/in-process.ts";

const hasScript = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

/** Runs the command on a pseudo terminal, by util-linux's `script`, and returns all that it showed. */
async function onTerminal(args: readonly string[], cwd: string): Promise<string> {
  const command = [process.execPath, cliFile, ...args].map((word) => `'${word}'`).join(" ");
  const log = join(cwd, "typescript");
  await runProgram("script", ["-qec", command, log], { cwd });
  return readFile(log, "utf8");
}

describe.runIf(hasScript)("on a terminal (needs util-linux's script)", () => {
  test("a long replay shows a bar and removes it; the result has colours", async () => {
    const cwd = await folderWith("chat.json", conversation(3000));
    const shown = await onTerminal(["replay", "chat.json"], cwd);
    expect(shown).toMatch(/storing {2}[█░]+ \d+%/);
    expect(shown).toContain("\u001b[1mremembered\u001b[22m");
    expect(shown.slice(shown.lastIndexOf("%"))).toContain("stayed in the window");
  });

  test("--json has neither", async () => {
    const cwd = await folderWith("chat.json", conversation(3000));
    const shown = await onTerminal(["replay", "chat.json", "--json"], cwd);
    expect(shown).not.toContain("storing");
    expect(shown).not.toContain("\u001b");
  });
});

test.each([
  [0, 80],
  [20, 40],
  [60, 60],
  [500, 120],
])("a terminal of %i columns gets lines of %i", (columns, width) => {
  expect(widthOf({ columns, write: () => {} })).toBe(width);
});

describe("colours", () => {
  const missing = ["list", "--db", "/nowhere/keepsake.db"];

  test.each<[string, boolean, NodeJS.ProcessEnv, boolean]>([
    ["a terminal", true, {}, true],
    ["a pipe", false, {}, false],
    ["NO_COLOR", true, { NO_COLOR: "1" }, false],
    ["an empty NO_COLOR", true, { NO_COLOR: "" }, true],
    ["a dumb terminal", true, { TERM: "dumb" }, false],
  ])("%s", async (_, isTTY, env, coloured) => {
    const { stderr } = await keepsakeHere(missing, { isTTY, env });
    expect(stderr).toContain("There is no database");
    expect(stderr.includes("\u001b[")).toBe(coloured);
  });
});
