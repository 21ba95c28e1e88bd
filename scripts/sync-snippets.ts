import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pagesOf } from "./check-docs.ts";
import { read, repositoryRoot } from "./lib/files.ts";
import { withSnippets } from "./lib/snippets.ts";

for (const page of pagesOf(repositoryRoot)) {
  const { text, problems } = withSnippets(repositoryRoot, page);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  if (text === read(repositoryRoot, page)) continue;
  writeFileSync(join(repositoryRoot, page), text);
  console.log(`wrote the snippets of ${page}`);
}
