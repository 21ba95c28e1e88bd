import { existsSync } from "node:fs";
import { join } from "node:path";
import { read } from "./files.ts";

const block = /<!-- snippet: (\S+?)(?:#(\S+))? -->\n```(\w+)\n([\s\S]*?)```/g;

/** A page with its snippets as the sources have them now, and what is wrong with those that have no source. */
export interface SyncedPage {
  readonly text: string;
  readonly problems: string[];
  /** Lines on which a `ts` block begins that no comment gives a source. */
  readonly unsourced: readonly number[];
}

/**
 * Fills each block that follows `<!-- snippet: path#name -->` with the lines between `// #region name` and
 * `// #endregion` of that file, or with the whole file where no name is given.
 */
export function withSnippets(root: string, page: string): SyncedPage {
  const problems: string[] = [];
  const text = read(root, page).replace(
    block,
    (whole, path: string, name: string | undefined, language: string) => {
      const source = sourceOf(root, path, name);
      if (source === undefined)
        problems.push(`${page}: the snippet ${path}${name ? `#${name}` : ""} has no source`);
      if (source === undefined) return whole;
      const marker = `<!-- snippet: ${path}${name ? `#${name}` : ""} -->`;
      return `${marker}\n\`\`\`${language}\n${source}\n\`\`\``;
    },
  );
  problems.push(...blocklessIn(text).map((comment) => `${page}: no block follows ${comment}`));
  return { text, problems, unsourced: unsourcedIn(text) };
}

/** The comments that name a source for a block which is not there. */
function blocklessIn(text: string): string[] {
  const lines = text.split("\n");
  return lines.filter(
    (line, index) => /^<!-- snippet: \S+ -->$/.test(line) && lines[index + 1]?.startsWith("```") !== true,
  );
}

function unsourcedIn(text: string): number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const isSourced = lines[index - 1]?.startsWith("<!-- snippet: ") === true;
    return line.startsWith("```ts") && !isSourced ? [index + 1] : [];
  });
}

function sourceOf(root: string, path: string, name: string | undefined): string | undefined {
  if (!existsSync(join(root, path))) return undefined;
  const lines = read(root, path).trimEnd().split("\n");
  if (name === undefined) return lines.join("\n");
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === "// #endregion");
  if (start < 0 || length < 0) return undefined;
  return dedent(lines.slice(start + 1, start + 1 + length));
}

function dedent(lines: readonly string[]): string {
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join("\n");
}
