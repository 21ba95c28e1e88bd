import { run } from "../../src/program.ts";
import type { Ran } from "./cli.ts";

/** What the surroundings of a run in this process are. */
export interface HereOptions {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the command's source in this process, with sinks for its output: a hundred times faster than a child process. */
export async function keepsakeHere(args: readonly string[], options: HereOptions = {}): Promise<Ran> {
  const { isTTY = false, columns = 80, env = {} } = options;
  const out: string[] = [];
  const err: string[] = [];
  const sink = (texts: string[]) => ({ isTTY, columns, write: (text: string) => texts.push(text) });
  const code = await run(args, {
    stdin: nothing(),
    stdout: sink(out),
    stderr: sink(err),
    env,
    script: "/opt/keepsake",
  });
  return { code, stdout: out.join(""), stderr: err.join("") };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
}
