import { KeepsakeError } from "../errors/index.ts";
import { afterwards, attemptWithin, isObject, isThenable } from "./attempt.ts";
import { type Book, type Delivery, isHeld, pageOf } from "./delivery.ts";
import { notTaken } from "./not-taken.ts";
import type { DelivererConfig, DeliveryEvent } from "./types.ts";

/** Failed deliveries held at once, over all scopes and hooks. */
const maxHeldDeliveries = 1_000;

/** Messages in them. The last delivery is held whatever its size. */
const maxHeldMessages = 50_000;

/** Calls the hook with a delivery, once. Undefined where the hook was through at once. Never throws or rejects. */
export function offer<M, N>(book: Book<M, N>, delivery: Delivery<M, N>): Promise<void> | undefined {
  const { reporter } = book.config;
  delivery.attempt += 1;
  if (delivery.attempt > 1) reporter.emit({ type: "retried", ...eventOf(delivery) });
  const ended = attemptWithin(book.config.hookTimeoutMs, (signal) => callHook(book.config, delivery, signal));
  return afterwards(ended, (ending) => {
    delivery.run = undefined;
    if (ending.taken) return take(book, delivery);
    reporter.emit({ type: "failed", ...eventOf(delivery), error: ending.error });
    if (ending.error !== notTaken) {
      reporter.warn(
        `keepsake: held to be offered again, as the hook failed: ${describe(book, delivery)}.`,
        ending.error,
      );
    }
    dropOverflow(book);
  });
}

function callHook<M, N>(
  config: DelivererConfig<M, N>,
  delivery: Delivery<M, N>,
  signal: AbortSignal,
): unknown {
  const { id, attempt, scope } = delivery;
  delivery.handed ??= redacted(config.redact, delivery.messages);
  // The type of a hook leaves out the null of a caller that passes no namespace: hooks are written for apps that do.
  const namespace = scope.namespace.read() as N;
  const hook = config.hooks[delivery.hook];
  return hook?.([...delivery.handed], namespace, {
    deliveryId: id,
    attempt,
    threadId: scope.threadId,
    signal,
  });
}

/** A redaction that fails keeps everything back: nothing is handed over as it was. */
function redacted<M>(redact: ((message: M) => M) | undefined, messages: readonly M[]): readonly M[] {
  if (redact === undefined) return messages;
  return messages.map((message) => {
    if (message === null || message === undefined) return message;
    const replacement = redact(message);
    if (isObject(replacement) === isObject(message) && !isThenable(replacement)) return replacement;
    const got = isThenable(replacement) ? "a promise" : String(replacement);
    throw new KeepsakeError("invalid_value", `redact returned ${got}, not the message that hooks may see.`);
  });
}

function take<M, N>(book: Book<M, N>, delivery: Delivery<M, N>): void {
  delivery.taken = true;
  book.open.delete(delivery);
  const took = book.takenWithoutIdentity[delivery.hook];
  for (const [index, message] of delivery.messages.entries()) {
    if (delivery.identities[index] === undefined && isObject(message)) took?.add(message);
  }
  book.config.reporter.emit({ type: "delivered", ...eventOf(delivery) });
}

/** Drops the oldest held deliveries beyond the bounds; their messages count as new if they come by again. */
function dropOverflow<M, N>(book: Book<M, N>): void {
  const held = [...book.open].filter(isHeld);
  let messages = held.reduce((sum, delivery) => sum + delivery.messages.length, 0);
  let excess = held.length - maxHeldDeliveries;
  for (const delivery of held.slice(0, -1)) {
    if (excess <= 0 && messages <= maxHeldMessages) return;
    excess -= 1;
    messages -= delivery.messages.length;
    drop(book, delivery);
  }
}

function drop<M, N>(book: Book<M, N>, delivery: Delivery<M, N>): void {
  book.open.delete(delivery);
  const { reporter } = book.config;
  book.ledger.release(pageOf(delivery.hook, delivery.scope.key), delivery.identities);
  reporter.warn(
    `keepsake: too many failed deliveries are held; dropped the oldest: ${describe(book, delivery)}.`,
  );
  reporter.emit({ type: "dropped", ...eventOf(delivery) });
}

function describe<M, N>({ config }: Book<M, N>, { id, hook, attempt, messages }: Delivery<M, N>): string {
  const name = config.hooks[hook]?.name;
  return `onPrune[${hook}] ${name}, delivery ${id} of ${messages.length} messages, attempt ${attempt}`;
}

function eventOf<M, N>({ id, hook, attempt, messages, scope }: Delivery<M, N>): DeliveryEvent {
  const { namespace, threadId } = scope;
  return { deliveryId: id, hook, attempt, count: messages.length, namespace: namespace.read(), threadId };
}
