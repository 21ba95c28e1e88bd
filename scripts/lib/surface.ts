import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";
import { errorCodesOf } from "./error-codes.ts";
import { type Manifest, manifestOf } from "./files.ts";

/** Everything that users can name and that may therefore not change by accident, one fact per line, sorted. */
export type Surface = readonly string[];

const packages = ["packages/keepsake", "packages/cli"];

/** Reads the surface off the manifests, the built type declarations and the list of error codes. */
export function surfaceOf(root: string): Surface {
  const lines = packages.flatMap((folder) => {
    const manifest = manifestOf(root, folder);
    return [...manifestLines(manifest), ...nameLines(root, folder, manifest)];
  });
  return [...lines, ...errorCodesOf(root).map((code) => `error code ${code}`)].sort();
}

function manifestLines(manifest: Manifest): string[] {
  const { name } = manifest;
  return [
    ...Object.entries(manifest.exports).map(([path, target]) => `${name} exports ${path} ${target}`),
    ...Object.entries(manifest.bin).map(([command, target]) => `${name} bin ${command} ${target}`),
    ...Object.keys(manifest.dependencies).map((dependency) => `${name} depends on ${dependency}`),
    ...Object.keys(manifest.optionalDependencies).map(
      (dependency) => `${name} optionally depends on ${dependency}`,
    ),
    ...Object.keys(manifest.peerDependencies).map((dependency) => `${name} has the peer ${dependency}`),
  ];
}

function nameLines(root: string, folder: string, manifest: Manifest): string[] {
  const declarations = Object.keys(manifest.exports).flatMap((path) => {
    const file = declarationOf(root, folder, manifest, path);
    return file === undefined ? [] : [{ entry: posix.join(manifest.name, path), file }];
  });
  const files = declarations.map(({ file }) => file);
  const program = ts.createProgram(files, { module: ts.ModuleKind.NodeNext, noLib: true, types: [] });
  const checker = program.getTypeChecker();
  return declarations.flatMap(({ entry, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    return symbols.map((symbol) => `${entry} ${kindOf(symbol, checker)} ${symbol.name}`);
  });
}

/** The built declarations behind a sub-path; undefined for one without types or without a build. */
function declarationOf(root: string, folder: string, manifest: Manifest, path: string): string | undefined {
  const script = manifest.exports[path];
  if (script === undefined || !script.endsWith(".js")) return undefined;
  const file = join(root, folder, script.replace(/\.js$/, ".d.ts"));
  return existsSync(file) ? file : undefined;
}

function kindOf(symbol: ts.Symbol, checker: ts.TypeChecker): "value" | "type" {
  const isTypeExport = symbol.declarations?.some((node) => {
    return ts.isExportSpecifier(node) && (node.isTypeOnly || node.parent.parent.isTypeOnly);
  });
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return isTypeExport !== true && target.flags & ts.SymbolFlags.Value ? "value" : "type";
}
