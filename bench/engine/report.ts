import type { Machine } from "../measured-on.ts";
import type { Spent } from "../store/stopwatch.ts";
import type { Figures, Size } from "./measure.ts";

/** What a run has measured. */
export interface Report extends Size {
  readonly bench: "engine";
  readonly commit: string;
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  readonly stores: readonly { readonly name: string; readonly figures: Figures }[];
}

const target = 3;

/** The figures of the middle round, each by itself. */
export function median(rounds: readonly Figures[]): Figures {
  const middle = (read: (figures: Figures) => Spent): Spent => {
    const sorted = rounds.map(read).sort((left, right) => left.cpuMs - right.cpuMs);
    return sorted[Math.floor(sorted.length / 2)] ?? { wallMs: 0, cpuMs: 0 };
  };
  return {
    puts: middle(({ puts }) => puts),
    writes: middle(({ writes }) => writes),
    whole: middle(({ whole }) => whole),
  };
}

/** The page of a report. */
export function toMarkdown({ machine, commit, date, held, added, rounds, stores }: Report): string {
  const { cpu, cores, memoryGb, node, platform } = machine;
  const times = ({ cpuMs, wallMs }: Spent): string => `${Math.round(cpuMs)} / ${Math.round(wallMs)} ms`;
  const ratio = (part: Spent, puts: Spent): string => (part.cpuMs / puts.cpuMs).toFixed(2);
  const rows = stores.flatMap(({ name, figures: { puts, writes, whole } }) => [
    `| ${name} | \`put\`, one by one | ${times(puts)} | 1 |`,
    `| ${name} | remember, without consolidation | ${times(writes)} | ${ratio(writes, puts)} |`,
    `| ${name} | remember, each fact searched for | ${times(whole)} | ${ratio(whole, puts)} |`,
  ]);
  const verdict = (read: (figures: Figures) => Spent): string =>
    stores.every(({ figures }) => read(figures).cpuMs <= target * figures.puts.cpuMs) ? "met" : "missed";
  return `# Memory engine: writing

${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, ${platform}. Commit ${commit}; ${date}.

${added} facts into a namespace that holds ${held}; a model that answers at once; processor time / time by the clock, median of ${rounds} rounds.
Target: writes at most ${target} times plain \`put\` of the same records: ${verdict(({ writes }) => writes)} by the writes themselves,
${verdict(({ whole }) => whole)} with the searches for near memories before them.

| store | what | time | times \`put\` |
|---|---|---|---|
${rows.join("\n")}
`;
}
