// npm run check:repo: the checks of our own, all of them or those named.
import { checkDocs } from "./check-docs.ts";
import { checkErrors } from "./check-errors.ts";
import { checkHygiene } from "./check-hygiene.ts";
import { checkImports } from "./check-imports.ts";
import { checkRootEntry } from "./check-root-entry.ts";
import { checkSurface } from "./check-surface.ts";
import type { Check } from "./lib/check.ts";
import { repositoryRoot } from "./lib/files.ts";

const checks: Readonly<Record<string, Check>> = {
  imports: checkImports,
  "root-entry": checkRootEntry,
  surface: checkSurface,
  errors: checkErrors,
  docs: checkDocs,
  hygiene: checkHygiene,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(checks);

for (const name of names) {
  const check = checks[name];
  if (check === undefined) {
    console.error(`no check is called ${name}; there are: ${Object.keys(checks).join(", ")}`);
    process.exit(2);
  }
  const { problems, note } = await check(repositoryRoot);
  console.log(
    `${problems.length === 0 ? "ok    " : "FAILED"} ${name}${note === undefined ? "" : ` (${note})`}`,
  );
  for (const problem of problems) console.log(`       ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
