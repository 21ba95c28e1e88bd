import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const tsx = import.meta.resolve("tsx");
let folder = "";

beforeAll(() => {
  // Apart from the workspace, so that no node_modules above holds the package.
  folder = mkdtempSync(join(tmpdir(), "keepsake-tokens-"));
  cpSync(join(import.meta.dirname, "../../src"), join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("without gpt-tokenizer the room loads, and says what to install when it is asked to count", async () => {
  writeFileSync(
    join(folder, "app.ts"),
    `import { tokenCounter } from "./src/tokens/index.ts";
const own = await tokenCounter({ tokenizer: { countTokens: (text) => text.length } });
const error = await tokenCounter().catch((thrown) => thrown);
const { code, message, data, cause } = error;
console.log(JSON.stringify({ own: own("four"), code, message, data, cause: cause.code }));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", tsx, "app.ts"], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toEqual({
    own: 4,
    code: "missing_dependency",
    message: expect.stringMatching(/needs the package gpt-tokenizer, .*"npm install gpt-tokenizer"/),
    data: { package: "gpt-tokenizer", encoding: "o200k_base" },
    cause: "ERR_MODULE_NOT_FOUND",
  });
});
