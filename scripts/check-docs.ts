import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type { CheckResult } from "./lib/check.ts";
import { type CliHelp, cliHelpOf } from "./lib/cli-help.ts";
import { filesUnder, manifestOf, read } from "./lib/files.ts";
import { type Fence, type Located, type Markdown, parseMarkdown } from "./lib/markdown.ts";
import { withSnippets } from "./lib/snippets.ts";

const agentsLines = 150;
const docsIndex = "docs/README.md";
const librarySource = "packages/keepsake/src";
const shells = new Set(["sh", "bash", "console"]);

/** What exists, so that a page's words can be looked up in it. */
interface Repository {
  readonly root: string;
  readonly files: readonly string[];
  readonly pages: ReadonlyMap<string, Markdown>;
  readonly subPaths: ReadonlySet<string>;
  readonly cli: CliHelp;
}

/** The pages that the check reads: every Markdown file but changelogs and change notes. */
export function pagesOf(root: string): string[] {
  return filesUnder(root, "").filter((path) => {
    return path.endsWith(".md") && !path.endsWith("CHANGELOG.md") && !path.startsWith(".changeset/");
  });
}

/**
 * Whatever a page names exists: link targets, files, npm scripts, sub-paths of keepsake, commands and options of the
 * built CLI; snippets equal their source; the index leads to every page.
 */
export function checkDocs(root: string): CheckResult {
  const pages = new Map(pagesOf(root).map((path) => [path, parseMarkdown(read(root, path))]));
  const exports = Object.keys(manifestOf(root, "packages/keepsake").exports);
  const subPaths = new Set(exports.map((path) => posix.join("keepsake", path)));
  const repository: Repository = { root, files: filesUnder(root, ""), pages, subPaths, cli: cliHelpOf(root) };
  const problems = [...pages].flatMap(([path, page]) => [
    ...page.links.flatMap((link) => linkProblems(repository, path, link)),
    ...wordsIn(page).flatMap((word) => wordProblems(repository, path, word)),
    ...commandsIn(page).flatMap((command) => scriptProblems(repository, path, command)),
    ...commandsIn(page).flatMap((command) => cliProblems(repository, path, command)),
    ...snippetProblems(root, path),
  ]);
  return {
    problems: [...problems, ...indexProblems(repository), ...agentsProblems(root)],
    note: `${pages.size} pages`,
  };
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
  const shellLines = page.fences.filter((fence) => shells.has(fence.language)).flatMap(commandLinesOf);
  return [...page.spans, ...shellLines];
}

/** The command lines of a block; what goes on after a backslash at the end of a line is one of them. */
function commandLinesOf({ text, line }: Fence): Located[] {
  return [...text.matchAll(/(?:[^\n]*\\\n)*[^\n]+/g)].map((match) => ({
    text: match[0].replace(/\\\n\s*/g, " "),
    line: line + text.slice(0, match.index).split("\n").length,
  }));
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

function cliProblems({ cli }: Repository, path: string, command: Located): string[] {
  const called = /^(?:\$ )?(?:npx )?(?:keepsake|node packages\/cli\/dist\/cli\.js) +([a-z-][^|>#]*)/.exec(
    command.text,
  )?.[1];
  const problem = called === undefined ? undefined : cli.problemOf(called);
  return problem === undefined ? [] : [`${path}:${command.line} names "${command.text}": ${problem}`];
}

function indexProblems({ pages }: Repository): string[] {
  const links = pages.get(docsIndex)?.links.map(({ text }) => posix.join("docs", text)) ?? [];
  const unlinked = [...pages.keys()].filter(
    (path) => /^docs\/[^/]+$/.test(path) && path !== docsIndex && !links.includes(path),
  );
  return unlinked.map((path) => `${docsIndex} has no link to ${path}`);
}

/** Code in the guide comes from files that are compiled and run; decisions may sketch. */
function snippetProblems(root: string, path: string): string[] {
  const { text, problems, unsourced } = withSnippets(root, path);
  if (!path.startsWith("docs/decisions/")) {
    problems.push(
      ...unsourced.map((line) => `${path}:${line}: a ts block without a snippet comment before it`),
    );
  }
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
