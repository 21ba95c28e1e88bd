import type { ContractRow, ContractSubject } from "../../src/testing/index.ts";

/** What became of a row: `pass`, `fail: why`, or `absent: what is missing`. */
export type Outcomes = Record<string, string>;

/** Runs the rows one after the other and notes what becomes of each. */
export async function recordContract<Context>(
  rows: readonly ContractRow<Context>[],
  subject: ContractSubject<Context>,
  whyAbsent: (id: string) => string | undefined = () => undefined,
): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const row of rows) outcomes[row.id] = await outcomeOf(row, subject, whyAbsent(row.id));
  return outcomes;
}

async function outcomeOf<Context>(
  { needs, run }: ContractRow<Context>,
  subject: ContractSubject<Context>,
  absent: string | undefined,
): Promise<string> {
  if (absent !== undefined) return `absent: ${absent}`;
  if (needs !== undefined && subject.capabilities[needs] !== true) return `absent: ${needs}`;
  const context = await subject.setUp();
  try {
    await run(context);
    return "pass";
  } catch (error) {
    return `fail: ${firstLines(error)}`;
  } finally {
    await subject.tearDown?.(context);
  }
}

/** The same in every run, and short. */
function firstLines(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replaceAll(/\s+/g, " ")
    .replaceAll(/lg_[a-z0-9]+/g, "schema")
    .slice(0, 160);
}
