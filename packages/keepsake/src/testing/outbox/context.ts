import assert from "node:assert/strict";
import type { LeasedDelivery, NewDelivery, Outbox } from "../../delivery/index.ts";
import type { Awaitable, Json } from "../../util/index.ts";
import type { ContractRow } from "../contract.ts";

/** How a row wants its outbox. */
export interface OutboxContractConfig {
  /** How long completed deliveries are kept, in milliseconds. Default: the outbox's own. */
  readonly retainMs?: number;
}

/** What a row of the outbox contract works with. */
export interface OutboxContractContext {
  /** Makes an empty outbox; called once per row. */
  createOutbox(config?: OutboxContractConfig): Awaitable<Outbox>;
  /** Another instance on the data of the first, beside it. Needed by rows that need `shared`. */
  openAnother?(config?: OutboxContractConfig): Awaitable<Outbox>;
  /** Opens the data again after every instance was closed. Needed by rows that need `persistent`. */
  reopen?(config?: OutboxContractConfig): Awaitable<Outbox>;
  /** Moves the clock of the row's outboxes on; where that is not possible, waits. Below 0 only in rows that need `clock`. */
  advance(byMs: number): Awaitable<void>;
}

/**
 * What a row may need. `clock`: the clock can be set. `persistent`: data outlive the instance. `shared`: several instances may be open at
 * once. `sync`: there is an `enqueueSync`.
 */
export type OutboxCapability = "clock" | "persistent" | "shared" | "sync";

/** One requirement of the outbox contract. */
export type OutboxContractRow = ContractRow<OutboxContractContext, OutboxCapability>;

/** Long enough for a slow database to answer within it, short enough to be waited for. */
export const leaseMs = 1_500;

/** A delivery of messages that are known by their own text; one that begins with "?" has no identity. */
export function delivery(texts: readonly string[], other: Partial<NewDelivery> = {}): NewDelivery {
  return {
    hook: "remember",
    namespace: ["memories", "asha"],
    threadId: "t1",
    messages: texts.map((text) => ({
      identity: text.startsWith("?") ? undefined : text,
      body: { role: "user", content: text },
    })),
    ...other,
  };
}

/** Enqueues a delivery and returns its id. */
export async function enqueue(
  outbox: Outbox,
  texts: readonly string[],
  other?: Partial<NewDelivery>,
): Promise<string> {
  const made = await outbox.enqueue(delivery(texts, other));
  assert.ok(made !== null, `${texts} must be stored`);
  return made.deliveryId;
}

/** Leases at most so many deliveries. */
export async function lease(outbox: Outbox, limit = 10, hook = "remember"): Promise<LeasedDelivery[]> {
  return outbox.lease(hook, { limit, leaseMs });
}

/** Leases the one delivery that there must be. */
export async function leaseOne(outbox: Outbox, hook?: string): Promise<LeasedDelivery> {
  const [one, ...others] = await lease(outbox, 10, hook);
  assert.ok(one !== undefined, "one delivery must be leased");
  assert.deepEqual(others.map(textsOf), [], "only one delivery may be leased");
  return one;
}

/** The texts of a delivery made by {@link delivery}. */
export function textsOf({ bodies }: { readonly bodies: readonly Json[] }): string[] {
  return bodies.map((body) => String(Object(body).content));
}

/** The texts of each of several deliveries. */
export function allTexts(deliveries: readonly { readonly bodies: readonly Json[] }[]): string[][] {
  return deliveries.map(textsOf);
}

/** Leases and completes until nothing is left; returns the texts in the order in which they came. */
export async function workOff(outbox: Outbox, hook?: string): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const leased = await lease(outbox, 10, hook);
    if (leased.length === 0) return texts;
    for (const one of leased) {
      texts.push(...textsOf(one));
      assert.equal(await outbox.complete(one.token), true, "a current token must complete");
    }
  }
}

/** Makes a dead letter of a delivery and returns its id. */
export async function bury(
  outbox: Outbox,
  texts: readonly string[],
  other?: Partial<NewDelivery>,
): Promise<string> {
  const deliveryId = await enqueue(outbox, texts, other);
  const { token } = await leaseOne(outbox, other?.hook);
  assert.equal(await outbox.fail(token, { message: `${texts} failed` }, "dead"), true);
  return deliveryId;
}
