import type { ContractRow, ContractSubject } from "../../src/testing/index.ts";

/** What became of a row: `pass`, `fail: why`, or `absent: what is missing`. */
export type Outcomes = Record<string, string>;

/** Longer than any row takes on a busy machine. */
const rowLimitMs = 300_000;

/**
 * Runs the rows one after the other and notes what becomes of each. Rejects where a row, or what tidies up after it, waits for something that
 * does not come (a lock, a connection, a process): nobody else would end it.
 */
export async function recordContract<Context>(
  rows: readonly ContractRow<Context>[],
  subject: ContractSubject<Context>,
  whyAbsent: (id: string) => string | undefined = () => undefined,
  limitMs: number = rowLimitMs,
): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const row of rows) {
    outcomes[row.id] = await within(limitMs, row.id, outcomeOf(row, subject, whyAbsent(row.id)));
  }
  return outcomes;
}

async function within<T>(limitMs: number, id: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${id} has not ended within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
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
