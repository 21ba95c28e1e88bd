import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The folder of this clone. */
export const repositoryRoot: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const skippedFolders = new Set(["node_modules", "dist", "coverage", ".git", ".cache"]);

/** Every file under `root/folder`, sorted, as paths relative to `root` with `/`; a missing folder has none. */
export function filesUnder(root: string, folder: string): string[] {
  const absolute = join(root, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { withFileTypes: true })
    .filter((entry) => !skippedFolders.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(root, path) : [path];
    });
}

/** Every TypeScript file under `root/folder`. */
export function sourcesUnder(root: string, folder: string): string[] {
  return filesUnder(root, folder).filter((path) => path.endsWith(".ts"));
}

/** The files that git tracks or would track, as paths relative to `root`; those deleted but not yet committed are left out. */
export function trackedFiles(root: string): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  const paths = listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  return [...new Set(paths)].sort();
}

/** The text of a file. */
export function read(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}

const manifestShape = z.object({
  name: z.string(),
  version: z.string().optional(),
  bin: z.record(z.string(), z.string()).default({}),
  exports: z.record(z.string(), z.string()).default({}),
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

/** The fields of a package.json that the checks read. */
export type Manifest = z.infer<typeof manifestShape>;

/** The package.json in `root/folder`. */
export function manifestOf(root: string, folder: string): Manifest {
  return manifestShape.parse(JSON.parse(read(root, join(folder, "package.json"))));
}
