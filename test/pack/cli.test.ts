import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesIn, installApp, outsideFolder, pack, run, runTool, workspace } from "./tarballs.ts";

const folder = outsideFolder();
let tarball = "";
let app = "";

beforeAll(() => {
  tarball = pack("packages/cli", folder);
  app = installApp(join(folder, "app"), [pack("packages/keepsake", folder), tarball], ["--prefer-offline"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keepsake(...args: string[]) {
  return run(app, join(app, "node_modules/.bin/keepsake"), args);
}

test("the tarball holds the built command and the papers", () => {
  const papers = filesIn(tarball)
    .filter((path) => !path.startsWith("dist/"))
    .sort();
  expect(papers).toEqual(["LICENSE", "README.md", "package.json"]);
  expect(
    filesIn(tarball).filter((path) => path.startsWith("dist/") && !/^dist\/[\w-]+\.js$/.test(path)),
  ).toEqual([]);
});

test("publint has nothing to say", () => {
  expect(runTool(app, "publint", ["run", tarball, "--strict"])).toMatchObject({ status: 0 });
});

test("the installed command tells its version and explains itself", () => {
  const { version } = JSON.parse(readFileSync(join(workspace, "packages/cli/package.json"), "utf8"));
  expect(keepsake("--version")).toEqual({ status: 0, output: `${version}\n` });
  expect(keepsake("--help")).toMatchObject({
    status: 0,
    output: expect.stringMatching(/replay[\s\S]*search/),
  });
});

test("the installed command remembers a conversation and finds it again", () => {
  const turns = Array.from({ length: 30 }, (_, index) => [
    { role: "user", content: index === 1 ? "I always book aisle seats." : `Question ${index}` },
    { role: "assistant", content: `Answer ${index}` },
  ]);
  writeFileSync(join(app, "conversation.json"), JSON.stringify(turns.flat()));
  const place = ["--namespace", "memories/asha", "--db", "memory.db"];
  expect(keepsake("replay", "conversation.json", "--max-messages", "10", ...place)).toMatchObject({
    status: 0,
  });
  const { status, output } = keepsake("search", "which seats?", ...place);
  expect(status).toBe(0);
  expect(output).toContain("aisle seats");
});
