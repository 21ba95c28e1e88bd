import { contentHashOf } from "../message/index.ts";
import { isObject } from "./attempt.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import type { Ledger } from "./ledger.ts";
import type { ScopeRef } from "./namespace-ref.ts";
import type { DelivererConfig } from "./types.ts";

/** Messages on their way to one hook. */
export interface Delivery<M, N> {
  readonly id: string;
  /** The hook's place in `onPrune`, from 0. */
  readonly hook: number;
  readonly scope: ScopeRef<N>;
  readonly messages: readonly M[];
  /** One for each message; `undefined` where the message has none. */
  readonly identities: readonly (string | undefined)[];
  /** What the hook gets, once `redact` has seen every message. */
  handed: readonly M[] | undefined;
  /** Attempts made. */
  attempt: number;
  taken: boolean;
  /** Resolves when the call that has the delivery in its hands is through; `undefined` while the delivery is held. */
  run: Promise<void> | undefined;
}

/** What the deliverer knows of earlier calls. */
export interface Book<M, N> {
  readonly config: DelivererConfig<M, N>;
  readonly ledger: Ledger;
  /** Deliveries that have not been taken yet, oldest first. */
  readonly open: Set<Delivery<M, N>>;
  /** For each hook, the messages without an identity that it has taken. */
  readonly takenWithoutIdentity: readonly WeakSet<object>[];
}

/** What one call is to do. */
export interface Plan<M, N> {
  /** Hook by hook: what is held, then what is new. */
  readonly offers: readonly Delivery<M, N>[];
  /** Every open delivery that holds one of the messages, in whosever hands it is. */
  readonly concerned: readonly Delivery<M, N>[];
}

/**
 * Claims what is new among the messages for every hook, and gathers what is held in the scope.
 *
 * A message without an identity is new each time, except while a hook's delivery holds it: it may come by again because it was kept in
 * the window for that hook, and those that have taken it must not get it once more each time.
 */
export function planDeliveries<M, N>(
  book: Book<M, N>,
  messages: readonly M[],
  scope: ScopeRef<N>,
): Plan<M, N> {
  if (book.config.hooks.length === 0) return { offers: [], concerned: [] };
  const identified = messages.map((message) => ({ message, identity: identityOf(book.config, message) }));
  const offers: Delivery<M, N>[] = [];
  const concerned = new Set<Delivery<M, N>>();
  const open = openDeliveries(book, scope.key);
  const heldForAnyHook = holdersOf(open);
  for (const hook of book.config.hooks.keys()) {
    const earlier = open.filter((delivery) => delivery.hook === hook);
    const holders = holdersOf(earlier);
    const page = pageOf(hook, scope.key);
    const isNew = newcomers(book.ledger, page);
    const fresh = identified.filter(({ message, identity }) => {
      const holder = holders.get(identity) ?? holders.get(message);
      if (holder !== undefined) concerned.add(holder);
      const took = book.takenWithoutIdentity[hook];
      const keptForOthers = heldForAnyHook.has(message) && isObject(message) && took?.has(message);
      return holder === undefined && !keptForOthers && isNew(identity);
    });
    book.ledger.claim(
      page,
      fresh.map(({ identity }) => identity),
    );
    offers.push(...earlier.filter(isHeld));
    if (fresh.length === 0) continue;
    const delivery = newDelivery(book, hook, scope, fresh);
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
export function isHeld(delivery: { readonly run: Promise<void> | undefined }): boolean {
  return delivery.run === undefined;
}

/** The ledger's page for a hook in a scope. */
export function pageOf(hook: number, scopeKey: string): string {
  return hook + scopeKey;
}

/** A hash of fixed length before the id: no two pairs give the same text. An empty id would tie strangers together. */
function identityOf<M, N>({ dedupe, idOf }: DelivererConfig<M, N>, message: M): string | undefined {
  const id = dedupe ? idOf(message) : undefined;
  return id === undefined || id === "" ? undefined : contentHashOf(message) + id;
}

/**
 * Which open delivery holds what. A message without an identity is known by the object that it is, so that one which comes by again
 * while it is held is not delivered twice; a primitive cannot be told from its equals.
 */
function holdersOf<M, N>(deliveries: readonly Delivery<M, N>[]): Map<unknown, Delivery<M, N>> {
  const holders = new Map<unknown, Delivery<M, N>>();
  for (const delivery of deliveries) {
    for (const [index, message] of delivery.messages.entries()) {
      const identity = delivery.identities[index];
      if (identity !== undefined) holders.set(identity, delivery);
      else if (isObject(message)) holders.set(message, delivery);
    }
  }
  return holders;
}

/** Tells identities that are neither on the page nor earlier in the list. */
function newcomers(ledger: Ledger, page: string): (identity: string | undefined) => boolean {
  const seen = new Set<string>();
  return (identity) => {
    if (identity === undefined) return true;
    if (ledger.has(page, identity) || seen.has(identity)) return false;
    seen.add(identity);
    return true;
  };
}

function newDelivery<M, N>(
  book: Book<M, N>,
  hook: number,
  scope: ScopeRef<N>,
  fresh: readonly { readonly message: M; readonly identity: string | undefined }[],
): Delivery<M, N> {
  const identities = fresh.map(({ identity }) => identity);
  const hookName = book.config.hooks[hook]?.name ?? "";
  const delivery: Delivery<M, N> = {
    id: deliveryIdOf([hook, hookName, scope.namespace.stable ? scope.key : undefined, ...identities]),
    hook,
    scope,
    messages: fresh.map(({ message }) => message),
    identities,
    handed: undefined,
    attempt: 0,
    taken: false,
    run: undefined,
  };
  book.open.add(delivery);
  return delivery;
}
