import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cliFile, conversation, folderWith, keepsake, type Ran, runProgram } from "./support/cli.ts";

const isRoot = process.getuid?.() === 0;
const isUnix = process.platform !== "win32";

/** Runs the command where no file may grow beyond so many kB, as on a disk that is full. */
function withFullDisk(args: readonly string[], cwd: string, kilobytes: number): Promise<Ran> {
  const limits = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$@"`;
  return runProgram("bash", ["-c", limits, "bash", process.execPath, cliFile, ...args], { cwd });
}

/** Root may write everything, so the command runs as nobody. */
function asOrdinaryUser(args: readonly string[], cwd: string): Promise<Ran> {
  const command = [process.execPath, cliFile, ...args];
  const [program = "", ...rest] = isRoot
    ? ["setpriv", "--reuid=65534", "--clear-groups", ...command]
    : command;
  return runProgram(program, rest, { cwd });
}

const listed = async (cwd: string): Promise<unknown> =>
  JSON.parse((await keepsake(["list", "--json"], { cwd })).stdout);

describe.runIf(isUnix)("a disk that gets full while a replay stores (Unix: ulimit)", () => {
  test("leaves no new database behind", async () => {
    const cwd = await folderWith("chat.json", conversation(1000));
    const ran = await withFullDisk(["replay", "chat.json", "--json"], cwd, 800);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(ran.stderr).error.message).toContain("keepsake.db");
    expect(await readdir(cwd)).toEqual(["chat.json"]);
  });

  test("leaves a database that was there as it was, and it works on", async () => {
    const cwd = await folderWith("chat.json", conversation(1000));
    await writeFile(join(cwd, "small.json"), JSON.stringify(conversation(30)));
    await keepsake(["replay", "small.json"], { cwd });
    const before = await listed(cwd);
    expect(await withFullDisk(["replay", "chat.json"], cwd, 800)).toMatchObject({ code: 1, stdout: "" });
    expect(await listed(cwd)).toEqual(before);
    expect((await keepsake(["replay", "chat.json"], { cwd })).code).toBe(0);
  });
});

/** False where root works in a folder that other users may not enter: the command could not run as nobody. */
const runsAsOrdinaryUser = isUnix && (await asOrdinaryUser(["--version"], "/")).code === 0;

describe.runIf(runsAsOrdinaryUser)(
  "a database that may not be written (Unix: permissions; a checkout that others may read)",
  () => {
    test("is an error in a sentence, and stays as it is", async () => {
      const cwd = await folderWith("chat.json", conversation(30));
      await keepsake(["replay", "chat.json"], { cwd });
      await chmod(join(cwd, "keepsake.db"), 0o444);
      await chmod(cwd, 0o555);
      const ran = await asOrdinaryUser(["replay", "chat.json", "-n", "/other", "--json"], cwd);
      await chmod(cwd, 0o755);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(JSON.parse(ran.stderr).error).toMatchObject({
        code: "database_failed",
        message: expect.stringContaining("cannot be written"),
      });
      expect(await listed(cwd)).toMatchObject({ namespaces: [{ namespace: ["memories", "chat"] }] });
    });

    test("a folder that may not be written", async () => {
      const cwd = await folderWith("chat.json", conversation(30));
      await mkdir(join(cwd, "locked"), { mode: 0o555 });
      await chmod(cwd, 0o755);
      const ran = await asOrdinaryUser(["replay", "chat.json", "--db", "locked/a.db"], cwd);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain("locked/a.db");
      expect(ran.stderr).not.toMatch(/\n\s+at /);
      expect(await readdir(join(cwd, "locked"))).toEqual([]);
    });
  },
);
