import { basename, delimiter, dirname, relative, sep } from "node:path";
import { defaultDatabase } from "../database.ts";
import { formatNamespace } from "../namespace.ts";
import type { Surroundings } from "./screen.ts";

/** A command that works when it is pasted into the shell that this program was started from. */
export function commandLine(
  { script, env }: Pick<Surroundings, "script" | "env">,
  words: readonly string[],
): string {
  return [...programOf(script, env), ...words].map(quoted).join(" ");
}

/** The command that searches a namespace. */
export function searchCommand(
  surroundings: Pick<Surroundings, "script" | "env">,
  {
    query,
    namespace,
    db,
  }: { readonly query: string; readonly namespace: readonly string[]; readonly db: string },
): string {
  const place = ["--namespace", formatNamespace(namespace)];
  return commandLine(surroundings, [
    "search",
    query,
    ...place,
    ...(db === defaultDatabase ? [] : ["--db", db]),
  ]);
}

/** How this program can be called again: by its name where the shell finds it, through npx, or by its file. */
function programOf(script: string, env: NodeJS.ProcessEnv): string[] {
  const folder = dirname(script);
  const isCommand = /^keepsake(\.cmd|\.ps1)?$/.test(basename(script));
  if (script.includes(`${sep}_npx${sep}`)) return ["npx", "@keepsake/cli"];
  if (isCommand && folder.endsWith(`${sep}node_modules${sep}.bin`)) return ["npx", "keepsake"];
  if (isCommand && (env.PATH ?? "").split(delimiter).includes(folder)) return ["keepsake"];
  const fromHere = relative(process.cwd(), script);
  return ["node", fromHere.startsWith("..") ? script : fromHere];
}

/** Plain words as they are; the rest in quotes that a POSIX shell leaves alone. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (process.platform === "win32") return `"${word.replaceAll('"', '\\"')}"`;
  return /^[^"$`\\!]+$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
