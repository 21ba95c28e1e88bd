import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Figures, Recall } from "./metric.ts";

/** A run and where it was made. */
export interface Report extends Figures {
  readonly bench: "locomo";
  readonly database: string;
  readonly data: {
    readonly conversations: number;
    readonly turns: number;
    readonly unresolvedQuestions: number;
  };
  readonly replaySeconds: number;
  readonly machine: string;
  readonly commit: string;
}

/** Names the machine: processor, cores, Node. */
export function machine(): string {
  const processors = cpus();
  return `${processors[0]?.model.trim() ?? "unknown processor"}, ${processors.length} cores, Node ${process.version}`;
}

/** The commit of the working tree; `+` where it has changes. */
export function commit(): string {
  try {
    const git = (...words: string[]): string => execFileSync("git", words, { encoding: "utf8" }).trim();
    return (
      git("rev-parse", "--short", "HEAD") +
      (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+")
    );
  } catch {
    return "unknown";
  }
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
  const rows = Object.entries(report.categories).map(([category, recall]) =>
    row(`${category} ${categoryNames[category] ?? ""}`.trim(), recall),
  );
  return `# LoCoMo: evidence turns found

Every conversation through the whole pipeline (reducer, hand-over, \`rememberVerbatim\`, ${report.database} store), then every question in
that conversation's namespace. No model, no embedder. One result is one turn. Recall in per cent: mean fraction of the evidence turns among
the first 5, 10 and 20 results, and questions with any of them among the first 10.

| category | questions | @5 | @10 | @20 | any @10 |
|---|---|---|---|---|---|
${[...rows, row("**all**", report.overall)].join("\n")}

| | |
|---|---|
| characters a result (value as JSON) | mean ${report.charactersPerResult.mean.toFixed(0)}, max ${report.charactersPerResult.max} |
| search | p50 ${report.searchMs.p50.toFixed(1)} ms, p95 ${report.searchMs.p95.toFixed(1)} ms |
| replay | ${report.replaySeconds.toFixed(1)} s for ${turns} turns of ${conversations} conversations, each delivered once and stored once |
| questions left out | ${unresolvedQuestions}, whose evidence is no turn |
| machine | ${report.machine} |
| commit | ${report.commit} |
`;
}

function row(name: string, { questions, at5, at10, at20, anyAt10 }: Recall): string {
  const figures = [at5, at10, at20, anyAt10].map((figure) => figure.toFixed(1));
  return `| ${[name, questions, ...figures].join(" | ")} |`;
}

/** Writes `locomo.json` and `locomo.md`. */
export function save(report: Report, directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "locomo.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(join(directory, "locomo.md"), markdown(report));
}
