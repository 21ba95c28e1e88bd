import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";

/** Where a bench ran: figures of different machines are not comparable. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly platform: string;
}

/** This machine. */
export function machine(): Machine {
  const [cpu] = cpus();
  return {
    cpu: cpu?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

/** The commit that was measured, marked where the library or the bench's own folder differed from it. */
export function commit(benchFolder: string): string {
  const git = (...args: string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--", "packages/keepsake/src", benchFolder) !== "";
    return `${git("rev-parse", "--short", "HEAD")}${changed ? " with changes" : ""}`;
  } catch {
    return "unknown";
  }
}
