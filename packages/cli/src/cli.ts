#!/usr/bin/env node
import { run } from "./program.ts";

quietSqliteWarning();
for (const stream of [process.stdout, process.stderr]) stream.on("error", leaveWhenUnread);
process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  script: process.argv[1] ?? "keepsake",
});
for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write("", done));
// A hook that never settles would keep the process.
process.exit();

/** `keepsake list | head`: the reader has gone, nothing more to say. */
function leaveWhenUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}

/** Node 22 calls its SQLite experimental on standard error, between our lines; every other warning is shown as Node shows it. */
function quietSqliteWarning(): void {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: never[]): void => {
    const text = warning instanceof Error ? warning.message : warning;
    if (!text.includes("SQLite is an experimental feature")) emit(warning, ...rest);
  };
}
