import { type Book, type Delivery, isHeld, openBook, openDeliveries, planDeliveries } from "./delivery.ts";
import { scopeRef } from "./namespace-ref.ts";
import { offerAll } from "./offer.ts";
import type { Deliverer, DelivererConfig, IdAt, Scope } from "./types.ts";

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

  /** Claims at once, then hands over. */
  function begin(messages: readonly M[], scope: Scope<N>, inLine: boolean, idAt?: IdAt) {
    const ref = scopeRef(scope);
    const { offers, concerned } = planDeliveries(book, messages, ref, idAt);
    return { concerned, offered: run(book, offers, ref.key, inLine) };
  }

  return {
    async deliver(messages, scope, idAt) {
      const { concerned, offered } = begin(messages, scope, false, idAt);
      await Promise.all([offered, ...concerned.map((delivery) => delivery.run?.ended)]);
      return { taken: concerned.every((delivery) => delivery.taken) };
    },
    deliverSync(messages, scope, idAt) {
      begin(messages, scope, true, idAt);
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
