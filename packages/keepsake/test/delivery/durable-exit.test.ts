import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("./durable-child.ts", import.meta.url));

async function run(mode: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script, mode]);
  return stdout.trim().split("\n");
}

describe("a process with a started worker", () => {
  it("ends by itself where nothing runs", async () => {
    expect(await run("idle")).toEqual([expect.stringContaining('"done":0')]);
  });

  it("ends when what runs is done", async () => {
    expect(await run("work")).toEqual(["done: a", expect.stringContaining('"done":1')]);
  });

  it("does not wait for what backs off, and leaves no rejection unhandled", async () => {
    const lines = await run("rejects");
    expect(lines).toContainEqual(expect.stringContaining('"retrying":1'));
    expect(lines).not.toContain("unhandled");
  });
});
