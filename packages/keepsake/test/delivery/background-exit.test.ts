import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("./background-child.ts", import.meta.url));

async function run(mode: string): Promise<{ lines: string[]; stderr: string }> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--import", "tsx", script, mode]);
  return { lines: stdout.trim().split("\n"), stderr };
}

const count = (lines: readonly string[], prefix: string): number =>
  lines.filter((line) => line.startsWith(prefix)).length;

describe("a process with pending background work", () => {
  it("does it before it ends by itself, with one exit listener for all hooks", async () => {
    const { lines, stderr } = await run("drain");
    expect(lines[0]).toBe("listeners: 1");
    expect(count(lines, "done:")).toBe(24);
    expect(count(lines, "warning:")).toBe(0);
    expect(stderr).toBe("");
  });

  it("warns of it at process.exit()", async () => {
    const { lines } = await run("exit");
    expect(count(lines, "done:")).toBe(0);
    expect(count(lines, "warning: keepsake: exiting with 2 background batches pending")).toBe(12);
  });

  it("leaves no listener once it is closed", async () => {
    const { lines } = await run("close");
    expect(count(lines, "done:")).toBe(24);
    expect(count(lines, "warning:")).toBe(0);
    expect(lines.at(-1)).toBe("listeners: 0");
  });
});
