import { expect, test } from "vitest";
import { checkErrors } from "./check-errors.ts";
import { fixture } from "./lib/fixture.ts";

const good = `
/**
 * Opens it.
 * @throws {KeepsakeError} invalid_key or \`invalid_config\`: when it cannot
 */
export function open(): void {
  if (a) throw new KeepsakeError("invalid_key", "no");
  const later = () => { throw new KeepsakeError("closed", "later"); };
}

function internal(): void {
  throw new KeepsakeError("invalid_config", "no");
}

/** Opens it again. @throws {KeepsakeError} as {@link open} */
export function reopen(): void {}

/** A box. @throws {KeepsakeError} invalid_config where it has no name */
export class Box {
  constructor() {
    throw new KeepsakeError("invalid_config", "no");
  }
}
`;

function problemsOf(changes: Readonly<Record<string, string>>): readonly string[] {
  const root = fixture({
    "packages/keepsake/src/errors/codes.ts":
      'export type ErrorCode = "closed" | "invalid_config" | "invalid_key";',
    "packages/keepsake/src/store/open.ts": good,
    "docs/errors.md": "# Errors\n\n## closed\n\n## invalid_config\n\n## `invalid_key`\n",
    ...changes,
  });
  return checkErrors(root).problems;
}

test("codes that are thrown, named and on the page are no problem", () => {
  expect(problemsOf({})).toEqual([]);
});

test.each([
  [
    "a page without one of the codes",
    "## closed\n## invalid_key",
    ["docs/errors.md has no heading for invalid_config"],
  ],
  [
    "a page with one too many",
    "## closed\n## expired\n## invalid_config\n## invalid_key",
    ["docs/errors.md: no code is called expired"],
  ],
  [
    "a page in another order",
    "## invalid_config\n## closed\n## invalid_key",
    ["docs/errors.md: the headings are not in alphabetical order"],
  ],
])("%s is a problem", (_, text, problems) => {
  expect(problemsOf({ "docs/errors.md": text })).toEqual(problems);
});

test("a code that nothing throws is a problem", () => {
  const text = good.replaceAll('"invalid_key"', '"invalid_config"').replace("invalid_key, ", "");
  expect(problemsOf({ "packages/keepsake/src/store/open.ts": text })).toEqual([
    "packages/keepsake/src/errors/codes.ts: nothing throws invalid_key",
  ]);
});

test.each([
  ["an unknown code", "@throws {KeepsakeError} gone: when", "no error code is called gone"],
  [
    "an unknown code among others",
    "@throws {KeepsakeError} closed or invalid_name",
    "no error code is called invalid_name",
  ],
  ["another class", "@throws {TypeError} when", "write @throws {KeepsakeError} and a code"],
])("@throws with %s is a problem", (_, tag, problem) => {
  const path = "packages/keepsake/src/store/more.ts";
  expect(problemsOf({ [path]: `/**\n * ${tag}\n */\nexport const x = 1;` })).toEqual([
    `${path}:2: ${problem}`,
  ]);
});

test.each([
  ["an exported function", "export function f(): void { throw new KeepsakeError('closed', ''); }", "f"],
  [
    "an exported constructor",
    "export class F { constructor() { throw new KeepsakeError('closed', ''); } }",
    "new F",
  ],
])("%s that throws without saying so is a problem", (_, text, name) => {
  const path = "packages/keepsake/src/store/more.ts";
  expect(problemsOf({ [path]: text })).toEqual([
    `${path}: ${name} throws closed; its comment has no @throws for it`,
  ]);
});
