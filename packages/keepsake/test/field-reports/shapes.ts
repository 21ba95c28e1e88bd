import { expect } from "vitest";
import { MessageReducer } from "../../src/index.ts";
import { parseNotation } from "../reducer-invariants/draft.ts";
import type { Format } from "../reducer-invariants/formats.ts";
import { judge } from "../reducer-invariants/judge.ts";
import type { Limits } from "../reducer-invariants/limits.ts";
import {
  type Case,
  configOf,
  outcomeOf,
  type ReducerConfig,
  writeCase,
} from "../reducer-invariants/run-reducer.ts";

/** The shapes in which every report is tried. */
export const SHAPES: readonly Format[] = [
  "plain",
  "openai",
  "langchain",
  "langchain-dict",
  "langchain-json",
  "getters",
];

/** What a report's history is reduced with: the defaults of the library where nothing is said. */
export type Settings = Partial<Limits>;

function limitsOf(settings: Settings): Limits {
  const maxMessages = settings.maxMessages === undefined ? 20 : settings.maxMessages;
  return {
    maxMessages,
    minMessages: Math.min(10, maxMessages ?? 10),
    maxTokens: undefined,
    targetTokens: undefined,
    preserveFirst: true,
    boundary: "turn",
    repair: true,
    pin: true,
    injectSummary: false,
    ...settings,
  };
}

/** A history in the notation of the field reports, written in one shape. */
function writeReport(notation: string, shape: Format, settings: Settings = {}): Case {
  return writeCase(parseNotation(notation), shape, limitsOf(settings));
}

/** What one reduce makes of a report's history; the oracle finds nothing wrong with it. */
export interface Reduced {
  /** The indexes that are still in the window. */
  readonly stays: readonly number[];
  readonly overBudget: boolean;
}

export async function reduceReport(
  notation: string,
  shape: Format,
  settings: Settings = {},
  more: Partial<ReducerConfig> = {},
): Promise<Reduced> {
  const one = writeReport(notation, shape, settings);
  const reducer = new MessageReducer<unknown, unknown>(configOf(one, more));
  const outcome = outcomeOf(one, await reducer.reduce({ existing: [...one.written.messages] }));
  if (typeof outcome === "string") throw new Error(outcome);
  expect(judge(one.drafts, outcome, one.limits)).toEqual([]);
  return { stays: outcome.survived, overBudget: outcome.overBudget };
}

/** The words of a notation at these indexes, for expectations that read like the reports. */
export function wordsAt(notation: string, indexes: readonly number[]): string {
  const words = notation.split(/\s+/).filter(Boolean);
  return indexes.map((index) => words[index]).join(" ");
}
