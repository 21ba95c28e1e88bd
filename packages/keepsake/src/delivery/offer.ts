import { KeepsakeError } from "../errors/index.ts";
import { isObject, isThenable } from "../util/index.ts";
import { attempt, callWithin, type Failure } from "./attempt.ts";
import { type Book, type Delivery, isHeld, pageOf, scopedIdentity } from "./delivery.ts";
import { type DurableContext, identities } from "./durability.ts";
import { notTaken } from "./not-taken.ts";
import type { DelivererConfig, DeliveryEvent, RememberFn } from "./types.ts";

/** Failed deliveries held at once, over all scopes and hooks. */
const maxHeldDeliveries = 1_000;

/** Messages in them. The last delivery is held whatever its size. */
const maxHeldMessages = 50_000;

/** Offers deliveries to their hooks, one after another, without a pause where a hook is through at once. Never rejects. */
export async function offerAll<M, N>(book: Book<M, N>, deliveries: readonly Delivery<M, N>[]): Promise<void> {
  const { config } = book;
  for (const delivery of deliveries) {
    const { fn } = delivery.hook;
    count(book, delivery);
    const ended = attempt(() =>
      callWithin(config.hookTimeoutMs, ["hook", "hookTimeoutMs", "hook_timeout"], (signal) =>
        callHook(config, delivery, fn, signal),
      ),
    );
    settle(book, delivery, ended instanceof Promise ? await ended : ended);
  }
}

/** Offers a delivery to its durable hook, which has taken it when this returns, or has not. Never throws. */
export function commitSync<M, N>(book: Book<M, N>, delivery: Delivery<M, N>): void {
  count(book, delivery);
  const commit = delivery.hook.durability?.commitSync as RememberFn<M, N> | undefined;
  let failure: Failure | undefined;
  try {
    // The reducer has refused hooks that have none.
    if (commit !== undefined) callHook(book.config, delivery, commit, new AbortController().signal);
    else failure = { error: notTaken };
  } catch (error) {
    failure = { error };
  }
  settle(book, delivery, failure);
}

function count<M, N>(book: Book<M, N>, delivery: Delivery<M, N>): void {
  delivery.attempt += 1;
  if (delivery.attempt > 1) tell(book, "retried", delivery);
}

function settle<M, N>(book: Book<M, N>, delivery: Delivery<M, N>, failure: Failure | undefined): void {
  delivery.run = undefined;
  if (failure === undefined) take(book, delivery);
  else hold(book, delivery, failure);
}

function callHook<M, N>(
  config: DelivererConfig<M, N>,
  delivery: Delivery<M, N>,
  fn: RememberFn<M, N>,
  signal: AbortSignal,
): unknown {
  const { id, attempt, scope, hook, items } = delivery;
  // A redaction that fails keeps everything back: nothing is handed over as it was.
  delivery.handed ??= items.map(({ message }) => redactedBy(config.redact, message));
  // The type of a hook leaves out the null of a caller that passes no namespace: hooks are written for apps that do.
  const namespace = scope.namespace.read() as N;
  const context = { deliveryId: id, attempt, threadId: scope.threadId, signal };
  if (hook.durability === undefined) return fn([...delivery.handed], namespace, context);
  const claims = items.map(({ identity }) => scopedIdentity(scope.key, identity));
  return fn([...delivery.handed], namespace, { ...context, [identities]: claims } as DurableContext);
}

/**
 * What hooks get instead of a message.
 *
 * @throws {KeepsakeError} invalid_value where `redact` makes no message of it; what `redact` throws
 */
export function redactedBy<M>(redact: ((message: M) => M) | undefined, message: M): M {
  if (redact === undefined || message === null || message === undefined) return message;
  const replacement = redact(message);
  if (isObject(replacement) === isObject(message) && !isThenable(replacement)) return replacement;
  const got = isThenable(replacement) ? "a promise" : String(replacement);
  throw new KeepsakeError("invalid_value", `redact returned ${got}, not a message.`);
}

function take<M, N>(book: Book<M, N>, delivery: Delivery<M, N>): void {
  delivery.taken = true;
  book.open.delete(delivery);
  for (const { message, identity } of delivery.items) {
    if (identity === undefined && isObject(message)) delivery.hook.taken.add(message);
  }
  tell(book, "delivered", delivery);
}

function hold<M, N>(book: Book<M, N>, delivery: Delivery<M, N>, { error }: Failure): void {
  const { reporter } = book.config;
  reporter.emit({ type: "failed", ...eventOf(delivery), error });
  if (error !== notTaken) reporter.warn(`held to be offered again: ${describe(delivery)}.`, error);
  dropOverflow(book);
}

/** Drops the oldest held deliveries beyond the bounds; their messages count as new if they come by again. */
function dropOverflow<M, N>(book: Book<M, N>): void {
  const held = [...book.open].filter(isHeld);
  let messages = held.reduce((sum, { items }) => sum + items.length, 0);
  let excess = held.length - maxHeldDeliveries;
  for (const delivery of held.slice(0, -1)) {
    if (excess <= 0 && messages <= maxHeldMessages) return;
    excess -= 1;
    messages -= delivery.items.length;
    drop(book, delivery);
  }
}

function drop<M, N>(book: Book<M, N>, delivery: Delivery<M, N>): void {
  book.open.delete(delivery);
  book.ledger.release(
    pageOf(delivery.hook, delivery.scope),
    delivery.items.map(({ identity }) => identity),
  );
  book.config.reporter.warn(`dropped, as too many are held: ${describe(delivery)}.`);
  tell(book, "dropped", delivery);
}

function describe<M, N>({ id, hook, attempt, items }: Delivery<M, N>): string {
  return `onPrune[${hook.index}] ${hook.fn.name}, delivery ${id} of ${items.length} messages, attempt ${attempt}`;
}

function tell<M, N>(
  { config }: Book<M, N>,
  type: "retried" | "delivered" | "dropped",
  delivery: Delivery<M, N>,
): void {
  config.reporter.emit({ type, ...eventOf(delivery) });
}

function eventOf<M, N>({ id, hook, attempt, items, scope }: Delivery<M, N>): DeliveryEvent {
  const { namespace, threadId } = scope;
  return {
    deliveryId: id,
    hook: hook.index,
    attempt,
    count: items.length,
    namespace: namespace.read(),
    threadId,
  };
}
