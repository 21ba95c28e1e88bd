import type { Machine } from "../measured-on.ts";
import type { Figures, Setting } from "./measure.ts";

/** All figures of a run. */
export interface Report {
  readonly bench: "checkpoints";
  readonly machine: Machine;
  readonly commit: string;
  readonly date: string;
  readonly turns: number;
  readonly results: readonly (Figures & Omit<Setting, "turns"> & { readonly saver: string })[];
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

/** The page of a report. */
export function toMarkdown({ machine, commit, date, turns, results }: Report): string {
  const rows = results.map(
    ({ saver, durability, dress, newestWhenFull, newest, total, perTurnEarly, perTurnLate, handedOver }) =>
      `| ${[
        saver,
        durability,
        dress === "bare" ? "bare" : "`ReducingSaver`",
        ...[newestWhenFull, newest, perTurnEarly, perTurnLate, total].map(kilobytes),
        handedOver,
      ].join(" | ")} |`,
  );
  return [
    "# Checkpoints: how large a thread gets",
    "",
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, ${machine.platform}. Commit ${commit}; ${date}.`,
    "",
    `${turns} turns of a question and an answer of 90 characters each; the window is 20 messages, cut to 10. Sizes in kB. The newest state is what the next run`,
    "loads: the checkpoint, in Postgres its messages.",
    "",
    `| saver | durability | | newest, turn 10 | newest, turn ${turns} | stored per turn, 11 to 20 | per turn, the last ten | stored in all | handed over |`,
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
