import { expect, it } from "vitest";
import { recordOf } from "../../src/message/index.ts";

/** What a test says of a message; what it does not say is as it is for a message that says nothing. */
export interface Expected {
  readonly role: string;
  readonly id?: string;
  readonly text?: string;
  readonly name?: string;
  readonly calls?: readonly string[];
  readonly results?: readonly string[];
  readonly bound?: readonly string[];
  readonly startsTurn?: boolean;
  /** Where they are more than `calls` and `results`. */
  readonly asks?: readonly string[];
  readonly answers?: readonly string[];
  readonly nature?: object;
  readonly blank?: boolean;
  readonly thought?: string;
  /** Names and arguments of the calls that a model reads. */
  readonly made?: readonly (readonly [name: string, input: unknown])[];
}

export type Row = readonly [name: string, message: unknown, expected: Expected];

/** Holds every message of a table to all that its reading says. */
export function itReads(rows: readonly Row[]): void {
  it.each(rows)("%s", (_, message, expected) => {
    expect(readingOf(message)).toEqual({
      id: undefined,
      text: "",
      name: undefined,
      calls: [],
      results: [],
      bound: [],
      startsTurn: false,
      asks: expected.calls ?? [],
      answers: expected.results ?? [],
      nature: {},
      blank: false,
      thought: "",
      made: [],
      ...expected,
    });
  });
}

function readingOf(message: unknown): object {
  const record = recordOf(message);
  if (record === undefined) throw new Error("the message cannot be read");
  const { view, asks, answers, nature, blank, parts, calls } = record;
  const thought = parts.map((part) => part.thought ?? "").join("");
  return {
    ...view,
    asks,
    answers,
    nature,
    blank,
    thought,
    made: calls.map(({ name, input }) => [name, input]),
  };
}
