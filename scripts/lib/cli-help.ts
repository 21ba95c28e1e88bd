import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const built = "packages/cli/dist/cli.js";

/** What the built `keepsake` command says of itself. */
export interface CliHelp {
  /** Why a command line cannot be what it says: no such command, no such option. Undefined where it can. */
  problemOf(commandLine: string): string | undefined;
}

/** Asks the built command; each command's help is read once. */
export function cliHelpOf(root: string): CliHelp {
  const pages = new Map<string, string | undefined>();
  const helpOf = (command: string): string | undefined => {
    if (!pages.has(command)) pages.set(command, ask(root, command));
    return pages.get(command);
  };
  return {
    problemOf(commandLine) {
      const [first = ""] = commandLine.split(/\s+/);
      const command = /^[a-z]/.test(first) ? first : "";
      const help = helpOf(command);
      if (help === undefined) return `${built} has no command ${command}`;
      const options = commandLine.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
      const unknown = options.find((option) => !new RegExp(`${option}(?![\\w-])`).test(help));
      return unknown === undefined ? undefined : `keepsake ${command} has no option ${unknown}`;
    },
  };
}

function ask(root: string, command: string): string | undefined {
  if (!existsSync(join(root, built))) return undefined;
  const args = [built, ...(command === "" ? [] : [command]), "--help"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  return status === 0 ? `${stdout} --help` : undefined;
}
