import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";

const root = import.meta.dirname;

/** Every program below this folder, as `story/name.ts`. */
const programs = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => path.replaceAll("\\", "/"))
  .sort();

const readme = readFileSync(join(root, "../README.md"), "utf8");

afterEach(() => vi.restoreAllMocks());

/** Runs a program and returns what it printed: it checks itself, and throws where something is not as it says. */
async function run(program: string): Promise<string[]> {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void lines.push(...values.map(String)));
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await import(pathToFileURL(join(root, program)).href);
  return lines;
}

describe("examples", () => {
  it("are there", () => {
    expect(programs.length).toBeGreaterThan(10);
  });

  it("stand beside the figures of the last measurement", () => {
    const results = readFileSync(join(root, "../bench/results/locomo.md"), "utf8");
    const [, , , at10] = /\*\*all\*\*.*/.exec(results)?.[0].split(" | ") ?? [];
    expect(readme).toContain(`no embedder | ${at10} % |`);
  });

  // Some start a database of their own.
  it.each(programs)("%s does what it says", { timeout: 90_000 }, async (program) => {
    expect(readFileSync(join(root, program), "utf8")).toContain("assert");
    const printed = await run(program);
    if (program === "readme/remember.ts") expect(readme).toContain(`prints last is \`${printed.at(-1)}\``);
  });
});
