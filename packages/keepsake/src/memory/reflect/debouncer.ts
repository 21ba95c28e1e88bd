import type { Awaitable } from "../../util/index.ts";

/** What waits for a moment; a test can do without time. */
export interface ReflectionTimers {
  set(run: () => void, delayMs: number): unknown;
  clear(timer: unknown): void;
}

/** A payload on its way. */
export interface Submission<Result> {
  /**
   * The reflector's result, shared by all payloads that were merged; undefined where the payload was cancelled. Rejects where the
   * reflector fails, which is warned about as well: it may be left alone.
   */
  readonly done: Promise<Result | undefined>;
  /** Takes the payload back: it is not reflected upon. False where the work has begun. */
  cancel(): boolean;
}

/** How work is done. */
export interface DebouncerConfig<Entry, Result> {
  /** Called with the entries of one line that came together. */
  run(entries: readonly Entry[]): Awaitable<Result>;
  /** Lines that are worked on at once. */
  readonly concurrency: number;
  readonly timers: ReflectionTimers;
  onFailure(error: unknown): void;
  /** After every change of `pending`. */
  onChange(pending: number): void;
}

/** Work in lines: entries of one line wait until it has been quiet, and are worked on together; one line at a time by one worker. */
export interface Debouncer<Entry, Result> {
  add(line: string, entry: Entry, delayMs: number): Submission<Result>;
  pending(): number;
  /** Works off what waits, whatever its delay, and what comes meanwhile. */
  flush(): Promise<void>;
  /** Cancels what has not begun. */
  discard(): void;
}

interface Slot<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Job<Entry, Result> {
  readonly line: string;
  readonly slots: Set<Slot<Entry, Result>>;
  timer: unknown;
  hasBegun: boolean;
}

/** Makes a {@link Debouncer}. */
export function createDebouncer<Entry, Result>(
  config: DebouncerConfig<Entry, Result>,
): Debouncer<Entry, Result> {
  const { concurrency, timers, onChange } = config;
  /** By line; their timers run. */
  const waiting = new Map<string, Job<Entry, Result>>();
  /** Their turn has come, and their line or the workers are busy. */
  const ready = new Set<Job<Entry, Result>>();
  const running = new Map<string, Promise<void>>();
  const pending = (): number => waiting.size + ready.size + running.size;

  function becomeReady(job: Job<Entry, Result>): void {
    timers.clear(job.timer);
    waiting.delete(job.line);
    ready.add(job);
    startReady();
  }

  function startReady(): void {
    for (const job of ready) {
      if (running.size >= concurrency) return;
      if (!running.has(job.line)) start(job);
    }
  }

  function start(job: Job<Entry, Result>): void {
    ready.delete(job);
    job.hasBegun = true;
    const finished = work(job, config).then(() => {
      running.delete(job.line);
      startReady();
      onChange(pending());
    });
    running.set(job.line, finished);
  }

  function cancel(job: Job<Entry, Result>, slot: Slot<Entry, Result>): boolean {
    if (job.hasBegun) return false;
    job.slots.delete(slot);
    slot.resolve(undefined);
    if (job.slots.size === 0) {
      timers.clear(job.timer);
      ready.delete(job);
      if (waiting.get(job.line) === job) waiting.delete(job.line);
      onChange(pending());
    }
    return true;
  }

  return {
    add(line, entry, delayMs) {
      const job = waiting.get(line) ?? { line, slots: new Set(), timer: undefined, hasBegun: false };
      if (waiting.has(line)) timers.clear(job.timer);
      waiting.set(line, job);
      let slot: Slot<Entry, Result> | undefined;
      const done = new Promise<Result | undefined>((resolve, reject) => {
        slot = { entry, resolve, reject };
        job.slots.add(slot);
      });
      done.catch(() => {}); // A failure is told of; nobody has to wait for it.
      job.timer = timers.set(() => becomeReady(job), delayMs);
      onChange(pending());
      return { done, cancel: () => slot !== undefined && cancel(job, slot) };
    },
    pending,
    async flush() {
      while (pending() > 0) {
        for (const job of [...waiting.values()]) becomeReady(job);
        await Promise.all(running.values());
      }
    },
    discard() {
      for (const job of [...waiting.values(), ...ready]) for (const slot of [...job.slots]) cancel(job, slot);
    },
  };
}

/** Never rejects. */
async function work<Entry, Result>(
  { slots }: Job<Entry, Result>,
  { run, onFailure }: DebouncerConfig<Entry, Result>,
): Promise<void> {
  await undefined; // The caller goes on first, also where the work is synchronous.
  try {
    const result = await run([...slots].map(({ entry }) => entry));
    for (const slot of slots) slot.resolve(result);
  } catch (error) {
    for (const slot of slots) slot.reject(error);
    onFailure(error);
  }
}
