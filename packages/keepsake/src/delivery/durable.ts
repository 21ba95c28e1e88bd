import { KeepsakeError } from "../errors/index.ts";
import { viewOf } from "../message/index.ts";
import type { Json } from "../util/index.ts";
import { attemptOrTell } from "./attempt.ts";
import { defaultBackoff } from "./backoff.ts";
import { identityOf, scopedIdentity } from "./delivery.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import { type Durability, type DurableContext, durability, identities } from "./durability.ts";
import { checkDurable, type DurableOptions } from "./durable-options.ts";
import { encodedBy, messageJson } from "./message-json.ts";
import { scopeRef } from "./namespace-ref.ts";
import { type DeadLetter, type NewDelivery, namespaceText, type Outbox, type OutboxStats } from "./outbox.ts";
import { createReporter } from "./reporter.ts";
import type { HookContext, RememberFn, Scope } from "./types.ts";
import { createWorker, type Deadline, type DrainResult, type Worker } from "./worker.ts";

/** A hook that commits to an outbox, and the worker that runs its function. */
export interface DurableHook<M, N = string[]> {
  /** Resolves when the delivery is committed. */
  (pruned: M[], namespace: N, context?: HookContext): Promise<void>;
  /** Works from now on, until `stop()`. Before it, deliveries are kept and nothing runs: other processes may work them off. */
  start(): void;
  /** Takes up no more, and resolves when what runs has ended; the rest is the next process's. Deliveries are still committed. */
  stop(limit?: Deadline): Promise<void>;
  /** Resolves when nothing waits, backs off or runs, in whichever process; dead letters do not count. */
  idle(): Promise<void>;
  /** Works until nothing is due, for a job runner or a serverless handler: it does not wait for what backs off. */
  drain(limit?: Deadline): Promise<DrainResult>;
  deadLetters(options?: { readonly limit?: number; readonly after?: string }): Promise<DeadLetter[]>;
  /** Makes a dead letter pending again, its attempts counted anew, or one that backs off due. False for any other. */
  retry(deliveryId: string): Promise<boolean>;
  /** Removes a delivery that is not done and not running, for good. False for any other. */
  discard(deliveryId: string): Promise<boolean>;
  stats(): Promise<OutboxStats>;
  /** `stop()`, and the name is free again; for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The names in use, so that two hooks of one process do not take each other's deliveries. */
const namesOf = new WeakMap<Outbox, Set<string>>();

/**
 * Keeps what leaves the window until `fn` has taken it, whatever happens to the process: the returned hook commits the messages to the outbox
 * before the reduce returns, and a worker, in this process or another, runs `fn`: at least once for each delivery, one delivery of a
 * namespace at a time, oldest first. What could not be committed stays in the window.
 *
 * @throws {KeepsakeError} `invalid_config`; the hook rejects with `unserialisable_message` and `invalid_namespace`
 * @example
 * ```ts
 * const remember = durable(rememberVerbatim(store), { name: "remember", outbox: new SqliteOutbox("memory.db") });
 * const reducer = new MessageReducer({ onPrune: [remember] });
 * remember.start();
 * // at the end of the process:
 * await remember.stop();
 * ```
 */
export function durable<M, N = string[]>(
  fn: RememberFn<M, N>,
  options: DurableOptions<M>,
): DurableHook<M, N> {
  checkDurable(fn, options);
  const { name, outbox, codec, logger = console, onEvent } = options;
  const { concurrency = 2, leaseMs = 60_000, maxAttempts = 8, backoff = defaultBackoff } = options;
  claimName(outbox, name);
  const reporter = createReporter(logger);
  const deliveryOf = deliveryMaker<M, N>(options);

  async function hook(pruned: M[], namespace: N, context: Partial<DurableContext> = {}): Promise<void> {
    await outbox.enqueue(deliveryOf(pruned, namespace, context));
  }

  const own: Durability = {
    get commitSync() {
      if (outbox.enqueueSync === undefined) return undefined;
      return (pruned: M[], namespace: N, context: DurableContext) =>
        void outbox.enqueueSync?.(deliveryOf(pruned, namespace, context));
    },
    problemOf(message: M) {
      try {
        bodyOf(codec, message);
        return undefined;
      } catch (error) {
        return error;
      }
    },
  };

  const worker = createWorker({
    hook: name,
    outbox,
    concurrency,
    leaseMs,
    maxAttempts,
    backoff,
    call: (bodies, namespace, context) => {
      // Without a codec the app says by its type parameter that it takes messages as JSON.
      const messages = bodies.map((body) => (codec === undefined ? (body as M) : codec.decode(body)));
      if (messages.includes(undefined as M))
        throw new KeepsakeError("invalid_value", "decode returned undefined, not a message.");
      return fn(messages, namespace as N, context);
    },
    warn: reporter.warn,
    emit: (event) =>
      attemptOrTell(
        () => onEvent?.(event),
        (error) => reporter.warnOnce("onEvent", `onEvent failed on "${event.type}".`, error),
      ),
  });

  const members = {
    ...membersOf(options, worker),
    name: { value: name },
    [durability]: { value: own },
  };
  // Object.defineProperties keeps the type of the bare function.
  return Object.defineProperties(hook, members) as DurableHook<M, N>;
}

function membersOf(
  { name, outbox }: Pick<DurableOptions, "name" | "outbox">,
  worker: Worker,
): PropertyDescriptorMap {
  async function dispose(): Promise<void> {
    await worker.stop();
    namesOf.get(outbox)?.delete(name);
  }
  return {
    start: { value: worker.start },
    stop: { value: worker.stop },
    idle: { value: worker.idle },
    drain: { value: worker.drain },
    deadLetters: { value: async (page?: object) => outbox.deadLetters(name, page) },
    retry: { value: async (deliveryId: string) => outbox.retry(deliveryId) },
    discard: { value: async (deliveryId: string) => outbox.discard(deliveryId) },
    stats: { value: async () => outbox.stats(name) },
    // Older runtimes have no such symbol.
    ...(Symbol.asyncDispose && { [Symbol.asyncDispose]: { value: dispose } }),
  };
}

/** Makes what a hook commits; its id holds the hook's name, so that two hooks of one outbox may take the same messages. */
function deliveryMaker<M, N>({ name, codec }: DurableOptions<M>) {
  return (
    pruned: readonly M[],
    namespace: N | null | undefined,
    { threadId, deliveryId, [identities]: known }: Partial<DurableContext>,
  ): NewDelivery => {
    const json: Json = JSON.parse(namespaceText(namespace ?? null));
    const claims = known ?? identitiesOf(pruned, { namespace: json, threadId });
    const messages = pruned.map((message, index) => ({
      identity: claims[index],
      body: bodyOf(codec, message),
    }));
    return { hook: name, deliveryId: deliveryIdOf([name, deliveryId]), namespace: json, threadId, messages };
  };
}

function bodyOf<M>(codec: DurableOptions<M>["codec"], message: M): Json {
  return codec === undefined ? messageJson(message) : encodedBy(codec, message);
}

function claimName(outbox: Outbox, name: string): void {
  const names = namesOf.get(outbox) ?? new Set();
  if (names.has(name)) {
    const advice = "Each durable hook needs a name of its own.";
    throw new KeepsakeError("invalid_config", `durable: the outbox has a hook named "${name}". ${advice}`);
  }
  namesOf.set(outbox, names.add(name));
}

/** The identities of messages that came without a reducer's. */
function identitiesOf(messages: readonly unknown[], scope: Scope<Json>): (string | undefined)[] {
  const { key } = scopeRef(scope);
  return messages.map((message) => scopedIdentity(key, identityOf(message, viewOf(message).id)));
}
