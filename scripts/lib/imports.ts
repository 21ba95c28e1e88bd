import ts from "typescript";

/** One import of a source file. */
export interface ImportFact {
  /** Undefined where `import()` is given something other than a string literal. */
  readonly specifier: string | undefined;
  /** `type` leaves no trace in the built code; `lazy` is an `import()` that runs when its line does. */
  readonly use: "value" | "type" | "lazy";
  readonly line: number;
}

/** Every import, re-export, `import()`, `import("…")` type and `require` of a TypeScript source. */
export function importsOf(path: string, text: string): ImportFact[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const facts: ImportFact[] = [];
  const visit = (node: ts.Node): void => {
    const found = importIn(node);
    if (found !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      facts.push({ ...found, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return facts;
}

function importIn(node: ts.Node): Omit<ImportFact, "line"> | undefined {
  if (ts.isImportDeclaration(node)) {
    const isType = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { specifier: literal(node.moduleSpecifier), use: isType ? "type" : "value" };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: literal(node.moduleSpecifier), use: node.isTypeOnly ? "type" : "value" };
  }
  if (ts.isExternalModuleReference(node)) return { specifier: literal(node.expression), use: "value" };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: literal(node.argument.literal), use: "type" };
  }
  if (ts.isCallExpression(node)) {
    const [argument] = node.arguments;
    if (argument === undefined) return undefined;
    if (node.expression.kind === ts.SyntaxKind.ImportKeyword)
      return { specifier: literal(argument), use: "lazy" };
    if (ts.isIdentifier(node.expression) && node.expression.text === "require") {
      return { specifier: literal(argument), use: "value" };
    }
  }
  return undefined;
}

function literal(node: ts.Node): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}
