import { type Book, type Delivery, isHeld, openDeliveries, planDeliveries } from "./delivery.ts";
import { createLedger } from "./ledger.ts";
import { scopeRef } from "./namespace-ref.ts";
import { offer } from "./offer.ts";
import type { Deliverer, DelivererConfig, Scope } from "./types.ts";

/** Scopes whose held deliveries `flush` offers at once. */
const flushConcurrency = 8;

/**
 * Makes the hand-over to hooks: each message once per hook, by identity; what a hook has not taken is held and offered again.
 *
 * Concurrent `deliver` calls of one scope wait for each other only where they share messages that are not taken yet. `deliverSync` calls
 * of one scope keep their order: the hooks of the second are started when those of the first are through, and a `deliver` that comes
 * after them waits as well. So a hook must not await a `deliver` of its own scope, nor `flush`.
 */
export function createDeliverer<M, N>(config: DelivererConfig<M, N>): Deliverer<M, N> {
  const book: Book<M, N> = {
    config,
    ledger: createLedger(config.dedupeWindow),
    open: new Set(),
    takenWithoutIdentity: config.hooks.map(() => new WeakSet()),
  };
  const runs = new Set<Promise<void>>();
  /** The last call of each scope that later ones wait for. */
  const lines = new Map<string, Promise<void>>();

  /** Takes deliveries into this call's hands and offers them in order, the first at once. Undefined where all were through at once. */
  function run(
    deliveries: readonly Delivery<M, N>[],
    scopeKey: string,
    inLine: boolean,
  ): Promise<void> | undefined {
    if (deliveries.length === 0) return undefined;
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    for (const delivery of deliveries) delivery.run = finished;
    const ahead = lines.get(scopeKey);
    const offerAll = (): Promise<void> | undefined =>
      inOrder(deliveries, (delivery) => offer(book, delivery));
    const offered = ahead === undefined ? offerAll() : ahead.then(offerAll);
    if (offered === undefined) return void finish();
    runs.add(finished);
    if (inLine || ahead !== undefined) lines.set(scopeKey, finished);
    offered.then(() => {
      runs.delete(finished);
      if (lines.get(scopeKey) === finished) lines.delete(scopeKey);
      finish();
    });
    return finished;
  }

  /** Claims at once, then hands over. */
  function begin(messages: readonly M[], scope: Scope<N>, inLine: boolean) {
    const ref = scopeRef(scope);
    const { offers, concerned } = planDeliveries(book, messages, ref);
    const inOtherHands = concerned.map((delivery) => delivery.run);
    return { concerned, ended: Promise.all([...inOtherHands, run(offers, ref.key, inLine)]) };
  }

  return {
    async deliver(messages, scope) {
      const { ended, concerned } = begin(messages, scope, false);
      await ended;
      return { taken: concerned.every((delivery) => delivery.taken) };
    },
    deliverSync(messages, scope) {
      void begin(messages, scope, true);
    },
    async flush() {
      await Promise.all(runs);
      const scopeKeys = new Set([...book.open].map((delivery) => delivery.scope.key)).values();
      const work = async (): Promise<void> => {
        for (const key of scopeKeys) await run(openDeliveries(book, key).filter(isHeld), key, false);
      };
      await Promise.all(Array.from({ length: flushConcurrency }, work));
    },
  };
}

/** Takes the steps one after another, without a pause where a step is through at once. */
function inOrder<T>(
  items: readonly T[],
  step: (item: T) => Promise<void> | undefined,
): Promise<void> | undefined {
  for (const [index, item] of items.entries()) {
    const pending = step(item);
    if (pending !== undefined) return pending.then(() => inOrder(items.slice(index + 1), step));
  }
  return undefined;
}
