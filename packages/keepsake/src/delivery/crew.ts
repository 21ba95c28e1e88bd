import { KeepsakeError } from "../errors/index.ts";
import { type Bell, createBell, startTimer } from "./bell.ts";
import { type Job, type JobConfig, type JobEnd, startJob } from "./job.ts";
import { elapsedMs } from "./lease-keeper.ts";

/** What takes up deliveries: a worker between its start and its stop, or a drain. */
export interface Run {
  isStopped(): boolean;
}

/** The jobs that run of one hook, whoever began them: at most `concurrency` at once. */
export interface Crew {
  /** Leases what there is room for, and begins it. Rounds follow each other, so that the room is there. Resolves to how many were leased. */
  round(run: Run, onEnd: (end: JobEnd) => void): Promise<number>;
  /** The jobs that a run has begun, or all. */
  jobs(of?: Run): Job[];
  /** Resolves when no round is on its way. */
  quiet(): Promise<unknown>;
  /** Gives a bell that rings when a job has ended, and whenever there may be work. */
  withBell<T>(use: (bell: Bell) => Promise<T>): Promise<T>;
  ring(): void;
  /** Awaits jobs; past the deadline aborts their hooks, and lets go of those that have not ended a second later. */
  settle(of: Run | undefined, deadlineMs: number): Promise<void>;
}

/** What hooks that were aborted have left to end. */
const graceMs = 1_000;

/** A crew that does nothing yet. */
export function createCrew(config: JobConfig & { readonly concurrency: number }): Crew {
  const { outbox, hook, concurrency, leaseMs } = config;
  const running = new Map<Job, Run>();
  const bells = new Set<Bell>();
  let lastRound: Promise<unknown> = Promise.resolve();

  function ring(): void {
    for (const bell of bells) bell.ring();
  }

  function track(job: Job, run: Run, onEnd: (end: JobEnd) => void): void {
    running.set(job, run);
    void job.ended.then((end) => {
      running.delete(job);
      onEnd(end);
      // Another of the namespace may be due now, and there is room.
      ring();
    });
  }

  function jobs(of?: Run): Job[] {
    return [...running.keys()].filter((job) => of === undefined || running.get(job) === of);
  }

  async function allEnded(of: Run | undefined): Promise<void> {
    while (jobs(of).length > 0) await Promise.all(jobs(of).map((job) => job.ended));
  }

  return {
    round(run, onEnd) {
      const leasing = lastRound.then(async () => {
        const limit = run.isStopped() ? 0 : concurrency - running.size;
        if (limit <= 0) return 0;
        const since = elapsedMs();
        const leased = await outbox.lease(hook, { limit, leaseMs });
        for (const one of leased) track(startJob(config, one, since), run, onEnd);
        return leased.length;
      });
      lastRound = leasing.catch(() => undefined);
      return leasing;
    },
    jobs,
    quiet: () => lastRound,
    async withBell(use) {
      const bell = createBell();
      bells.add(bell);
      try {
        return await use(bell);
      } finally {
        bells.delete(bell);
      }
    },
    ring,
    async settle(of, deadlineMs) {
      if (await within(allEnded(of), deadlineMs)) return;
      const problem = "The time of its worker is over: the delivery is run again.";
      for (const job of jobs(of)) job.abort(new KeepsakeError("hook_stopped", problem));
      await within(allEnded(of), graceMs);
      for (const job of jobs(of)) {
        job.letGo();
        running.delete(job);
      }
    },
  };
}

/** True where a promise has settled in time. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  if (ms === Number.POSITIVE_INFINITY) return promise.then(() => true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<false>((resolve) => {
    timer = startTimer(() => resolve(false), ms, true);
  });
  const isSettled = await Promise.race([promise.then(() => true), isOver]);
  clearTimeout(timer);
  return isSettled;
}
