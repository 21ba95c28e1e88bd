import {
  checkOptions,
  isCount,
  isFunction,
  isLogger,
  isRecord,
  type Json,
  type Logger,
  type OptionKind,
} from "../util/index.ts";
import type { MessageCodec } from "./message-json.ts";
import type { Outbox } from "./outbox.ts";

/** How {@link durable} keeps deliveries and runs its function. */
export interface DurableOptions<M = unknown> {
  /** Stable, and unique per outbox: it is what the deliveries of this hook are known by after a restart. */
  readonly name: string;
  readonly outbox: Outbox;
  /** Deliveries that run at once in this process, of different namespaces. Default 2. */
  readonly concurrency?: number | undefined;
  /** How long a delivery belongs to a worker that says nothing, in milliseconds. Default 60 000. */
  readonly leaseMs?: number | undefined;
  /** Attempts until a delivery is a dead letter. Default 8. */
  readonly maxAttempts?: number | undefined;
  /** The pause after a failed attempt (1, 2, …), in milliseconds. Default: 1 s, doubled up to 15 minutes, ±50 % at random. */
  readonly backoff?: ((attempt: number) => number) | undefined;
  /** How messages become JSON and back. Default: the JSON of their fields, which the hook gets as it is. */
  readonly codec?: MessageCodec<M> | undefined;
  /** Where failed attempts and dead letters are warned about. Default `console`. */
  readonly logger?: Logger | undefined;
  /** Told how each attempt ended. */
  readonly onEvent?: ((event: DurableEvent) => void) | undefined;
}

/** How an attempt of a worker ended. `lost`: the lease was another's by then, or the outbox could not be told; it is run again. */
export interface DurableEvent {
  readonly type: "delivered" | "failed" | "dead" | "lost";
  readonly hook: string;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly count: number;
  readonly namespace: Json;
  readonly threadId: string | undefined;
  /** What the hook threw; the symbol `notTaken` where it returned that. */
  readonly error: unknown;
  /** With `failed`: when it is tried again. */
  readonly retryInMs?: number;
}

const methods = ["enqueue", "lease", "renew", "complete", "fail", "deadLetters", "retry", "discard", "stats"];

const isOutbox: OptionKind = [
  "an outbox, such as new InMemoryOutbox()",
  (value) => isRecord(value) && methods.every((name) => typeof value[name] === "function"),
];

const isName: OptionKind = [
  "1 to 200 printable characters",
  (value) => typeof value === "string" && /^[^\p{C}]{1,200}$/u.test(value),
];

const isCodec: OptionKind = [
  "an object with the functions encode and decode",
  (value) => isRecord(value) && typeof value.encode === "function" && typeof value.decode === "function",
];

const kinds: Readonly<Record<keyof DurableOptions, OptionKind>> = {
  name: isName,
  outbox: isOutbox,
  concurrency: isCount(1),
  leaseMs: isCount(1),
  maxAttempts: isCount(1),
  backoff: isFunction,
  codec: isCodec,
  logger: isLogger,
  onEvent: isFunction,
};

/**
 * Refuses a function that is none, and options that cannot work.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function checkDurable(fn: unknown, options: unknown): void {
  checkOptions("durable", { fn: fn ?? null }, { fn: isFunction });
  checkOptions("durable", options, kinds);
  const { name = null, outbox = null } = Object(options);
  checkOptions("durable", { name, outbox }, kinds);
}
