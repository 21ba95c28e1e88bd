import { performance } from "node:perf_hooks";

/** Milliseconds, of the clock and of this process's processor time. */
export interface Spent {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Of many runs. Processor time does not count what else the machine does, and is what is compared. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

/** How long the work takes. */
export async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}

/** Runs the subjects in turn, each once per round, so that what disturbs one disturbs all. The first rounds do not count. */
export async function interleaved<Name extends string>(
  subjects: Readonly<Record<Name, (round: number) => Promise<unknown>>>,
  rounds: number,
  warmUp = 5,
): Promise<Record<Name, { readonly wall: Spread; readonly cpu: Spread }>> {
  const entries = Object.entries(subjects) as [Name, (round: number) => Promise<unknown>][];
  const times = new Map<Name, Spent[]>(entries.map(([name]) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, run] of entries) {
      const time = await spent(() => run(round + warmUp));
      if (round >= 0) times.get(name)?.push(time);
    }
  }
  const results = entries.map(([name]) => {
    const all = times.get(name) ?? [];
    return [
      name,
      { wall: spread(all.map((time) => time.wallMs)), cpu: spread(all.map((time) => time.cpuMs)) },
    ];
  });
  return Object.fromEntries(results);
}

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
