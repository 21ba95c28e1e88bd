#!/usr/bin/env node
// What `npm run demo` and `npm test` call first. Plain Node without dependencies: it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const buildOrder = ["packages/keepsake", "packages/cli"];
const minimumNode = [20, 19];

const usage = `Usage: node scripts/setup.mjs [--skip-native]

Installs the packages of package-lock.json, builds better-sqlite3 for this Node, and builds the workspace's packages:
each only where it is missing or out of date.

  --skip-native  leave better-sqlite3 as it is (it takes a minute to compile and only the tests need it)`;

main(process.argv.slice(2));

function main(args) {
  const unknown = args.find((arg) => arg !== "--skip-native");
  if (unknown !== undefined) {
    console.error(`${usage}\n\nsetup: unknown argument ${unknown}`);
    process.exit(2);
  }
  requireNode();
  install();
  if (!args.includes("--skip-native")) buildNative();
  for (const directory of buildOrder) build(directory);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = minimumNode;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  fail(`keepsake needs Node ${minimumNode.join(".")} or later; this is Node ${process.versions.node}.`);
}

function install() {
  const lock = readJson("package-lock.json");
  if (lock === undefined) fail("package-lock.json is missing: this is not a complete clone.");
  if (isInstalled(lock.packages)) return;
  say("installing packages (npm ci, half a minute)");
  // Install scripts stay off: the one package that needs its own, better-sqlite3, is built by name below.
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
}

/** True when every package that the lock demands is there in the same version, by npm's own record of what it installed. */
function isInstalled(wanted) {
  const installed = readJson("node_modules/.package-lock.json")?.packages;
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function buildNative() {
  if (!existsSync(join(root, "node_modules/better-sqlite3")) || nativeLoads()) return;
  say(`building better-sqlite3 for Node ${process.versions.node} (one to two minutes)`);
  run(
    "npm",
    ["rebuild", "better-sqlite3", "--ignore-scripts=false"],
    "It needs Python 3, make and a C++ compiler.",
  );
  if (!nativeLoads())
    fail("better-sqlite3 was built but does not load: remove node_modules and run this again.");
}

// Asked of the module itself: no record of an earlier build can tell for which Node a binary was made.
function nativeLoads() {
  const probe = `new (require("better-sqlite3"))(":memory:").close()`;
  return spawnSync(process.execPath, ["-e", probe], { cwd: root, stdio: "ignore" }).status === 0;
}

function build(directory) {
  const stampFile = join(root, "node_modules/.cache/keepsake", `${directory.replace("/", "-")}.built`);
  const stamp = hashOf(directory);
  const previous = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : undefined;
  if (existsSync(join(root, directory, "dist")) && previous === stamp) return;
  say(`building ${directory}`);
  run("npm", ["run", "--silent", "build", "--workspace", directory]);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

function hashOf(directory) {
  const hash = createHash("sha256");
  const shared = ["package-lock.json", "tsconfig.base.json"];
  const own = ["package.json", "tsconfig.json", "tsdown.config.ts"].map((name) => `${directory}/${name}`);
  for (const path of [...shared, ...own, ...filesUnder(`${directory}/src`)]) {
    if (existsSync(join(root, path)))
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update("\0");
  }
  return hash.digest("hex");
}

function filesUnder(directory) {
  if (!existsSync(join(root, directory))) return [];
  const entries = readdirSync(join(root, directory), { withFileTypes: true });
  const byName = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return byName.flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

function readJson(path) {
  const file = join(root, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** Runs a command silently; shows all it printed only where it fails. */
function run(command, args, hint = "") {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, shell: process.platform === "win32" };
  const result = spawnSync(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  const reason = result.error?.message ?? result.signal ?? `exit code ${result.status}`;
  fail(`"${[command, ...args].join(" ")}" failed (${reason}); its output is above. ${hint}`.trim());
}

function say(message) {
  console.log(`setup: ${message}`);
}

function fail(message) {
  console.error(`setup: ${message}`);
  process.exit(1);
}
