import ts from "typescript";
import { read } from "./files.ts";

const codesFile = "packages/keepsake/src/errors/codes.ts";

/** The strings of the union `ErrorCode` in the library's source. */
export function errorCodesOf(root: string): string[] {
  const file = ts.createSourceFile(codesFile, read(root, codesFile), ts.ScriptTarget.Latest);
  const codes: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) codes.push(node.literal.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return codes;
}
