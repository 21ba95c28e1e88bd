import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this clone. */
export const workspace: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A new folder outside the workspace, so that nothing of it can be found by looking upwards. */
export function outsideFolder(): string {
  return mkdtempSync(join(tmpdir(), "keepsake-pack-"));
}

/** Packs a package of the workspace as it would be published; returns the path of the tarball. */
export function pack(folder: string, destination: string): string {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", destination];
  const printed = execFileSync("npm", args, { cwd: join(workspace, folder), encoding: "utf8" });
  return join(destination, printed.trim());
}

/** The files in a tarball, without the folder that npm puts around them. */
export function filesIn(tarball: string): string[] {
  const listed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" });
  return listed
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
}

/** An app in a folder of its own with the tarballs installed and nothing else that they do not ask for. */
export function installApp(
  folder: string,
  tarballs: readonly string[],
  npmOptions: readonly string[] = [],
): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...npmOptions];
  execFileSync("npm", ["install", ...options, ...tarballs], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return folder;
}

/** How a command ended. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a command in a folder. */
export function run(folder: string, command: string, args: readonly string[]): Outcome {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  return { status, output: `${stdout ?? ""}${stderr ?? ""}${error ?? ""}` };
}

/** Runs a tool from the workspace's own node_modules in another folder. */
export function runTool(folder: string, name: string, args: readonly string[]): Outcome {
  return run(folder, join(workspace, "node_modules/.bin", name), args);
}
