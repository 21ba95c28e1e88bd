import { contentHashOf, viewOf } from "../message/index.ts";
import { hash128, isObject } from "../util/index.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import { type Durability, durabilityOf } from "./durability.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import type { ScopeRef } from "./namespace-ref.ts";
import type { DelivererConfig, IdAt, RememberFn } from "./types.ts";

/** A hook of the configuration. */
export interface Hook<M, N> {
  /** Its place in `onPrune`, from 0. */
  readonly index: number;
  readonly fn: RememberFn<M, N>;
  /** What it can do where it is a durable hook. */
  readonly durability: Durability | undefined;
  /** The messages without an identity that it has taken. */
  readonly taken: WeakSet<object>;
}

/** A message, and by what it is known; `undefined` where it has no identity. */
export interface Item<M> {
  readonly message: M;
  readonly identity: string | undefined;
}

/** A call that has deliveries in its hands. */
export interface Run {
  /** Resolves when all of them were offered. */
  readonly ended: Promise<void>;
  /** True where later calls of the scope wait for it. */
  readonly inLine: boolean;
}

/** Messages on their way to one hook. */
export interface Delivery<M, N> {
  readonly id: string;
  readonly hook: Hook<M, N>;
  readonly scope: ScopeRef<N>;
  readonly items: readonly Item<M>[];
  /** What the hook gets, once `redact` has seen every message. */
  handed: readonly M[] | undefined;
  /** Attempts made. */
  attempt: number;
  taken: boolean;
  /** The call that has it in its hands; `undefined` while the delivery is held. */
  run: Run | undefined;
}

/** What the deliverer knows of earlier calls. */
export interface Book<M, N> {
  readonly config: DelivererConfig<M, N>;
  readonly hooks: readonly Hook<M, N>[];
  readonly ledger: Ledger;
  /** Deliveries that have not been taken yet, oldest first. */
  readonly open: Set<Delivery<M, N>>;
}

/** What one call is to do. */
export interface Plan<M, N> {
  /** Hook by hook: what is held, then what is new. */
  readonly offers: readonly Delivery<M, N>[];
  /** Every open delivery that holds one of the messages, in whosever hands it is. */
  readonly concerned: readonly Delivery<M, N>[];
}

/** A book in which nothing is written yet. */
export function openBook<M, N>(config: DelivererConfig<M, N>): Book<M, N> {
  return {
    config,
    hooks: config.onPrune.map((fn, index) => ({
      index,
      fn,
      durability: durabilityOf(fn),
      taken: new WeakSet(),
    })),
    ledger: createLedger(config.dedupeWindow),
    open: new Set(),
  };
}

/**
 * Claims what is new among the messages for every hook, and gathers what is held in the namespace: a thread that ended on a failure
 * has no call of its own that would.
 *
 * A message without an identity is new each time, except while a hook's delivery holds it: it may come by again because it was kept in
 * the window for that hook, and those that have taken it must not get it once more each time.
 */
export function planDeliveries<M, N>(
  book: Book<M, N>,
  messages: readonly M[],
  scope: ScopeRef<N>,
  idAt: IdAt = (index) => viewOf(messages[index]).id,
): Plan<M, N> {
  const { hooks, ledger, config } = book;
  if (hooks.length === 0) return { offers: [], concerned: [] };
  const items = messages.map((message, index) => ({
    message,
    identity: config.dedupeOnPrune ? identityOf(message, idAt(index)) : undefined,
  }));
  const offers: Delivery<M, N>[] = [];
  const concerned = new Set<Delivery<M, N>>();
  const open = openDeliveries(book, scope.key);
  const heldForAnyHook = holdersOf(open);
  const held = [...book.open].filter(
    (delivery) => isHeld(delivery) && delivery.scope.namespace.key === scope.namespace.key,
  );
  for (const hook of hooks) {
    const holders = holdersOf(open.filter((delivery) => delivery.hook === hook));
    const page = pageOf(hook, scope);
    const claimed = new Set<string>();
    const fresh = items.filter(({ message, identity }) => {
      const holder = holders.get(identity) ?? holders.get(message);
      if (holder !== undefined) concerned.add(holder);
      const keptForOthers = heldForAnyHook.has(message) && isObject(message) && hook.taken.has(message);
      if (holder !== undefined || keptForOthers) return false;
      if (identity === undefined) return true;
      return !ledger.has(page, identity) && !claimed.has(identity) && claimed.add(identity);
    });
    ledger.claim(page, claimed);
    offers.push(...held.filter((delivery) => delivery.hook === hook));
    if (fresh.length === 0) continue;
    const delivery = newDelivery(hook, scope, fresh);
    book.open.add(delivery);
    offers.push(delivery);
    concerned.add(delivery);
  }
  return { offers, concerned: [...concerned] };
}

/** The scope's deliveries that have not been taken yet, oldest first. */
export function openDeliveries<M, N>(book: Book<M, N>, scopeKey: string): Delivery<M, N>[] {
  return [...book.open].filter((delivery) => delivery.scope.key === scopeKey);
}

/** True for a delivery that has failed and waits for its next attempt. */
export function isHeld(delivery: { readonly run: Run | undefined }): boolean {
  return delivery.run === undefined;
}

/** The ledger's page for a hook in a scope. */
export function pageOf(hook: { readonly index: number }, scope: { readonly key: string }): string {
  return hook.index + scope.key;
}

/** A hash of fixed length before the id: no two pairs give the same text. An empty id would tie strangers together. */
export function identityOf(message: unknown, id: string | undefined): string | undefined {
  return id === undefined || id === "" ? undefined : contentHashOf(message) + id;
}

/** An identity that holds beyond a scope, of fixed length: outboxes keep it for ever. */
export function scopedIdentity(scopeKey: string, identity: string | undefined): string | undefined {
  return identity === undefined ? undefined : hash128(JSON.stringify([scopeKey, identity]));
}

/**
 * Which open delivery holds what. A message without an identity is known by the object that it is, so that one which comes by again
 * while it is held is not delivered twice; a primitive cannot be told from its equals.
 */
function holdersOf<M, N>(deliveries: readonly Delivery<M, N>[]): Map<unknown, Delivery<M, N>> {
  const holders = new Map<unknown, Delivery<M, N>>();
  for (const delivery of deliveries) {
    for (const { message, identity } of delivery.items) {
      if (identity !== undefined || isObject(message)) holders.set(identity ?? message, delivery);
    }
  }
  return holders;
}

function newDelivery<M, N>(hook: Hook<M, N>, scope: ScopeRef<N>, items: readonly Item<M>[]): Delivery<M, N> {
  const scopeKey = scope.namespace.stable ? scope.key : undefined;
  const identities = items.map(({ identity }) => identity);
  return {
    id: deliveryIdOf([hook.index, hook.fn.name, scopeKey, ...identities]),
    hook,
    scope,
    items,
    handed: undefined,
    attempt: 0,
    taken: false,
    run: undefined,
  };
}
