import { expect, test } from "vitest";
import { checkSurface, pinFile } from "./check-surface.ts";
import { fixture, writeFixture } from "./lib/fixture.ts";
import { surfaceOf } from "./lib/surface.ts";

const question = expect.stringMatching(/Deliberate\? Then: npm run surface:update/);

function repository(changes: Readonly<Record<string, string>> = {}): string {
  return fixture({
    "tsconfig.base.json": JSON.stringify({
      compilerOptions: {
        paths: {
          keepsake: ["./packages/keepsake/src/index.ts"],
          "keepsake/store": ["./packages/keepsake/src/store/index.ts"],
        },
      },
    }),
    "packages/keepsake/package.json": JSON.stringify({
      name: "keepsake",
      exports: { ".": "./dist/index.js", "./store": "./dist/store.js", "./package.json": "./package.json" },
    }),
    "packages/keepsake/src/index.ts": "",
    "packages/keepsake/src/store/index.ts": "",
    "packages/keepsake/src/errors/codes.ts": 'export type ErrorCode = "closed" | "invalid_config";',
    "packages/keepsake/dist/index.js": "",
    "packages/keepsake/dist/index.d.ts":
      'import { A, B } from "./chunk.js"; export { A, type B }; export type C = string;',
    "packages/keepsake/dist/chunk.d.ts": "declare class A {} declare class B {} export { A, B };",
    "packages/keepsake/dist/store.js": "",
    "packages/keepsake/dist/store.d.ts": "export declare function open(): void; export interface Store {}",
    "packages/cli/package.json": JSON.stringify({
      name: "@keepsake/cli",
      bin: { keepsake: "./dist/cli.js" },
      dependencies: { commander: "14.0.3" },
    }),
    ...changes,
  });
}

function pinned(): string {
  const root = repository();
  writeFixture(root, pinFile, surfaceOf(root).join("\n"));
  return root;
}

test("the surface names sub-paths, commands, dependencies, values, types and error codes", () => {
  expect(surfaceOf(repository())).toEqual([
    "@keepsake/cli bin keepsake ./dist/cli.js",
    "@keepsake/cli depends on commander",
    "error code closed",
    "error code invalid_config",
    "keepsake exports . ./dist/index.js",
    "keepsake exports ./package.json ./package.json",
    "keepsake exports ./store ./dist/store.js",
    "keepsake type B",
    "keepsake type C",
    "keepsake value A",
    "keepsake/store type Store",
    "keepsake/store value open",
  ]);
});

test("a surface equal to the pinned one is no problem", () => {
  expect(checkSurface(pinned()).problems).toEqual([]);
});

test.each([
  [
    "a new name",
    "packages/keepsake/dist/store.d.ts",
    "export declare function open(): void; export interface Store {} export declare const x: 1;",
    ["+ keepsake/store value x"],
  ],
  [
    "a name that is gone",
    "packages/keepsake/dist/store.d.ts",
    "export declare function open(): void;",
    ["- keepsake/store type Store"],
  ],
  [
    "a value that became a type",
    "packages/keepsake/dist/store.d.ts",
    "export type open = 1; export interface Store {}",
    ["- keepsake/store value open", "+ keepsake/store type open"],
  ],
  [
    "an error code that is gone",
    "packages/keepsake/src/errors/codes.ts",
    'export type ErrorCode = "closed";',
    ["- error code invalid_config"],
  ],
  [
    "a command with another name",
    "packages/cli/package.json",
    '{ "name": "@keepsake/cli", "bin": { "keep": "./dist/cli.js" }, "dependencies": { "commander": "15.0.0" } }',
    ["- @keepsake/cli bin keepsake ./dist/cli.js", "+ @keepsake/cli bin keep ./dist/cli.js"],
  ],
  [
    "a dependency",
    "packages/cli/package.json",
    '{ "name": "@keepsake/cli", "bin": { "keepsake": "./dist/cli.js" }, "dependencies": { "commander": "1", "left-pad": "1" } }',
    ["+ @keepsake/cli depends on left-pad"],
  ],
])("%s is a difference", (_, path, text, differences) => {
  const root = pinned();
  writeFixture(root, path, text);
  expect(checkSurface(root).problems).toEqual([...differences, question]);
});

test("a sub-path without a build, or unknown to the compiler, is a problem", () => {
  const root = pinned();
  const exports = { ".": "./dist/index.js", "./memory": "./dist/memory.js" };
  writeFixture(root, "packages/keepsake/package.json", JSON.stringify({ name: "keepsake", exports }));
  expect(checkSurface(root).problems).toEqual([
    "packages/keepsake/dist/memory.js is missing: npm run build",
    "packages/keepsake/dist/memory.d.ts is missing: npm run build",
    "keepsake/memory has no line in tsconfig.base.json, paths",
  ]);
});
