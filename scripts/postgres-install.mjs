// Finds, or on Debian installs, what a throw-away Postgres server needs: the server, pgvector, and pgbouncer.
// Plain Node without dependencies.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Where Debian and its kin, and Homebrew, keep the programs of each major version. */
const homes = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];
/** The first release of Debian that has pgvector; its source also builds against older servers. */
const vectorRelease = "trixie";

/** Thrown where there cannot be a server, with the reason. */
export class NoServer extends Error {}

/**
 * The programs of a server with pgvector, and pgbouncer where it can be had. Installs what is missing where this is Debian and root.
 *
 * @returns {{ bin: string, version: number, pgbouncer: string | undefined }}
 */
export function findOrInstall(say) {
  let server = findServer();
  if (server === undefined) {
    install(say, "a Postgres server", ["postgresql"]);
    server = findServer();
  }
  if (server === undefined) throw new NoServer("no Postgres server (version 13 or later) was found");
  if (!hasVector(server)) installVector(say, server);
  return { ...server, pgbouncer: findOrInstallPooler(say) };
}

/** The newest server in the usual places. */
function findServer() {
  const fromPath = (process.env.PATH ?? "").split(delimiter).map((bin) => ({ bin, version: versionOf(bin) }));
  const fromHomes = homes.flatMap((home) => {
    if (!existsSync(home)) return [];
    const folders = readdirSync(home).filter((name) => /^(postgresql@)?\d+$/.test(name));
    return folders.map((name) => join(home, name, "bin")).map((bin) => ({ bin, version: versionOf(bin) }));
  });
  const usable = [...fromHomes, ...fromPath].filter(({ version }) => version >= 13);
  return usable.sort((left, right) => right.version - left.version)[0];
}

/** The major version of the server in a folder; 0 where one of its programs is missing. */
function versionOf(bin) {
  if (!["initdb", "postgres", "pg_ctl", "pg_config"].every((name) => existsSync(join(bin, name)))) return 0;
  const [, major = "0"] = /(\d+)/.exec(output(join(bin, "postgres"), ["--version"])) ?? [];
  return Number(major);
}

function hasVector({ bin }) {
  const folder = output(join(bin, "pg_config"), ["--sharedir"]).trim();
  return existsSync(join(folder, "extension/vector.control"));
}

function installVector(say, server) {
  requireDebian("pgvector");
  const packaged = `postgresql-${server.version}-pgvector`;
  apt(["update", "-qq"]);
  if (/Candidate: \d/.test(output("apt-cache", ["policy", packaged]))) {
    install(say, "pgvector", [packaged]);
    return;
  }
  const build = ["build-essential", "dpkg-dev", `postgresql-server-dev-${server.version}`];
  install(say, "what pgvector is built with", build);
  say(`building pgvector for Postgres ${server.version}`);
  const folder = mkdtempSync(join(tmpdir(), "keepsake-pgvector-"));
  try {
    const source = fetchSource(folder, "pgvector");
    const options = ["OPTFLAGS=", "with_llvm=no", `PG_CONFIG=${join(server.bin, "pg_config")}`];
    run("make", ["-s", "-C", source, ...options]);
    run("make", ["-s", "-C", source, "install", ...options]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The source of a package of a later Debian, from the mirror that this machine uses, with apt's check of its signature. */
function fetchSource(folder, name) {
  const mirror = output("apt-get", ["indextargets", "--format", "$(ORIGIN) $(SITE)"])
    .split("\n")
    .find((line) => /^Debian \S+\/debian\/?$/.test(line));
  if (mirror === undefined)
    throw new NoServer("apt knows no mirror of Debian to take pgvector's source from");
  const site = mirror.slice("Debian ".length);
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  writeFileSync(join(folder, "sources.list"), `deb-src [signed-by=${keys}] ${site} ${vectorRelease} main\n`);
  mkdirSync(join(folder, "lists/partial"), { recursive: true });
  const own = [
    `Dir::Etc::SourceList=${folder}/sources.list`,
    "Dir::Etc::SourceParts=/dev/null",
    `Dir::State::Lists=${folder}/lists`,
    "Dir::Cache::pkgcache=",
    "Dir::Cache::srcpkgcache=",
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  apt([...own, "update", "-qq"]);
  apt([...own, "source", "--download-only", "-qq", name], folder);
  const description = readdirSync(folder).find((file) => file.endsWith(".dsc"));
  if (description === undefined) throw new NoServer(`apt has no source of ${name}`);
  run("dpkg-source", ["--no-check", "-x", description, "source"], folder);
  return join(folder, "source");
}

function findOrInstallPooler(say) {
  const places = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  const find = () => places.map((folder) => join(folder, "pgbouncer")).find(existsSync);
  const found = find();
  if (found !== undefined) return found;
  try {
    install(say, "pgbouncer", ["pgbouncer"]);
  } catch (error) {
    say(`no pgbouncer: ${error.message}`);
  }
  return find();
}

function install(say, what, packages) {
  const missing = packages.filter((name) => !/ok installed/.test(output("dpkg", ["--status", name])));
  if (missing.length === 0) return;
  requireDebian(what);
  say(`installing ${what} (${missing.join(", ")})`);
  apt(["update", "-qq"]);
  apt(["install", "-y", "-qq", "--no-install-recommends", ...missing]);
}

function requireDebian(what) {
  if (process.getuid?.() !== 0) throw new NoServer(`${what} is missing, and only root may install it`);
  if (!existsSync("/etc/debian_version") || output("apt-get", ["--version"]) === "") {
    throw new NoServer(`${what} is missing, and can be installed by this script on Debian only`);
  }
}

function apt(args, cwd) {
  run("apt-get", args, cwd, { DEBIAN_FRONTEND: "noninteractive" });
}

function output(command, args) {
  return spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).stdout ?? "";
}

/** Runs a command silently; what it printed is in the error where it fails. */
function run(command, args, cwd, env = {}) {
  const result = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (result.status === 0) return;
  const reason = result.error?.message ?? `${result.stdout}${result.stderr}`.trim().slice(-2000);
  throw new NoServer(`"${command} ${args.join(" ")}" failed: ${reason}`);
}
