import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { cliFile, folder, keepsake, runProgram } from "./support/cli.ts";

test("shows every turn, what left and what was stored, three answers and the counts", async () => {
  const cwd = await folder();
  const { code, stdout, stderr } = await keepsake(["demo"], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.split("\n");
  for (let turn = 1; turn <= 30; turn += 1)
    expect(lines.some((line) => line.startsWith(`${String(turn).padStart(3)}  user`))).toBe(true);
  expect(lines.filter((line) => /^ {5}window \d+\/10/.test(line))).toHaveLength(30);
  expect(lines.filter((line) => line.startsWith("  ✓  "))).toHaveLength(3);
  expect(stdout).not.toContain("✗");
  expect(stdout).toContain("田中美咲");
  const produced = numberAfter(stdout, "messages produced");
  expect(numberAfter(stdout, "in the window") + numberAfter(stdout, "delivered once each")).toBe(produced);
  expect(numberAfter(stdout, "stored")).toBe(numberAfter(stdout, "delivered once each"));
  expect(stdout).toContain(": nothing is lost");
  expect(await readdir(cwd)).toContain("keepsake.db");
});

test("the last line is a command that works when it is pasted", async () => {
  const cwd = await folder();
  const { stdout } = await keepsake(["demo"], { cwd });
  const command = stdout.trimEnd().split("\n").at(-1)?.trim() ?? "";
  expect(command).toContain(`node ${cliFile} search `);
  const { code, stdout: found } = await runProgram("sh", ["-c", command], { cwd });
  expect(code).toBe(0);
  expect(found).toContain("window");
});

test("runs again beside the first time", async () => {
  const cwd = await folder();
  const first = JSON.parse((await keepsake(["demo", "--json"], { cwd })).stdout);
  const second = await keepsake(["demo", "--json"], { cwd });
  expect(second.code).toBe(0);
  const listed = JSON.parse((await keepsake(["list", "--json"], { cwd })).stdout);
  expect(listed.namespaces.map(({ items }: { items: number }) => items)).toEqual([
    first.counts.stored,
    JSON.parse(second.stdout).counts.stored,
  ]);
});

test("JSON says the same", async () => {
  const { code, stdout, stderr } = await keepsake(["demo", "--json", "--db", "d.db"], {
    cwd: await folder(),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const document = JSON.parse(stdout);
  const { turns, questions, counts } = document;
  expect(document.db).toBe("d.db");
  expect(turns).toHaveLength(30);
  for (const { window } of turns) expect(window.length).toBeLessThanOrEqual(10);
  const left = turns.flatMap((turn: { left: string[] }) => turn.left);
  expect(new Set(left).size).toBe(left.length);
  expect(counts).toEqual({
    produced: left.length + turns.at(-1).window.length,
    in_window: turns.at(-1).window.length,
    delivered_once: left.length,
    stored: left.length,
  });
  for (const { answer, answered, found } of questions) {
    expect(answered).toBe(true);
    expect(found.value.content).toContain(answer);
  }
});

function numberAfter(text: string, label: string): number {
  return Number(new RegExp(`${label}\\s+(\\d+)`).exec(text)?.[1]);
}
