import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { folder, keepsake } from "./support/cli.ts";
import { keepsakeHere } from "./support/in-process.ts";

describe("how it is called wrongly: exit code 2, on standard error only", () => {
  test.each<[string[], string]>([
    [["serch"], "Unknown command 'serch' (Did you mean search?) keepsake --help shows how."],
    [
      ["list", "--lmit", "3"],
      "Unknown option '--lmit' (Did you mean --limit?) keepsake list --help shows how.",
    ],
    [
      ["list", "--limit", "x"],
      "Option '--limit <n>' argument 'x' is invalid. Expected a whole number, 1 or more.",
    ],
    [["list", "--limit", "0"], "Expected a whole number, 1 or more."],
    [["list", "--limit", "1e3"], "Expected a whole number, 1 or more."],
    [["list", "--limit", "99999999999999999999"], "Expected a whole number, 1 or more."],
    [["list", "--offset", "-1"], "Expected a whole number, 0 or more."],
    [["list", "--namespace", "/"], '"/" is no namespace: a label is empty.'],
    [["list", "extra"], "Too many arguments for 'list'."],
    [["search", "seat"], "Required option '-n, --namespace <name>' not specified."],
    [["search", "seat", "--namespace", ""], '"" is no namespace'],
    [["search", "seat", "--namespace", "[]"], "[] is no namespace"],
    [["search", "--namespace", "/a"], "Missing required argument 'query'."],
    [["search", " ", "--namespace", "/a"], "The query is empty"],
    [["replay"], "Missing required argument 'file'."],
    [["replay", "x.json", "--boundary", "word"], "Allowed choices are turn, message."],
    [["replay", "x.json", "--min-messages", "30"], "minMessages"],
    [["replay", "x.json", "--max-tokens", "10", "--target-tokens", "20"], "targetTokens"],
    [["replay", "x.json", "--target-tokens", "20"], "targetTokens"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await keepsakeHere(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("with --json the error is JSON", async () => {
    const { code, stdout, stderr } = await keepsake(["search", "x", "--json"], { cwd: await folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "usage",
        message: "Required option '-n, --namespace <name>' not specified. keepsake search --help shows how.",
      },
    });
  });

  test("without a command: the help, on standard error", async () => {
    const { code, stdout, stderr } = await keepsakeHere([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: keepsake");
  });

  test("what was typed does not reach the terminal as a command", async () => {
    const { code, stderr } = await keepsakeHere(["list", "--\u001b[31mred"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--␛[31mred");
  });
});

describe("help", () => {
  test.each(["demo", "replay", "search", "list"])(
    "%s --help has examples and fits 80 columns",
    async (command) => {
      const long = await keepsakeHere([command, "--help"]);
      const short = await keepsakeHere([command, "-h"]);
      const word = await keepsakeHere(["help", command]);
      expect(long.code).toBe(0);
      expect(long.stderr).toBe("");
      expect(long.stdout).toContain("Examples:");
      expect(long.stdout).toContain("--db <path>");
      expect(long.stdout).toContain("--json");
      for (const line of long.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
      expect(short.stdout).toBe(long.stdout);
      expect(word.stdout).toBe(long.stdout);
    },
  );

  test("--help names every command and the exit codes", async () => {
    const { code, stdout } = await keepsakeHere(["--help"]);
    expect(code).toBe(0);
    for (const word of ["demo", "replay", "search", "list", "Exit codes"]) expect(stdout).toContain(word);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("--version prints the package's version", async () => {
    const { code, stdout } = await keepsake(["--version"], { cwd: await folder() });
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${manifest.version}\n` });
  });
});
