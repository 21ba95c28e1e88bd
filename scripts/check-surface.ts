import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { z } from "zod";
import type { CheckResult } from "./lib/check.ts";
import { manifestOf, read } from "./lib/files.ts";
import { surfaceOf } from "./lib/surface.ts";

/** The file of literals that holds the surface, one fact per line. */
export const pinFile = "scripts/surface.txt";

const library = "packages/keepsake";

/** Compares the public surface with the one pinned in {@link pinFile}: a difference is a question, not a prohibition. */
export function checkSurface(root: string): CheckResult {
  const missing = missingFiles(root);
  if (missing.length > 0) return { problems: missing };
  const surface = surfaceOf(root);
  const pinned = existsSync(join(root, pinFile)) ? read(root, pinFile).split("\n").filter(Boolean) : [];
  const gone = pinned.filter((line) => !surface.includes(line)).map((line) => `- ${line}`);
  const added = surface.filter((line) => !pinned.includes(line)).map((line) => `+ ${line}`);
  const differences = [...gone, ...added];
  const question =
    "the public surface differs from scripts/surface.txt. Deliberate? Then: npm run surface:update";
  return {
    problems: differences.length > 0 ? [...differences, question] : [],
    note: `${surface.length} names, paths and codes`,
  };
}

const tsconfigShape = z.object({
  compilerOptions: z.object({ paths: z.record(z.string(), z.array(z.string())) }),
});

/** Every sub-path is built, with types, and known to the compiler and the tests by its source. */
function missingFiles(root: string): string[] {
  const { paths } = tsconfigShape.parse(JSON.parse(read(root, "tsconfig.base.json"))).compilerOptions;
  return Object.entries(manifestOf(root, library).exports).flatMap(([path, target]) => {
    const entry = posix.join("keepsake", path);
    if (typeof target !== "string")
      return [`exports of ${entry}: a plain path is enough, its types lie beside it`];
    if (!target.endsWith(".js")) return [];
    const built = [target, target.replace(/\.js$/, ".d.ts")].map((file) => posix.join(library, file));
    const source = paths[entry]?.[0];
    return [
      ...built
        .filter((file) => !existsSync(join(root, file)))
        .map((file) => `${file} is missing: npm run build`),
      ...(source === undefined ? [`${entry} has no line in tsconfig.base.json, paths`] : []),
      ...(source !== undefined && !existsSync(join(root, source))
        ? [`${source} is missing (tsconfig.base.json)`]
        : []),
    ];
  });
}
