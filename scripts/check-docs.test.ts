import { expect, test } from "vitest";
import { checkDocs } from "./check-docs.ts";
import { fixture } from "./lib/fixture.ts";
import { withSnippets } from "./lib/snippets.ts";

const fence = "```";

// Knows one command with one option, as the built CLI does its own.
const fakeCli = `
const [first, second] = process.argv.slice(2);
if (first === "search" && second === "--help") console.log("Options:\\n  --db-path <path>");
else if (first === "--help") console.log("Commands:\\n  search\\nOptions:\\n  --version");
else process.exit(1);
`;

function problemsOf(page: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const root = fixture({
    "package.json": JSON.stringify({ name: "workspace", scripts: { demo: "", test: "", "test:slow": "" } }),
    "packages/keepsake/package.json": JSON.stringify({
      name: "keepsake",
      exports: { ".": "./dist/index.js", "./store": "./dist/store.js" },
    }),
    "packages/cli/package.json": JSON.stringify({ name: "@keepsake/cli", scripts: { build: "" } }),
    "packages/keepsake/src/stores/sqlite/sqlite-store.ts": "",
    "packages/cli/dist/cli.js": fakeCli,
    "AGENTS.md": "short\n",
    "docs/README.md": "[other](other.md) [page](page.md)",
    "docs/other.md": "# The other page\n",
    "docs/page.md": page,
    ...more,
  });
  return checkDocs(root).problems;
}

test("a page that names only what exists is no problem", () => {
  const page = [
    "[other](./other.md#the-other-page), [web](https://example.org), [here](#heading-with-code-in-it)",
    "# Heading, with `code` in it",
    "`packages/cli`, `docs/*.md`, `stores/<db>/`, `src/stores/sqlite/sqlite-store.ts`, `stores/sqlite`, `sqlite-store.ts`",
    "`keepsake`, `keepsake/store`, `a/b`, `application/json`, `conversation.json`, `[x](nowhere.md)`",
    `${fence}sh`,
    "npm run demo && npm test",
    "npm run --silent test:slow -- --reporter=dot",
    "npm run build -w packages/cli",
    'keepsake search "which seat?" --db-path x.db | jq',
    "$ npx keepsake --version",
    "npm install keepsake commander",
    fence,
    `${fence}js`,
    'import "docs/nothing.md";',
    fence,
  ].join("\n");
  expect(problemsOf(page)).toEqual([]);
});

test.each([
  ["a link to a missing file", "[x](gone.md)", "docs/page.md:1 links to gone.md: there is no docs/gone.md"],
  [
    "a link to a missing heading",
    "[x](other.md#gone)",
    "docs/page.md:1 links to other.md#gone: docs/other.md has no such heading",
  ],
  ["a missing file", "See `docs/gone.md`.", "docs/page.md:1 names docs/gone.md: there is no docs/gone.md"],
  [
    "a missing file of the library",
    "See `src/gone.ts`.",
    "docs/page.md:1 names src/gone.ts: there is no packages/keepsake/src/gone.ts",
  ],
  [
    "a missing folder of a room",
    "See `stores/oracle/`.",
    "docs/page.md:1 names stores/oracle/: there is no packages/keepsake/src/stores/oracle/",
  ],
  [
    "a pattern without a match",
    "See `docs/*.txt`.",
    "docs/page.md:1 names docs/*.txt: there is no docs/*.txt",
  ],
  ["a file name that nothing has", "See `gone.ts`.", "docs/page.md:1 names gone.ts: no file is called so"],
  [
    "a missing sub-path",
    "Import `keepsake/oracle`.",
    "docs/page.md:1 names keepsake/oracle: the package has no such sub-path",
  ],
  [
    "a missing script",
    "Run `npm run gone`.",
    "docs/page.md:1 names the npm script gone: the root has none of that name",
  ],
  [
    "a missing command",
    "`keepsake find <query>`",
    'docs/page.md:1 names "keepsake find <query>": packages/cli/dist/cli.js has no command find',
  ],
  [
    "a missing option",
    "`keepsake search [--db <path>]`",
    'docs/page.md:1 names "keepsake search [--db <path>]": keepsake search has no option --db',
  ],
  [
    "a missing option in the next line",
    `${fence}sh\n\nnpx keepsake search \\\n  --gone\n${fence}`,
    'docs/page.md:3 names "npx keepsake search  --gone": keepsake search has no option --gone',
  ],
  [
    "a missing script of a workspace",
    "`npm run gone -w packages/cli`",
    "docs/page.md:1 names the npm script gone: packages/cli has none of that name",
  ],
  [
    "a missing script in a block",
    `${fence}sh\nnpm run gone\n${fence}`,
    "docs/page.md:2 names the npm script gone: the root has none of that name",
  ],
])("%s is a problem", (_, page, problem) => {
  expect(problemsOf(page)).toEqual([problem]);
});

