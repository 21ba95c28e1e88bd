import { MemoryEngine } from "keepsake/memory";
import type { Store } from "keepsake/store";
import { type Spent, spent } from "../store/stopwatch.ts";
import { createTexts } from "./facts.ts";

/** What one way to write the same facts took. */
export interface Figures {
  /** `put` of each record, one after another. */
  readonly puts: Spent;
  /** The engine without consolidation: plan, duplicates, provenance, writes. */
  readonly writes: Spent;
  /** The engine with consolidation: each fact is searched for as well. */
  readonly whole: Spent;
}

/** How much is there, and how much is added. */
export interface Size {
  readonly held: number;
  readonly added: number;
}

/**
 * Adds facts to namespaces that hold the same number of others. The model is a function that answers at once; the extractor's result is
 * ready beforehand, so that nothing but the engine and the store is measured.
 */
export async function measure(store: Store, { held, added }: Size, round: number): Promise<Figures> {
  const texts = createTexts();
  const facts = Array.from({ length: added }, () => texts());
  const others = Array.from({ length: held }, () => texts());
  const extractor = (): string[] => facts;
  const consolidator = (): [] => [];
  const plain = new MemoryEngine({ store, extractor, consolidator, config: { consolidationThreshold: 1 } });
  const engine = new MemoryEngine({ store, extractor, consolidator });

  const inNamespace = async (
    name: string,
    work: (namespace: string[]) => Promise<unknown>,
  ): Promise<Spent> => {
    const namespace = ["bench", name, String(round)];
    await fill(store, namespace, others);
    const time = await spent(() => work(namespace));
    if ((await store.count(namespace)) !== held + added)
      throw new Error(`${name}: not every fact was stored`);
    await store.deleteAll(namespace);
    return time;
  };

  const deliveryId = `round ${round}`;
  const writes = await inNamespace("writes", (namespace) => plain.remember("x", namespace, { deliveryId }));
  const whole = await inNamespace("whole", (namespace) => engine.remember("x", namespace, { deliveryId }));
  const puts = await inNamespace("puts", async (namespace) => {
    for (const [index, content] of facts.entries())
      await store.put(namespace, `fact-${index}`, { kind: "memory", content }, ["content", "name", "date"]);
  });
  return { puts, writes, whole };
}

async function fill(store: Store, namespace: readonly string[], texts: readonly string[]): Promise<void> {
  for (let start = 0; start < texts.length; start += 500) {
    await store.batch(
      texts.slice(start, start + 500).map((content, index) => ({
        namespace: [...namespace],
        key: `held-${start + index}`,
        value: { kind: "memory", content },
        index: ["content", "name", "date"],
      })),
    );
  }
}
