import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../measured-on.ts";
import type { Figures, Recall } from "./metric.ts";

/** A run and where it was made. */
export interface Report extends Figures {
  readonly bench: "locomo" | "locomo-hybrid";
  readonly database: string;
  /** The same store, asked by words alone; where the run is a hybrid one. */
  readonly byWords: Figures | undefined;
  readonly data: {
    readonly conversations: number;
    readonly turns: number;
    readonly unresolvedQuestions: number;
  };
  readonly replaySeconds: number;
  readonly machine: Machine;
  readonly commit: string;
  readonly date: string;
}

const categoryNames: Readonly<Record<string, string>> = {
  1: "multi-hop",
  2: "temporal",
  3: "open-domain",
  4: "single-hop",
  5: "adversarial",
};

/** The report as a page. */
export function markdown(report: Report): string {
  const { conversations, turns, unresolvedQuestions } = report.data;
  const { cpu, cores, memoryGb, node, platform } = report.machine;
  const rows = Object.entries(report.categories).map(([category, recall]) =>
    row(`${category} ${categoryNames[category] ?? ""}`.trim(), recall),
  );
  return `# LoCoMo: evidence turns found

${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, ${platform}; commit ${report.commit}; ${report.date}.

Every conversation through the whole pipeline (reducer, hand-over, \`rememberVerbatim\`, ${report.database} store), then every question in
that conversation's namespace. ${report.byWords === undefined ? "No model, no embedder." : "Words and vectors of Universal Sentence Encoder lite (512 numbers, offline)."} One result is one turn. Recall in per cent: mean fraction of the evidence turns among
the first 5, 10 and 20 results, and questions with any of them among the first 10.

| category | questions | @5 | @10 | @20 | any @10 |
|---|---|---|---|---|---|
${[...rows, row("**all**", report.overall)].join("\n")}
${comparison(report)}
| | |
|---|---|
| characters a result (value as JSON) | mean ${report.charactersPerResult.mean.toFixed(0)}, max ${report.charactersPerResult.max} |
| search | p50 ${report.searchMs.p50.toFixed(1)} ms, p95 ${report.searchMs.p95.toFixed(1)} ms |
| replay | ${report.replaySeconds.toFixed(1)} s for ${turns} turns of ${conversations} conversations, each delivered once and stored once |
| questions left out | ${unresolvedQuestions}, whose evidence is no turn |
`;
}

/** How far the hybrid run is from words alone. */
function comparison({ byWords, overall, categories }: Report): string {
  if (byWords === undefined) return "";
  const line = (name: string, hybrid: Recall, words: Recall | undefined): string =>
    `| ${name} | ${(words?.at10 ?? 0).toFixed(1)} | ${hybrid.at10.toFixed(1)} | ${(hybrid.at10 - (words?.at10 ?? 0)).toFixed(1)} |`;
  const rows = Object.entries(categories).map(([category, recall]) =>
    line(`${category} ${categoryNames[category] ?? ""}`.trim(), recall, byWords.categories[category]),
  );
  return `
| @10 | words alone | hybrid | difference |
|---|---|---|---|
${[...rows, line("**all**", overall, byWords.overall)].join("\n")}
`;
}

function row(name: string, { questions, at5, at10, at20, anyAt10 }: Recall): string {
  const figures = [at5, at10, at20, anyAt10].map((figure) => figure.toFixed(1));
  return `| ${[name, questions, ...figures].join(" | ")} |`;
}

/** Writes a JSON file and a page, named like the bench. */
export function save(report: Report, directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${report.bench}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(join(directory, `${report.bench}.md`), markdown(report));
}
