import type { Subject } from "./subjects.ts";

export interface Effort {
  /** Rounds: in each, every subject is timed once, one after another. */
  readonly rounds: number;
  /** A sample repeats the turn until it takes about this long. */
  readonly sampleMs: number;
}

const WARM_UP_MS = 500;

/** The median CPU time of one turn in milliseconds, per subject, in the order given. */
export async function medianTurnMs(
  subjects: readonly Subject[],
  { rounds, sampleMs }: Effort,
): Promise<number[]> {
  const turns: number[] = [];
  for (const subject of subjects) turns.push(await calibrate(subject, sampleMs));
  const samples: number[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) {
      samples[index]?.push(await sample(subject, turns[index] ?? 1));
    }
  }
  return samples.map(median);
}

/** Warms the subject up, until the compiler has settled, and tells how many turns a sample needs. */
async function calibrate(subject: Subject, sampleMs: number): Promise<number> {
  let turnMs = await sample(subject, 1);
  for (let spentMs = turnMs; spentMs < WARM_UP_MS; ) {
    const turns = Math.max(1, Math.ceil(sampleMs / turnMs));
    turnMs = await sample(subject, turns);
    spentMs += turns * turnMs;
  }
  return Math.max(1, Math.ceil(sampleMs / turnMs));
}

/** CPU time of the process, garbage collection included: what else runs on the machine does not count. */
async function sample(subject: Subject, turns: number): Promise<number> {
  subject.prepare(turns);
  const before = process.cpuUsage();
  for (let index = 0; index < turns; index++) await subject.turn(index);
  const { user, system } = process.cpuUsage(before);
  return Math.max(user + system, 1) / 1000 / turns;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
