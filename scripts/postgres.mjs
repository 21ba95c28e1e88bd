#!/usr/bin/env node
// A throw-away Postgres server with pgvector, for tests. Plain Node without dependencies.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findOrInstall, NoServer } from "./postgres-install.mjs";

const usage = `Usage: node scripts/postgres.mjs run COMMAND [ARGUMENT ...]
       node scripts/postgres.mjs serve

run    starts a server, runs the command with DATABASE_URL, stops the server, and ends with the command's exit code. Behind
       DATABASE_POOLER_URL is the same server through pgbouncer in transaction mode, where there is pgbouncer.
serve  starts a server and prints its DATABASE_URL; every line "restart" on standard input restarts it, with the connections cut as in a
       crash, and prints "restarted". The end of standard input, or a signal, stops it.

Where DATABASE_URL is set already, run starts no server. Where there is none and cannot be one, the exit code is 3. On Debian, root
installs what is missing: the server, pgvector (built from the source package of a later Debian) and pgbouncer.`;

const noServer = 3;

await main(process.argv.slice(2));

async function main([command, ...args]) {
  const isKnown = command === "run" ? args.length > 0 : command === "serve" && args.length === 0;
  if (!isKnown) {
    console.error(usage);
    process.exit(2);
  }
  try {
    process.exitCode = command === "run" ? await runCommand(args) : await serve();
  } catch (error) {
    if (!(error instanceof NoServer)) throw error;
    console.error(`postgres: no server: ${error.message}`);
    process.exitCode = noServer;
  }
}

async function runCommand([command, ...args]) {
  if (process.env.DATABASE_URL) return exitCodeOf(spawn(command, args, { stdio: "inherit" }));
  const cluster = await startCluster({ pooler: true });
  try {
    const env = { ...process.env, DATABASE_URL: cluster.url, DATABASE_POOLER_URL: cluster.poolerUrl };
    if (cluster.poolerUrl === undefined) delete env.DATABASE_POOLER_URL;
    return await exitCodeOf(spawn(command, args, { stdio: "inherit", env }));
  } finally {
    await cluster.stop();
  }
}

async function serve() {
  const cluster = await startCluster({ pooler: false });
  console.log(`DATABASE_URL=${cluster.url}`);
  const stopped = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, resolve);
    process.stdin.once("end", resolve);
  });
  process.stdin.setEncoding("utf8").on("data", async (text) => {
    if (!text.includes("restart")) return;
    await cluster.restart();
    console.log("restarted");
  });
  await stopped;
  process.stdin.destroy();
  await cluster.stop();
  return 0;
}

/** A child's exit code; signals to this process go to the child, whose end ends this process too. */
async function exitCodeOf(child) {
  const forward = (signal) => child.kill(signal);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  child.once("error", (error) => console.error(`postgres: ${error.message}`));
  const [code, signal] = await once(child, "close");
  for (const name of signals) process.off(name, forward);
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

/** Starts a new cluster on a port of its own, as another user where this one is root: Postgres refuses root. */
async function startCluster({ pooler }) {
  const programs = findOrInstall(say);
  const user = process.getuid?.() === 0 ? userNamed("postgres") : undefined;
  const folder = mkdtempSync(join(tmpdir(), "keepsake-postgres-"));
  chmodSync(folder, 0o755);
  const password = randomBytes(9).toString("base64url");
  const port = await freePort();
  const context = { ...programs, user, folder, password, port };
  const running = { server: undefined, pooler: undefined };
  const stop = async () => {
    await end(running.pooler, "SIGINT");
    await end(running.server, "SIGINT");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    createCluster(context);
    running.server = await startServer(context);
    const poolerPort = pooler && programs.pgbouncer !== undefined ? await freePort() : undefined;
    if (poolerPort !== undefined) running.pooler = await startPooler(context, poolerPort);
    return {
      url: urlOf(password, port),
      poolerUrl: poolerPort === undefined ? undefined : urlOf(password, poolerPort),
      restart: async () => {
        await end(running.server, "SIGQUIT");
        running.server = await startServer(context);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function urlOf(password, port) {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

function createCluster({ bin, folder, password, user }) {
  const passwordFile = join(folder, "password");
  writeOwned(passwordFile, password, user);
  mkdirSync(join(folder, "data"), { mode: 0o700 });
  own(join(folder, "data"), user);
  const args = [
    "-D",
    join(folder, "data"),
    "-U",
    "postgres",
    "-A",
    "scram-sha-256",
    "-E",
    "UTF8",
    "--no-sync",
  ];
  const locale = ["--locale", "C.UTF-8", "--pwfile", passwordFile];
  const result = spawnSync(join(bin, "initdb"), [...args, ...locale], {
    ...idsOf(user),
    encoding: "utf8",
    cwd: folder,
  });
  if (result.status !== 0) throw new NoServer(`initdb failed: ${result.error?.message ?? result.stderr}`);
}

async function startServer({ bin, folder, port, user }) {
  const settings = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}/data`,
    "max_connections=200",
    "shared_buffers=256MB",
    // The folder does not outlive the machine: only crashes of processes count.
    "fsync=off",
    "deadlock_timeout=200ms",
  ].flatMap((setting) => ["-c", setting]);
  const args = ["-D", join(folder, "data"), "-p", String(port), ...settings];
  return startProgram(join(bin, "postgres"), args, { folder, user, ready: "ready to accept connections" });
}

async function startPooler({ folder, password, pgbouncer, port, user }, poolerPort) {
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: poolerPort,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: join(folder, "users.txt"),
    pool_mode: "transaction",
    // Fewer than a test has clients, so that they must take turns.
    default_pool_size: 3,
    max_client_conn: 200,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  const target = `[databases]\npostgres = host=127.0.0.1 port=${port} dbname=postgres\n`;
  writeOwned(join(folder, "users.txt"), `"postgres" "${password}"\n`, user);
  writeOwned(join(folder, "pgbouncer.ini"), `${target}[pgbouncer]\n${lines.join("")}`, user);
  const args = [join(folder, "pgbouncer.ini")];
  return startProgram(pgbouncer, args, { folder, user, ready: "process up" });
}

/** Starts a program and waits until it prints that it is ready. */
async function startProgram(program, args, { folder, user, ready }) {
  const child = spawn(program, args, { ...idsOf(user), cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed = (printed + text).slice(-20_000);
    });
  }
  const ended = once(child, "close").catch((error) => {
    printed += error.message;
  });
  const deadline = Date.now() + 30_000;
  while (child.exitCode === null && !printed.includes(ready) && Date.now() < deadline) await wait(20);
  if (printed.includes(ready)) return { child, ended };
  child.kill("SIGKILL");
  await ended;
  throw new NoServer(`${program} did not start: ${printed.trim().slice(-2000)}`);
}

async function end(running, signal) {
  if (running === undefined || running.child.exitCode !== null) return;
  running.child.kill(signal);
  await running.ended;
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

function userNamed(name) {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) throw new NoServer(`Postgres refuses root, and there is no user "${name}"`);
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

function idsOf(user) {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}

function own(path, user) {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

function writeOwned(path, text, user) {
  writeFileSync(path, text, { mode: 0o600 });
  own(path, user);
}

function say(message) {
  console.error(`postgres: ${message}`);
}
