import { type Book, type Delivery, isHeld, openBook, openDeliveries, planDeliveries } from "./delivery.ts";
import { scopeRef } from "./namespace-ref.ts";
import { commitSync, offerAll } from "./offer.ts";
import type { Deliverer, DelivererConfig, DeliveryOutcome } from "./types.ts";

/** Scopes whose held deliveries `flush` offers at once. */
const flushConcurrency = 8;

/**
 * Makes the hand-over to hooks: each message once per hook, by identity; what a hook has not taken is held and offered again at
 * the next call of its namespace, whatever the thread.
 *
 * Concurrent `deliver` calls of one scope wait for each other only where they share messages that are not taken yet. `deliverSync` calls
 * of one scope keep their order: the hooks of the second are started when those of the first are through, and a `deliver` that comes
 * after them waits as well. So a hook must not await a `deliver` of its own namespace, nor `flush`.
 */
export function createDeliverer<M, N>(config: DelivererConfig<M, N>): Deliverer<M, N> {
  const book = openBook(config);

  return {
    async deliver(messages, scope, idAt) {
      const ref = scopeRef(scope);
      const { offers, concerned } = planDeliveries(book, messages, ref, idAt);
      const offered = run(book, offers, ref.key, false);
      await Promise.all([offered, ...concerned.map((delivery) => delivery.run?.ended)]);
      return outcomeOf(concerned);
    },
    deliverSync(messages, scope, idAt) {
      const ref = scopeRef(scope);
      const { offers, concerned } = planDeliveries(book, messages, ref, idAt);
      for (const delivery of offers) if (delivery.hook.durability !== undefined) commitSync(book, delivery);
      const others = offers.filter(({ hook }) => hook.durability === undefined);
      void run(book, others, ref.key, true);
      return outcomeOf(concerned);
    },
    async flush() {
      await Promise.all([...book.open].map((delivery) => delivery.run?.ended));
      const scopeKeys = new Set([...book.open].map((delivery) => delivery.scope.key)).values();
      const work = async (): Promise<void> => {
        for (const key of scopeKeys) await run(book, openDeliveries(book, key).filter(isHeld), key, false);
      };
      await Promise.all(Array.from({ length: flushConcurrency }, work));
    },
  };
}

function outcomeOf<M, N>(concerned: readonly Delivery<M, N>[]): DeliveryOutcome {
  return {
    taken: concerned.every(({ taken }) => taken),
    committed: concerned.every(({ taken, hook }) => taken || hook.durability === undefined),
  };
}

/** Takes deliveries into this call's hands and offers them in order: the first at once, where nothing of the scope is in line. */
async function run<M, N>(
  book: Book<M, N>,
  deliveries: readonly Delivery<M, N>[],
  scopeKey: string,
  inLine: boolean,
): Promise<void> {
  if (deliveries.length === 0) return;
  const ahead = openDeliveries(book, scopeKey).filter((delivery) => delivery.run?.inLine);
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  for (const delivery of deliveries) delivery.run = { ended, inLine: inLine || ahead.length > 0 };
  if (ahead.length > 0) await Promise.all(ahead.map((delivery) => delivery.run?.ended));
  await offerAll(book, deliveries);
  end();
}
