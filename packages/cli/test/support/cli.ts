import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";

// Child processes on a busy machine take their time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** The built command: what users run. */
export const cliFile: string = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** How a run of the command ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run is given. */
export interface RunOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the built command in a folder. */
export async function keepsake(args: readonly string[], options: RunOptions): Promise<Ran> {
  if (!existsSync(cliFile)) throw new Error(`${cliFile} is missing: build first (npm run build)`);
  return runProgram(process.execPath, [cliFile, ...args], options);
}

/** Runs a program to its end. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, input, env }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, NO_COLOR: "", FORCE_COLOR: "", ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    // A command that fails before it reads closes the pipe; that is its right.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
}

/** An empty folder that is removed when the test ends. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "keepsake-cli-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A folder with one file in it: JSON, unless it is text already. */
export async function folderWith(name: string, content: unknown): Promise<string> {
  const path = await folder();
  await writeFile(
    join(path, name),
    typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content),
  );
  return path;
}

/** So many turns of a user and an assistant about numbered things. */
export function conversation(turns: number): Record<string, unknown>[] {
  return Array.from({ length: turns }, (_, index) => [
    { role: "user", content: `Tell me about thing${index} please` },
    { role: "assistant", content: `thing${index} is number ${index}` },
  ]).flat();
}
