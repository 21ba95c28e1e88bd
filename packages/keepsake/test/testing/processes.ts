import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ContractJob, ContractProcess } from "../../src/testing/index.ts";
import type { StoreTarget } from "./store-target.ts";

const script = join(import.meta.dirname, "contract-process.ts");

/** A child process that is ready to carry out the job on the target. */
export async function startProcess(target: StoreTarget, job: ContractJob): Promise<ContractProcess> {
  const child = spawn(process.execPath, [
    "--import",
    "tsx",
    script,
    JSON.stringify(target),
    JSON.stringify(job),
  ]);
  let ready = false;
  let steps = 0;
  let errors = "";
  let over = false;
  child.stdout.on("data", (chunk: Buffer) => {
    // The first byte says that the process is ready, every further one acknowledges a step.
    steps += chunk.length - (ready ? 0 : 1);
    ready = true;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += String(chunk);
  });
  const ended = once(child, "close").then(([code]: unknown[]) => {
    over = true;
    return code;
  });
  while (!ready && !over) await Promise.race([once(child.stdout, "data"), ended]);
  return {
    go: () => {
      child.stdin.write("go\n");
    },
    steps: async (atLeast) => {
      while (steps < atLeast && !over) await Promise.race([once(child.stdout, "data"), ended]);
      return steps;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
      return steps;
    },
    done: async () => {
      const code = await ended;
      if (code !== 0) throw new Error(`The process ended with ${code}: ${errors}`);
    },
  };
}
