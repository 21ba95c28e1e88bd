import { KeepsakeError } from "../errors/index.ts";
import type { Awaitable, Json } from "../util/index.ts";
import { attempt, type Failure } from "./attempt.ts";
import { defaultBackoff } from "./backoff.ts";
import { startTimer } from "./bell.ts";
import type { DurableEvent } from "./durable-options.ts";
import { keepLease, type LeaseKeeper } from "./lease-keeper.ts";
import { notTaken } from "./not-taken.ts";
import type { LeasedDelivery, Outbox, Retry } from "./outbox.ts";
import type { HookContext } from "./types.ts";

/** What jobs of one hook have in common. */
export interface JobConfig {
  readonly hook: string;
  readonly outbox: Outbox;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly backoff: (attempt: number) => number;
  /** Decodes, and calls the app's function. */
  readonly call: (bodies: readonly Json[], namespace: Json, context: HookContext) => unknown;
  readonly warn: (message: string, ...details: unknown[]) => void;
  readonly emit: (event: DurableEvent) => void;
}

/** A delivery being worked on. */
export interface Job {
  /** Aborts the signal of the hook. */
  abort(error: KeepsakeError): void;
  /** Renews the lease no more: once it is over, the delivery is run again, by whoever comes. */
  letGo(): void;
  /** Resolves to how it ended; never rejects. */
  readonly ended: Promise<JobEnd>;
}

/** How a job ended: `lost` where its lease was, or where the outbox did not take the answer in time. */
export type JobEnd =
  | { readonly type: "delivered" }
  | { readonly type: "failed"; readonly retryInMs: number }
  | { readonly type: "dead" }
  | { readonly type: "lost" };

/** Characters of an error's message that are kept. */
const errorLength = 4_000;

/** Runs a hook on a leased delivery, and tells the outbox how it ended. `since`: when the lease was asked for. */
export function startJob(config: JobConfig, lease: LeasedDelivery, since: number): Job {
  const controller = new AbortController();
  const abort = (error: KeepsakeError): void => controller.abort(error);
  const { outbox, leaseMs } = config;
  const keeper = keepLease(outbox, { token: lease.token, leaseMs, since }, abort);
  return { abort, letGo: keeper.end, ended: work(config, lease, keeper, controller.signal) };
}

async function work(
  config: JobConfig,
  lease: LeasedDelivery,
  keeper: LeaseKeeper,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { deliveryId, attempt: number, threadId, namespace, bodies } = lease;
  const context = { deliveryId, attempt: number, threadId, signal };
  const failure =
    number > config.maxAttempts
      ? { error: diedEveryTime(config.maxAttempts) }
      : await attempt(() => config.call(bodies, namespace, context));
  const end = failure === undefined ? ({ type: "delivered" } as const) : endOf(config, number);
  const isAnswered = await answer(config, lease, keeper, end, failure);
  keeper.end();
  tell(config, lease, isAnswered ? end : { type: "lost" }, failure);
  return isAnswered ? end : { type: "lost" };
}

/** Processes that ended with the hook in them have counted, too: a delivery that kills them must not do so for ever. */
function diedEveryTime(maxAttempts: number): Error {
  return new Error(`Its lease ended without an answer: ${maxAttempts} attempts were made.`);
}

function endOf({ maxAttempts, backoff }: JobConfig, number: number): JobEnd {
  if (number >= maxAttempts) return { type: "dead" };
  let pauseMs = Number.NaN;
  attempt(() => {
    pauseMs = backoff(number);
  });
  return { type: "failed", retryInMs: pauseMs >= 0 ? pauseMs : defaultBackoff(number) };
}

/** Tells the outbox, again where it fails, as long as the lease is held. */
async function answer(
  { outbox }: JobConfig,
  { token }: LeasedDelivery,
  keeper: LeaseKeeper,
  end: JobEnd,
  failure: Failure | undefined,
): Promise<boolean> {
  const ask = (): Awaitable<boolean> =>
    failure === undefined
      ? outbox.complete(token)
      : outbox.fail(token, { message: messageOf(failure.error) }, retryOf(end));
  for (let pauseMs = 50; keeper.isHeld(); pauseMs = Math.min(2 * pauseMs, 2_000)) {
    try {
      return await ask();
    } catch (error) {
      if (isClosed(error)) return false;
      await new Promise<void>((resolve) => {
        startTimer(resolve, pauseMs, true);
      });
    }
  }
  return false;
}

function retryOf(end: JobEnd): Retry {
  return end.type === "failed" ? { afterMs: end.retryInMs } : "dead";
}

/** True for the error of an outbox that was closed: it does not come back. */
export function isClosed(error: unknown): boolean {
  return KeepsakeError.isInstance(error) && error.code === "closed";
}

function messageOf(error: unknown): string {
  if (error === notTaken) return "The hook returned notTaken.";
  let message = "";
  attempt(() => {
    message = String(error instanceof Error ? error.message : error);
  });
  return message.slice(0, errorLength);
}

function tell(
  { hook, warn, emit }: JobConfig,
  { deliveryId, attempt: number, namespace, threadId, bodies }: LeasedDelivery,
  end: JobEnd,
  failure: Failure | undefined,
): void {
  const error = failure?.error;
  const about = `durable hook "${hook}", delivery ${deliveryId}, attempt ${number}`;
  if (end.type === "failed" && error !== notTaken) warn(`${about} failed; it is run again.`, error);
  if (end.type === "dead") warn(`${about} failed, and is a dead letter now.`, error);
  if (end.type === "lost") warn(`${about}: its lease was lost; it is run again.`, error);
  emit({ ...end, hook, deliveryId, attempt: number, count: bodies.length, namespace, threadId, error });
}