test("a page without a link from the index is a problem, a decision is not", () => {
  expect(problemsOf("", { "docs/lost.md": "", "docs/decisions/0001-x.md": "" })).toEqual([
    "docs/README.md has no link to docs/lost.md",
  ]);
});

test("AGENTS.md is there and short", () => {
  expect(problemsOf("", { "AGENTS.md": "line\n".repeat(150) })).toEqual([]);
  expect(problemsOf("", { "AGENTS.md": "line\n".repeat(151) })).toEqual([
    "AGENTS.md has 151 lines; 150 are allowed",
  ]);
});

const example =
  'import { one } from "./one.ts";\n\nfunction main() {\n  // #region use\n  const two = one + 1;\n\n  if (two) {\n    two;\n  }\n  // #endregion\n}\n';
const snippet = (body: string): string =>
  `# Page\n<!-- snippet: examples/use.ts#use -->\n${fence}ts\n${body}\n${fence}\nend\n`;
const current = "const two = one + 1;\n\nif (two) {\n  two;\n}";

test("a snippet equal to its source is no problem", () => {
  expect(problemsOf(snippet(current), { "examples/use.ts": example })).toEqual([]);
});

test("a snippet comment without a block is a problem", () => {
  const page = "# Page\n<!-- snippet: examples/use.ts#use -->\n\nend\n";
  expect(problemsOf(page, { "examples/use.ts": example })).toEqual([
    "docs/page.md: no block follows <!-- snippet: examples/use.ts#use -->",
  ]);
});

test("a snippet that differs from its source is a problem, and is written anew", () => {
  const files = { "docs/page.md": snippet("const two = 3;"), "examples/use.ts": example };
  expect(problemsOf(files["docs/page.md"], files)).toEqual([
    "docs/page.md: a snippet is out of date; npm run docs:sync writes it",
  ]);
  expect(withSnippets(fixture(files), "docs/page.md")).toEqual({
    text: snippet(current),
    problems: [],
    unsourced: [],
  });
});

test("a block of TypeScript without a source is a problem, but for decisions", () => {
  const page = `${fence}ts\nconst two = 3;\n${fence}\n`;
  expect(problemsOf(page, { "docs/decisions/0001-x.md": page })).toEqual([
    "docs/page.md:1: a ts block without a snippet comment before it",
  ]);
});

test("a snippet may be a whole file", () => {
  const page = `<!-- snippet: examples/use.ts -->\n${fence}ts\n${example}${fence}\n`;
  expect(problemsOf(page, { "examples/use.ts": example })).toEqual([]);
  expect(problemsOf(page, { "examples/use.ts": `${example}// more\n` })).toHaveLength(1);
});

test.each([
  ["no such file", {}],
  ["no such region", { "examples/use.ts": example.replace("region use", "region other") }],
])("a snippet with %s is a problem", (_, files) => {
  expect(problemsOf(snippet(current), files)).toEqual([
    "docs/page.md: the snippet examples/use.ts#use has no source",
  ]);
});
