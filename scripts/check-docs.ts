import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type { CheckResult } from "./lib/check.ts";
import { filesUnder, manifestOf, read } from "./lib/files.ts";
import { type Located, type Markdown, parseMarkdown } from "./lib/markdown.ts";
import { withSnippets } from "./lib/snippets.ts";

const agentsLines = 150;
const librarySource = "packages/keepsake/src";
const shells = new Set(["sh", "bash", "console"]);

/** What exists, so that a page's words can be looked up in it. */
interface Repository {
  readonly root: string;
  readonly files: readonly string[];
  readonly pages: ReadonlyMap<string, Markdown>;
  readonly subPaths: ReadonlySet<string>;
}

/** The pages that the check reads: every Markdown file but changelogs and change notes. */
export function pagesOf(root: string): string[] {
  return filesUnder(root, "").filter((path) => {
    return path.endsWith(".md") && !path.endsWith("CHANGELOG.md") && !path.startsWith(".changeset/");
  });
}

/** Whatever a page names exists: link targets, files, npm scripts, sub-paths of keepsake; snippets equal their source. */
export function checkDocs(root: string): CheckResult {
  const pages = new Map(pagesOf(root).map((path) => [path, parseMarkdown(read(root, path))]));
  const exports = Object.keys(manifestOf(root, "packages/keepsake").exports);
  const subPaths = new Set(exports.map((path) => posix.join("keepsake", path)));
  const repository: Repository = { root, files: filesUnder(root, ""), pages, subPaths };
  const problems = [...pages].flatMap(([path, page]) => [
    ...page.links.flatMap((link) => linkProblems(repository, path, link)),
    ...wordsIn(page).flatMap((word) => wordProblems(repository, path, word)),
    ...commandsIn(page).flatMap((command) => scriptProblems(repository, path, command)),
    ...snippetProblems(root, path),
  ]);
  return { problems: [...problems, ...agentsProblems(root)], note: `${pages.size} pages` };
}

function linkProblems(repository: Repository, path: string, link: Located): string[] {
  if (/^[a-z]+:/.test(link.text)) return [];
  const [file = "", anchor] = link.text.split("#");
  const target = file === "" ? path : posix.join(posix.dirname(path), file);
  const says = `${path}:${link.line} links to ${link.text}:`;
  if (!existsSync(join(repository.root, target))) return [`${says} there is no ${target}`];
  const page = repository.pages.get(target);
  if (anchor === undefined || page === undefined || page.anchors.has(anchor)) return [];
  return [`${says} ${target} has no such heading`];
}

/** The words of code within sentences and of shell commands, without the punctuation around them. */
function wordsIn(page: Markdown): Located[] {
  return commandsIn(page).flatMap(({ text, line }) => {
    return text.split(/\s+/).map((word) => ({ text: word.replace(/^[("'[]+|[)"'\],;:.]+$/g, ""), line }));
  });
}

function commandsIn(page: Markdown): Located[] {
  const shellLines = page.fences
    .filter((fence) => shells.has(fence.language))
    .flatMap((fence) =>
      fence.text.split("\n").map((text, index) => ({ text, line: fence.line + 1 + index })),
    );
  return [...page.spans, ...shellLines];
}

function wordProblems({ root, files, subPaths }: Repository, path: string, word: Located): string[] {
  const says = `${path}:${word.line} names ${word.text}:`;
  if (/^keepsake(\/[a-z-]+)+$/.test(word.text)) {
    return subPaths.has(word.text) ? [] : [`${says} the package has no such sub-path`];
  }
  if (/^[\w-]+(\.[\w-]+)*\.(ts|mjs|md)$/.test(word.text)) {
    const isThere = files.some((file) => posix.basename(file) === word.text);
    return isThere ? [] : [`${says} no file is called so`];
  }
  const target = pathIn(root, word.text.replace(/^\.\//, ""));
  if (target === undefined) return [];
  const isPattern = /[*<]/.test(target);
  const exists = isPattern ? matches(target, files) : existsSync(join(root, target));
  return exists ? [] : [`${says} there is no ${target}`];
}

/** The path that a word stands for: below the root, or below the library's source; undefined for a word that is no path. */
function pathIn(root: string, word: string): string | undefined {
  if (!/^[\w@.*<>-]+(\/[\w@.*<>-]*)+$/.test(word)) return undefined;
  const [first = ""] = word.split("/");
  if (first === "node_modules" || first === ".cache" || first.startsWith("@")) return undefined;
  if (first === "src") return `packages/keepsake/${word}`;
  if (existsSync(join(root, first))) return word;
  return existsSync(join(root, librarySource, first)) ? `${librarySource}/${word}` : undefined;
}

function matches(pattern: string, files: readonly string[]): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/<[\w-]+>|\*+/g, "[^/]+");
  const expression = new RegExp(`^${escaped.replace(/\/$/, "")}(/|$)`);
  return files.some((file) => expression.test(file));
}

function scriptProblems({ root }: Repository, path: string, command: Located): string[] {
  return [...command.text.matchAll(/\bnpm (run |test\b)([^&|;`]*)/g)].flatMap(([, verb = "", rest = ""]) => {
    const [before = ""] = rest.split(" -- ");
    const workspace = /(?:-w|--workspace)[ =](\S+)/.exec(before)?.[1];
    const words = before.replace(/(?:-w|--workspace)[ =]\S+/, "").split(/\s+/);
    const script =
      verb === "test" ? "test" : words.find((word) => /^[\w:.-]+$/.test(word) && !word.startsWith("-"));
    if (script === undefined || script in manifestOf(root, workspace ?? "").scripts) return [];
    return [
      `${path}:${command.line} names the npm script ${script}: ${workspace ?? "the root"} has none of that name`,
    ];
  });
}

function snippetProblems(root: string, path: string): string[] {
  const { text, problems } = withSnippets(root, path);
  const isCurrent = text === read(root, path);
  return [
    ...problems,
    ...(isCurrent ? [] : [`${path}: a snippet is out of date; npm run docs:sync writes it`]),
  ];
}

function agentsProblems(root: string): string[] {
  if (!existsSync(join(root, "AGENTS.md"))) return ["AGENTS.md is missing"];
  const lines = read(root, "AGENTS.md").trimEnd().split("\n").length;
  return lines > agentsLines ? [`AGENTS.md has ${lines} lines; ${agentsLines} are allowed`] : [];
}
