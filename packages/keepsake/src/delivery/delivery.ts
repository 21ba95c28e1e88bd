import { contentHashOf } from "../message/index.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import type { Ledger } from "./ledger.ts";
import type { ScopeRef } from "./namespace-ref.ts";
import type { Reporter } from "./reporter.ts";
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
  state: "open" | "taken" | "dropped";
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
  readonly taken: readonly WeakSet<object>[];
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
  reporter: Reporter,
): Plan<M, N> {
  const identified = identify(book.config, messages, reporter);
  const offers: Delivery<M, N>[] = [];
  const concerned = new Set<Delivery<M, N>>();
  const open = openDeliveries(book, scope.key);
  const heldForAnyHook = holdersOf(open);
  book.ledger.use(scope.key);
  for (const hook of book.config.hooks.keys()) {
    const earlier = open.filter((delivery) => delivery.hook === hook);
    const holders = holdersOf(earlier);
    const fresh = identified.filter(({ message, identity }) => {
      const holder = holders.get(identity) ?? holders.get(message);
      if (holder !== undefined) concerned.add(holder);
      const taken = heldForAnyHook.has(message) && isObject(message) && book.taken[hook]?.has(message);
      const claimed = identity !== undefined && book.ledger.has(scope.key, hook, identity);
      return holder === undefined && !taken && !claimed;
    });
    offers.push(...earlier.filter(isHeld));
    if (fresh.length === 0) continue;
    const delivery = claim(book, hook, scope, onceEach(fresh));
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

interface Identified<M> {
  readonly message: M;
  readonly identity: string | undefined;
}

function identify<M, N>(
  { dedupe, idOf }: DelivererConfig<M, N>,
  messages: readonly M[],
  reporter: Reporter,
): Identified<M>[] {
  let warned = !dedupe;
  return messages.map((message) => {
    if (!dedupe) return { message, identity: undefined };
    try {
      const id = idOf(message);
      // The hash has a fixed length, so that no two pairs give the same text. An empty id would tie strangers together.
      return { message, identity: (id ?? "") === "" ? undefined : contentHashOf(message) + id };
    } catch (error) {
      if (!warned)
        reporter.warn("keepsake: a message whose id cannot be read is handed over as one without.", error);
      warned = true;
      return { message, identity: undefined };
    }
  });
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

/** True for all but primitives and functions. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Drops what has the identity of an earlier one of the list. */
function onceEach<M>(identified: readonly Identified<M>[]): Identified<M>[] {
  const seen = new Set<string>();
  return identified.filter(({ identity }) => {
    if (identity === undefined) return true;
    const isNew = !seen.has(identity);
    seen.add(identity);
    return isNew;
  });
}

function claim<M, N>(
  book: Book<M, N>,
  hook: number,
  scope: ScopeRef<N>,
  fresh: readonly Identified<M>[],
): Delivery<M, N> {
  const identities = fresh.map(({ identity }) => identity);
  book.ledger.claim(scope.key, hook, identities.filter(isDefined));
  const hookName = book.config.hooks[hook]?.name ?? "";
  const delivery: Delivery<M, N> = {
    id: deliveryIdOf([hook, hookName, scope.namespace.stable ? scope.key : undefined, ...identities]),
    hook,
    scope,
    messages: fresh.map(({ message }) => message),
    identities,
    handed: undefined,
    attempt: 0,
    state: "open",
    run: undefined,
  };
  book.open.add(delivery);
  return delivery;
}

/** True for all but `undefined`. */
export function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
