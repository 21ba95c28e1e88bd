import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TextKind } from "./texts.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Texts with the vocabulary of real ones: this repository's own. A tokeniser is at its best where the same few hundred words come again and
 * again, as they do in texts made of a few sentences.
 */
export function repositoryKinds(): TextKind[] {
  return [
    excerpts("documentation in Markdown", filesUnder("docs", ".md")),
    excerpts("source in TypeScript", filesUnder("packages/keepsake/src", ".ts").filter(isProgram)),
    excerpts("a lock file in JSON", ["package-lock.json"]),
  ];
}

/** LoCoMo's dialogues, a turn a line. */
export function dialogueKind(path: string): TextKind {
  const turns: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { speaker, text } = value as { speaker?: unknown; text?: unknown };
    if (typeof speaker === "string" && typeof text === "string") turns.push(`${speaker}: ${text}`);
    else for (const inner of Object.values(value)) visit(inner);
  };
  visit(JSON.parse(readFileSync(path, "utf8")));
  return { name: "LoCoMo dialogues", tolerance: 0.15, isNatural: true, make: makerOf(turns.join("\n")) };
}

function excerpts(name: string, paths: readonly string[]): TextKind {
  const all = paths.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
  return { name, tolerance: 0.15, isNatural: true, make: makerOf(all) };
}

/** Excerpts of one text, each from another place; at its end it begins again. */
function makerOf(all: string): TextKind["make"] {
  return (length, seed) => {
    const from = (seed * 7919) % Math.max(1, all.length - length);
    return all
      .repeat(Math.ceil((from + length) / all.length))
      .slice(from, from + length)
      .replace(/\p{Surrogate}/gu, "");
  };
}

/** Lists of contractions and of irregular verbs are neither programs nor English. */
const isProgram = (path: string): boolean => !/stop-words|irregular/.test(path);

function filesUnder(folder: string, extension: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(extension))
    .sort()
    .map((path) => join(folder, path));
}
