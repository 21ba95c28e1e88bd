import ts from "typescript";
import { read } from "./files.ts";

const codesFile = "packages/keepsake/src/errors/codes.ts";

/** The strings of the list `errorCodes` in the library's source. */
export function errorCodesOf(root: string): string[] {
  const file = ts.createSourceFile(codesFile, read(root, codesFile), ts.ScriptTarget.Latest);
  const codes: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node))
      codes.push(...node.elements.filter(ts.isStringLiteral).map((e) => e.text));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return codes;
}
