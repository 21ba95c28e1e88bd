import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../src/output/command-line.ts";

const at = (script: string, path = "/usr/bin:/opt/bin"): string =>
  commandLine({ script, env: { PATH: path } }, ["search", "which seat", "--db", "./keepsake.db"]);

test.each([
  ["/opt/bin/keepsake", 'keepsake search "which seat" --db ./keepsake.db'],
  ["/app/node_modules/.bin/keepsake", 'npx keepsake search "which seat" --db ./keepsake.db'],
  ["/u/.npm/_npx/1f/node_modules/.bin/keepsake", 'npx @keepsake/cli search "which seat" --db ./keepsake.db'],
  ["/elsewhere/cli.js", 'node /elsewhere/cli.js search "which seat" --db ./keepsake.db'],
  [
    join(process.cwd(), "packages/cli/dist/cli.js"),
    'node packages/cli/dist/cli.js search "which seat" --db ./keepsake.db',
  ],
])("started as %s", (script, expected) => {
  expect(at(script)).toBe(expected);
});

test("words are quoted so that a shell leaves them alone", () => {
  const line = commandLine({ script: "/opt/bin/keepsake", env: { PATH: "/opt/bin" } }, [
    '["a","b"]',
    "it's $HOME",
    "美咲",
  ]);
  expect(line).toBe(`keepsake '["a","b"]' 'it'\\''s $HOME' "美咲"`);
});
