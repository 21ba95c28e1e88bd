import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { cliFile, folder, runProgram } from "./support/cli.ts";

const page = fileURLToPath(new URL("../../../docs/cli.md", import.meta.url));

interface Shown {
  readonly command: string;
  /** What the page says that it prints. */
  readonly output: string | undefined;
}

test("every command that the page shows runs, and prints what the page says", async () => {
  const fences = fencesOf(await readFile(page, "utf8"));
  const cwd = await folder();
  await writeFile(join(cwd, "chat.json"), fences.find(({ language }) => language === "json")?.text ?? "");
  const PATH = `${await installed(cwd)}${delimiter}${process.env.PATH}`;
  const shown = commandsIn(fences);
  expect(shown.length).toBeGreaterThan(6);
  for (const { command, output } of shown) {
    const { code, stdout, stderr } = await runProgram("sh", ["-c", command], { cwd, env: { PATH } });
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
    if (output !== undefined) expect(withoutDemo(stdout)).toBe(output);
  }
});

/** The demo's namespace has another name each time, and a width of its own. */
function withoutDemo(text: string): string {
  if (!text.includes("/demo/")) return text;
  const lines = text.split("\n").filter((line) => !line.startsWith("/demo/"));
  return lines.map((line) => line.replace(/ {2,}/, "  ")).join("\n");
}

/** A folder in which the command is called `keepsake`, as an installation would have it. */
async function installed(cwd: string): Promise<string> {
  const bin = join(cwd, "bin");
  await mkdir(bin);
  const script = `#!/usr/bin/env node\nprocess.argv[1] = ${JSON.stringify(join(bin, "keepsake"))};\nimport(${JSON.stringify(cliFile)});\n`;
  await writeFile(join(bin, "keepsake"), script, { mode: 0o755 });
  return bin;
}

interface Fence {
  readonly language: string;
  readonly text: string;
}

function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

/** The commands of the page in their order; a block of text after a block of one command is its output. */
function commandsIn(fences: readonly Fence[]): Shown[] {
  return fences.flatMap(({ language, text }, index) => {
    if (language !== "sh") return [];
    const next = fences[index + 1];
    const output = next?.language === "text" ? next.text : undefined;
    return text
      .trimEnd()
      .split("\n")
      .map((command) => ({ command, output }));
  });
}
