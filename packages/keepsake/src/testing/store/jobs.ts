import type { Store } from "../../store/index.ts";

/** What a process of its own does with a store during a row: plain data, to be handed over as JSON. */
export type ContractJob =
  /** Puts `k0`, `k1`, … of `count` items, `batch` at a time; a step is a put or a batch. */
  | { readonly kind: "write"; readonly namespace: string[]; readonly count: number; readonly batch: number }
  /** Adds one to `{ n }` under the key, `count` times, by compare-and-set. */
  | {
      readonly kind: "increment";
      readonly namespace: string[];
      readonly key: string;
      readonly count: number;
    };

/** A process that carries out a {@link ContractJob}. */
export interface ContractProcess {
  /** Lets it begin: until then it has not opened the store. */
  go(): void;
  /** Resolves with the number of acknowledged steps, once there are as many or the process has ended. */
  steps(atLeast: number): Promise<number>;
  /** Ends it by SIGKILL, and resolves with the number of steps that it had acknowledged. */
  kill(): Promise<number>;
  /** Resolves when it has ended by itself; rejects where that was a failure. */
  done(): Promise<void>;
}

/**
 * Carries out a job: to be called by the process that a harness starts. `acknowledge` is called after each step and must have told the parent
 * process of it when it returns.
 */
export async function runContractJob(store: Store, job: ContractJob, acknowledge: () => void): Promise<void> {
  if (job.kind === "increment") {
    for (let step = 0; step < job.count; step += 1) {
      await increment(store, job.namespace, job.key);
      acknowledge();
    }
    return;
  }
  for (let start = 0; start < job.count; start += job.batch) {
    const length = Math.min(job.batch, job.count - start);
    const operations = Array.from({ length }, (_, index) => ({
      namespace: job.namespace,
      key: `k${start + index}`,
      value: { content: `tea word${start + index}`, n: start + index },
    }));
    const [first] = operations;
    if (job.batch > 1) await store.batch(operations);
    else if (first !== undefined) await store.put(first.namespace, first.key, first.value);
    acknowledge();
  }
}

/** Adds one to `{ n }`, again and again until no other came between reading and writing. */
export async function increment(store: Store, namespace: string[], key: string): Promise<void> {
  for (;;) {
    const item = await store.get(namespace, key);
    const n = Number(item?.value.n ?? 0) + 1;
    const version = await store.compareAndSet(namespace, key, item?.version ?? null, { n });
    if (version !== null) return;
  }
}
