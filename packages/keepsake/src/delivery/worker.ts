import { spread } from "./backoff.ts";
import { type Bell, startTimer } from "./bell.ts";
import { type Crew, createCrew, type Run, within } from "./crew.ts";
import { isClosed, type JobConfig, type JobEnd } from "./job.ts";
import { elapsedMs } from "./lease-keeper.ts";

/** A limit of time for what would else wait as long as it takes. */
export interface Deadline {
  /** After so many milliseconds the signals of running hooks are aborted; they have one second more. Default: no limit. */
  readonly deadlineMs?: number | undefined;
}

/** What a drain has done. */
export interface DrainResult {
  /** Deliveries that were taken by the hook. */
  readonly delivered: number;
  /** Attempts that failed; their deliveries are retried later, or dead. */
  readonly failed: number;
  /** Deliveries that still wait, back off or run: here or elsewhere. */
  readonly remaining: number;
}

/** Works off the deliveries of one hook. */
export interface Worker {
  start(): void;
  stop(limit?: Deadline): Promise<void>;
  drain(limit?: Deadline): Promise<DrainResult>;
  idle(): Promise<void>;
}

/** How often a worker looks for work that nobody has announced: what other processes enqueued, due retries, expired leases. */
const pollMs = 1_000;

/** The longest pause of a worker whose outbox is down. */
const longestOutageMs = 30_000;

type WorkerConfig = JobConfig & { readonly concurrency: number };

/** Makes the one worker of a hook, over any outbox. Nothing runs until it is started or drained. */
export function createWorker(config: WorkerConfig): Worker {
  const { outbox, hook } = config;
  const crew = createCrew(config);
  /** The loop, while it is started. */
  let current: Promise<void> | undefined;
  /** Stops so far: what was begun before ends with the next one. */
  let stops = 0;

  function newRun(): Run {
    const before = stops;
    return { isStopped: () => stops > before };
  }

  return {
    start() {
      if (current !== undefined) return;
      const unlisten = outbox.onWork?.(hook, crew.ring);
      current = crew.withBell((bell) => loop(config, crew, newRun(), bell)).finally(unlisten);
    },
    async stop({ deadlineMs = Number.POSITIVE_INFINITY } = {}) {
      const loopEnded = current;
      const begun = elapsedMs();
      stops += 1;
      current = undefined;
      crew.ring();
      await within(Promise.all([loopEnded, crew.quiet()]), deadlineMs);
      await crew.settle(undefined, Math.max(0, deadlineMs - (elapsedMs() - begun)));
    },
    drain: ({ deadlineMs = Number.POSITIVE_INFINITY } = {}) =>
      crew.withBell((bell) => drain(config, crew, newRun(), bell, deadlineMs)),
    async idle() {
      if (current === undefined)
        config.warn(`durable hook "${hook}" was not started here: idle() waits for others.`);
      await crew.withBell((bell) => idle(config, crew, bell));
    },
  };
}

async function loop({ hook, warn }: WorkerConfig, crew: Crew, run: Run, bell: Bell): Promise<void> {
  const wakeForRetry = (end: JobEnd): void => {
    if (end.type === "failed" && end.retryInMs < pollMs) startTimer(crew.ring, end.retryInMs, false);
  };
  for (let outages = 0; !run.isStopped(); ) {
    let pauseMs = spread(pollMs);
    try {
      await crew.round(run, wakeForRetry);
      if (outages > 0) warn(`durable hook "${hook}": its outbox is back.`);
      outages = 0;
    } catch (error) {
      if (isClosed(error)) return warn(`durable hook "${hook}" works no more: its outbox was closed.`);
      if (outages === 0) warn(`durable hook "${hook}": its outbox fails.`, error);
      pauseMs = spread(Math.min(longestOutageMs, 250 * 2 ** outages));
      outages += 1;
    }
    await bell.wait(pauseMs, false);
  }
}

async function drain(
  { outbox, hook }: WorkerConfig,
  crew: Crew,
  run: Run,
  bell: Bell,
  deadlineMs: number,
): Promise<DrainResult> {
  const begun = elapsedMs();
  const leftMs = (): number => Math.max(0, deadlineMs - (elapsedMs() - begun));
  const ends: JobEnd[] = [];
  try {
    while (leftMs() > 0 && !run.isStopped()) {
      const leased = await crew.round(run, (end) => void ends.push(end));
      if (leased === 0 && crew.jobs().length === 0) break;
      await bell.wait(leftMs(), true);
    }
  } finally {
    await crew.settle(run, leftMs());
  }
  const delivered = ends.filter(({ type }) => type === "delivered").length;
  return { delivered, failed: ends.length - delivered, remaining: await unfinished(outbox, hook) };
}

async function idle({ outbox, hook }: WorkerConfig, crew: Crew, bell: Bell): Promise<void> {
  for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, pollMs)) {
    try {
      if ((await unfinished(outbox, hook)) === 0 && crew.jobs().length === 0) return;
    } catch (error) {
      if (isClosed(error)) throw error;
    }
    await bell.wait(pauseMs, true);
  }
}

async function unfinished(outbox: WorkerConfig["outbox"], hook: string): Promise<number> {
  const { pending, leased, retrying } = await outbox.stats(hook);
  return pending + leased + retrying;
}
