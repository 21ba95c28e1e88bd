/** `npm run bench:tokens [-- --data <locomo.json>]`: what it measures is told in bench/README.md. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { commit, machine } from "../measured-on.ts";
import { measure } from "./measure.ts";
import { markdown, type Report, targetsOf } from "./report.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    out: { type: "string", default: join(import.meta.dirname, "../results") },
  },
});
const rows = measure(
  (text) => countTokens(text, { disallowedSpecial: new Set() }),
  values.data,
  (name) => process.stderr.write(`${name}\n`),
);
const manifest = createRequire(import.meta.url).resolve("gpt-tokenizer/package.json");
const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
const report: Report = {
  bench: "tokens",
  tokenizer: `gpt-tokenizer ${version}, o200k_base`,
  rows,
  targets: targetsOf(rows),
  machine: machine(),
  commit: commit("bench/tokens"),
  date: new Date().toISOString().slice(0, 10),
};
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, "tokens.json"), `${JSON.stringify(report, undefined, 2)}\n`);
writeFileSync(join(values.out, "tokens.md"), markdown(report));
console.log(markdown(report));
