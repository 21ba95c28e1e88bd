import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cliFile, conversation, folder, folderWith, keepsake, runProgram } from "./support/cli.ts";

const nasty = `\u001b]0;owned\u0007\u001b[2J nasty \u009b31m \u202ereversed 田中美咲👩‍👩‍👧 ${"長い".repeat(100)}`;

/** Makes a database: two people, one of them with strange content. */
async function fill(cwd: string): Promise<void> {
  await writeFile(join(cwd, "asha.json"), JSON.stringify(conversation(30)));
  await writeFile(
    join(cwd, "mallory.json"),
    JSON.stringify([...conversation(2), { role: "user", name: "\u001b[31mM", content: nasty }]),
  );
  for (const name of ["asha", "mallory"]) {
    const ran = await keepsake(["replay", `${name}.json`, "--hand-over", "-n", `/memories/${name}`], { cwd });
    expect(ran.code).toBe(0);
  }
}

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "keepsake-cli-"));
  await fill(cwd);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe("search", () => {
  test("finds the turn, best first, in the namespace and below it only", async () => {
    const { code, stdout } = await keepsake(["search", "thing17", "-n", "/memories/asha"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ 1 {2}(user|assistant) /);
    expect(stdout.split("\n")[1]).toContain("thing17");
    const elsewhere = await keepsake(["search", "thing17", "-n", "/memories/ash"], { cwd });
    expect(elsewhere).toMatchObject({ code: 0 });
    expect(elsewhere.stdout).toContain("There is nothing in /memories/ash.");
    const above = await keepsake(["search", "thing17", "-n", "/memories"], { cwd });
    expect(above.stdout).toContain("/memories/asha");
  });

  test("words need no quotes; --limit limits", async () => {
    const { stdout } = await keepsake(
      ["search", "thing17", "number", "-n", "/memories/asha", "--limit", "2", "--json"],
      { cwd },
    );
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ query: "thing17 number", namespace: ["memories", "asha"] });
    expect(document.items).toHaveLength(2);
    const [first] = document.items;
    expect(Object.keys(first)).toEqual(["namespace", "key", "value", "created_at", "updated_at", "score"]);
    expect(first.value).toMatchObject({ kind: "turn", content: expect.stringContaining("thing17") });
  });

  test("finds nothing, and says so", async () => {
    const { code, stdout } = await keepsake(["search", "zeppelin", "-n", "/memories/asha"], { cwd });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Nothing in /memories/asha (60 items) matches "zeppelin".\n',
    });
    const asJson = await keepsake(["search", "zeppelin", "-n", "/memories/asha", "--json"], { cwd });
    expect(JSON.parse(asJson.stdout).items).toEqual([]);
  });
});

describe("list", () => {
  test("lists namespaces with their counts", async () => {
    const { code, stdout } = await keepsake(["list"], { cwd });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "/memories/asha     60 items\n/memories/mallory  5 items\n",
    });
    const page = await keepsake(["list", "--limit", "1", "--offset", "1", "--json"], { cwd });
    expect(JSON.parse(page.stdout)).toEqual({
      namespaces: [{ namespace: ["memories", "mallory"], items: 5 }],
      next_offset: null,
    });
  });

  test("lists the items of a namespace by page", async () => {
    const { stdout } = await keepsake(["list", "-n", "/memories/asha", "--limit", "5"], { cwd });
    expect(stdout.split("\n")).toHaveLength(7);
    expect(stdout).toContain("1 to 5 of 60; more with --offset 5");
    const seen = new Set<string>();
    for (const offset of ["0", "25", "50"]) {
      const page = await keepsake(
        ["list", "-n", "/memories/asha", "--limit", "25", "--offset", offset, "--json"],
        { cwd },
      );
      const { items, total, next_offset } = JSON.parse(page.stdout);
      expect({ total, next_offset }).toEqual({
        total: 60,
        next_offset: offset === "50" ? null : Number(offset) + 25,
      });
      for (const { key } of items) seen.add(key);
    }
    expect(seen.size).toBe(60);
    const beyond = await keepsake(["list", "-n", "/memories/asha", "--offset", "99"], { cwd });
    expect(beyond.stdout).toContain("--offset 99 is beyond the last");
  });

  test("a reader that goes away is no error", async () => {
    const command = `"${process.execPath}" "${cliFile}" list -n /memories/asha | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await runProgram("bash", ["-c", command], { cwd });
    expect({ stdout, stderr }).toEqual({ stdout: "0\n", stderr: "" });
  });
});

describe("what is stored does not command the terminal", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  const commands = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

  test.each<[string[]]>([
    [["search", "nasty", "-n", "/memories/mallory"]],
    [["search", "nasty", "-n", "/memories/mallory", "--json"]],
    [["list", "-n", "/memories/mallory"]],
    [["list", "-n", "/memories/mallory", "--json"]],
    [["replay", "mallory.json", "--db", "other.db", "--max-messages", "1"]],
  ])("%j", async (args) => {
    const { code, stdout } = await keepsake(args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("nasty");
    expect(stdout).not.toMatch(commands);
    expect(stdout).not.toMatch(/\p{Surrogate}/u);
  });

  test("JSON holds the content unchanged all the same", async () => {
    const { stdout } = await keepsake(["search", "nasty", "-n", "/memories/mallory", "--json"], { cwd });
    const contents = JSON.parse(stdout).items.map(
      (item: { value: { content: string } }) => item.value.content,
    );
    expect(contents).toContain(nasty);
  });
});

describe("search and list without a database to read", () => {
  test.each<[string[]]>([[["search", "x", "-n", "/a"]], [["list"]]])("%j makes none", async (args) => {
    const place = await folder();
    const { code, stdout, stderr } = await keepsake(args, { cwd: place });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain('There is no database "./keepsake.db".');
    expect(await readdir(place)).toEqual([]);
  });

  test.each<[string[]]>([[["search", "x", "-n", "/a"]], [["list"]]])(
    "%j of a file that is none",
    async (args) => {
      const place = await folderWith("keepsake.db", "x".repeat(5000));
      const { code, stdout, stderr } = await keepsake([...args, "--json"], { cwd: place });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      const { error } = JSON.parse(stderr);
      expect(error.code).toBe("database_failed");
      expect(error.message).toContain("keepsake.db");
      expect(await readdir(place)).toEqual(["keepsake.db"]);
    },
  );

  test("a directory", async () => {
    const { code, stderr } = await keepsake(["list", "--db", "."], { cwd: await folder() });
    expect(code).toBe(1);
    expect(stderr).toContain('"." is a directory');
  });
});
