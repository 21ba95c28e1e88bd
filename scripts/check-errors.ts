import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { CheckResult } from "./lib/check.ts";
import { errorCodesOf } from "./lib/error-codes.ts";
import { read, sourcesUnder } from "./lib/files.ts";

const sources = ["packages/keepsake/src", "packages/cli/src"];
const codesFile = "packages/keepsake/src/errors/codes.ts";
const page = "docs/errors.md";

/** Error codes: each is thrown somewhere, has a heading in docs/errors.md, and is named by the comment of what throws it. */
export function checkErrors(root: string): CheckResult {
  const codes = errorCodesOf(root);
  const files = sources.flatMap((folder) => sourcesUnder(root, folder)).filter((path) => path !== codesFile);
  const texts = files.map((path) => ({ path, text: read(root, path) }));
  const unused = codes.filter((code) => !texts.some(({ text }) => text.includes(`"${code}"`)));
  const problems = [
    ...pageProblems(root, codes),
    ...unused.map((code) => `${codesFile}: nothing throws ${code}`),
    ...texts.flatMap(({ path, text }) => [
      ...namedProblems(path, text, codes),
      ...unnamedProblems(path, text),
    ]),
  ];
  return { problems, note: `${codes.length} codes` };
}

function pageProblems(root: string, codes: readonly string[]): string[] {
  if (!existsSync(join(root, page))) return [`${page} is missing`];
  const headings = [...read(root, page).matchAll(/^## `?(\w+)`?$/gm)].map((match) => match[1] ?? "");
  const missing = codes
    .filter((code) => !headings.includes(code))
    .map((code) => `${page} has no heading for ${code}`);
  const unknown = headings
    .filter((name) => !codes.includes(name))
    .map((name) => `${page}: no code is called ${name}`);
  const inOrder = headings.every((name, index) => index === 0 || (headings[index - 1] ?? "") < name);
  return [
    ...missing,
    ...unknown,
    ...(inOrder ? [] : [`${page}: the headings are not in alphabetical order`]),
  ];
}

/** `@throws {KeepsakeError} code`, `@throws {KeepsakeError} code, code or code: when`, `@throws {KeepsakeError} as {@link put}`. */
function namedProblems(path: string, text: string, codes: readonly string[]): string[] {
  return text.split("\n").flatMap((line, index) => {
    if (!/@throws\b/.test(line)) return [];
    const where = `${path}:${index + 1}`;
    const rest = /@throws \{KeepsakeError\} (.*)$/.exec(line)?.[1];
    if (rest === undefined) return [`${where}: write @throws {KeepsakeError} and a code`];
    if (rest.startsWith("as {@link ")) return [];
    const unknown = namedCodes(rest, codes).filter((code) => !codes.includes(code));
    return unknown.map((code) => `${where}: no error code is called ${code}`);
  });
}

/** The first word and, after commas, "or" and "and", those that look like codes. */
function namedCodes(text: string, codes: readonly string[]): string[] {
  const [first = "", ...others] = text
    .split(/,\s*|\s+or\s+|\s+and\s+/)
    .map((part) => /^`?(\w+)/.exec(part)?.[1] ?? part);
  return [first, ...others.filter((word) => word.includes("_") || codes.includes(word))];
}

/** An exported function, or the constructor of an exported class, that throws a code itself says so in its comment. */
function unnamedProblems(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return file.statements.filter(isExported).flatMap((statement) => {
    return bodiesOf(statement).flatMap(({ name, body, comment }) => {
      const unsaid = codesThrownIn(body).filter(
        (code) => !new RegExp(`@throws .*\\b${code}\\b`).test(comment),
      );
      return [...new Set(unsaid)].map(
        (code) => `${path}: ${name} throws ${code}; its comment has no @throws for it`,
      );
    });
  });
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
}

interface Body {
  readonly name: string;
  readonly body: ts.Node;
  readonly comment: string;
}

function bodiesOf(statement: ts.Statement): Body[] {
  const comment = commentOf(statement);
  if (ts.isFunctionDeclaration(statement) && statement.body !== undefined) {
    return [{ name: statement.name?.text ?? "a function", body: statement.body, comment }];
  }
  if (!ts.isClassDeclaration(statement)) return [];
  return statement.members.flatMap((member) => {
    if (!ts.isConstructorDeclaration(member) || member.body === undefined) return [];
    const name = `new ${statement.name?.text ?? "class"}`;
    return [{ name, body: member.body, comment: `${comment}\n${commentOf(member)}` }];
  });
}

function commentOf(node: ts.Node): string {
  return node.getFullText().slice(0, node.getStart() - node.getFullStart());
}

function codesThrownIn(body: ts.Node): string[] {
  const codes: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isThrowStatement(node) && ts.isNewExpression(node.expression)) {
      const [code] = node.expression.arguments ?? [];
      const isOurs = node.expression.expression.getText() === "KeepsakeError";
      if (isOurs && code !== undefined && ts.isStringLiteral(code)) codes.push(code.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
  return codes;
}
