import { performance } from "node:perf_hooks";
import type { SearchOptions, Store } from "keepsake/store";
import { textSource } from "./texts.ts";

/** Milliseconds. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
}

/** What was measured of one store. */
export interface Figures {
  readonly batchedPutMs: number;
  readonly putMs: Times;
  readonly searches: readonly { readonly name: string; readonly times: Times }[];
}

const batchSize = 500;
const wordsPerItem = 25;
const smallNamespaces = 1000;
const itemsPerSmall = 20;
const repetitions = 100;

/** Fills a store with one namespace of `items` and a thousand small ones, then searches it. */
export async function measure(
  store: Store,
  items: number,
  progress: (text: string) => void,
): Promise<Figures> {
  const source = textSource();
  const big = ["bench", "big"];
  const value = (): Record<string, unknown> => ({ content: source.text(wordsPerItem) });
  progress(`${items} items in one namespace`);
  const start = performance.now();
  for (let done = 0; done < items; done += batchSize) {
    await store.batch(
      Array.from({ length: batchSize }, (_, n) => ({ namespace: big, key: `k${done + n}`, value: value() })),
    );
  }
  const batchedPutMs = (performance.now() - start) / items;
  progress(`${smallNamespaces} namespaces of ${itemsPerSmall} items`);
  for (let user = 0; user < smallNamespaces; user += 1) {
    const namespace = ["bench", "small", `u${user}`];
    await store.batch(
      Array.from({ length: itemsPerSmall }, (_, n) => ({ namespace, key: `k${n}`, value: value() })),
    );
  }
  const putMs = await timesOf((n) => store.put(["bench", "single"], `k${n}`, value()));
  const searched = async (name: string, prefix: string[], options: () => SearchOptions) => {
    progress(`searches: ${name}`);
    return { name, times: await timesOf(() => store.search(prefix, options())) };
  };
  const query = (): SearchOptions => ({ query: source.query() });
  return {
    batchedPutMs,
    putMs,
    searches: [
      await searched(`the namespace of ${items}`, big, query),
      await searched("the same, with a filter that most items pass", big, () => ({
        ...query(),
        filter: { content: { $gt: "kb" } },
      })),
      await searched("the same, with a filter that none passes", big, () => ({
        ...query(),
        filter: { content: "none" },
      })),
      await searched("one small namespace", ["bench", "small", "u7"], query),
      await searched(`a prefix over ${smallNamespaces} small namespaces`, ["bench", "small"], query),
      await searched("everything", [], query),
      await searched(`the newest of the namespace of ${items}`, big, () => ({})),
    ],
  };
}

async function timesOf(run: (n: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  for (let n = 0; n < repetitions; n += 1) {
    const start = performance.now();
    await run(n);
    times.push(performance.now() - start);
  }
  times.sort((left, right) => left - right);
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
