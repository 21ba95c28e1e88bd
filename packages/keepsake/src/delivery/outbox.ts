import { KeepsakeError } from "../errors/index.ts";
import { type Awaitable, canonicalJson, type Json } from "../util/index.ts";

/** A message on its way into an outbox. */
export interface NewMessage {
  /** Covers namespace, thread, id and content, so that it is claimed once for ever; `undefined`: always delivered. */
  readonly identity: string | undefined;
  readonly body: Json;
}

/** What a durable hook commits to its outbox. */
export interface NewDelivery {
  /** The durable hook's name, unique per outbox. */
  readonly hook: string;
  /**
   * Makes a repeated `enqueue` harmless also for messages without an identity: while an outbox still keeps a delivery of this id, in
   * whatever state, it stores none of the same id, and answers `null`. Default: a random one.
   */
  readonly deliveryId?: string | undefined;
  /** Any JSON; its canonical JSON is what counts. */
  readonly namespace: Json;
  readonly threadId: string | undefined;
  readonly messages: readonly NewMessage[];
}

/** A delivery in a worker's hands. */
export interface LeasedDelivery {
  readonly deliveryId: string;
  readonly hook: string;
  readonly namespace: Json;
  readonly threadId: string | undefined;
  /** In the order in which they were enqueued, without those that were claimed before. */
  readonly bodies: readonly Json[];
  /** 1 for the first lease; every lease counts, also one that expired. */
  readonly attempt: number;
  /** Proves that the lease is still ours: new for each lease, never used again. */
  readonly token: string;
}

/** When a delivery that failed is tried again: after a while, at a time by the outbox's clock, or not by itself. */
export type Retry = { readonly afterMs: number } | Date | "dead";

/** A delivery that is tried no more, kept until someone retries or discards it. */
export interface DeadLetter {
  readonly deliveryId: string;
  readonly hook: string;
  readonly namespace: Json;
  readonly threadId: string | undefined;
  /** How often it was leased since it was enqueued, or since it was last retried by hand. */
  readonly attempts: number;
  /** The message of the last failure. */
  readonly error: string;
  readonly bodies: Json[];
}

/** How many deliveries are in which state; they are counted once each. */
export interface OutboxStats {
  /** Wait for a lease and have not failed; those whose lease expired are among them. */
  readonly pending: number;
  /** Under a lease that has not expired. */
  readonly leased: number;
  /** Have failed and wait for their next lease, due or not. */
  readonly retrying: number;
  readonly dead: number;
  /** Completed, and kept for audit since less than `retainMs`. */
  readonly done: number;
  /** Messages claimed: rows of the ledger, not deliveries. */
  readonly claimed: number;
}

/** A delivery in whatever state, for people who look into an outbox. */
export interface DeliveryRecord {
  readonly deliveryId: string;
  readonly hook: string;
  readonly namespace: Json;
  readonly threadId: string | undefined;
  /** Counted as in {@link OutboxStats}. */
  readonly state: "pending" | "leased" | "retrying" | "dead" | "done";
  readonly attempts: number;
  /** The message of the last failure; `undefined` where none is kept. */
  readonly error: string | undefined;
  readonly enqueuedAt: Date;
  readonly bodies: Json[];
}

/** Which deliveries {@link Outbox.deliveries} is asked for. */
export interface DeliveryQuery {
  readonly hook?: string | undefined;
  readonly state?: DeliveryRecord["state"] | undefined;
  /** This one alone. */
  readonly deliveryId?: string | undefined;
  /** Default 100. */
  readonly limit?: number | undefined;
  /** The `deliveryId` of the last one of the page before; one that is no longer there starts again from the first. */
  readonly after?: string | undefined;
}

/**
 * Where durable hooks keep what they have taken until it is done. Everything that decides lies in the outbox's own rows, so that any number
 * of instances, processes and hosts may work on one database.
 *
 * A delivery is pending → leased → done (`complete`), retrying (`fail` with a time) or dead (`fail` with `"dead"`); retrying → leased;
 * dead → pending (`retry`). A lease that expired (the clock has reached its end) is as good as none: the delivery can be leased again, and
 * the old token is refused from then on. Its own token is refused too once the lease is over. Order is that of the commits of `enqueue`.
 *
 * All deadlines go by the outbox's own clock: the database's where it has one. A clock that jumps may cause a second lease, never a loss.
 * Bodies, namespaces, thread ids, identities and errors may hold any characters, `\0` and lone surrogates included: kept as JSON text
 * (`JSON.stringify` escapes both) they survive every database. What is returned is a copy.
 */
export interface Outbox {
  /**
   * In one transaction: drops messages whose (hook, identity) was claimed before, by this delivery too; claims the rest, and stores them
   * as one delivery at the end of the line. `null`, and nothing stored, where nothing is left, or a delivery of this id is there.
   * Concurrent calls with the same identities store each message in one delivery alone. Resolves when it is committed.
   *
   * @throws {KeepsakeError} `invalid_namespace` where the namespace has no canonical JSON
   */
  enqueue(delivery: NewDelivery): Awaitable<{ deliveryId: string } | null>;
  /** The same, committed when it returns. Present where that is possible. */
  enqueueSync?(delivery: NewDelivery): { deliveryId: string } | null;
  /**
   * Leases up to `limit` deliveries of a hook, oldest first: of each namespace only the oldest that is neither done nor dead, and only
   * if it is due and none of that (hook, namespace) is under a lease. So the next waits also while the first backs off, and a dead letter
   * that was retried goes before what is younger, but not beside it. Concurrent calls never lease the same.
   */
  lease(
    hook: string,
    options: { readonly limit: number; readonly leaseMs: number },
  ): Awaitable<LeasedDelivery[]>;
  /** Makes a lease end `leaseMs` from now. False where the token is not that of a current lease. */
  renew(token: string, leaseMs: number): Awaitable<boolean>;
  /** Done: kept with its bodies for `retainMs`. False, and nothing changed, where the token is not that of a current lease. */
  complete(token: string): Awaitable<boolean>;
  /** Not done: tried again or dead, with the error's message kept. False, and nothing changed, where the token is not that of a current lease. */
  fail(token: string, error: { readonly message: string }, retry: Retry): Awaitable<boolean>;
  /**
   * Dead letters, of one hook or of all, in the order in which they were enqueued. `limit`: default 100. `after`: the `deliveryId` of the
   * last one of the page before; one that is no longer there starts again from the first.
   */
  deadLetters(
    hook?: string,
    options?: { readonly limit?: number | undefined; readonly after?: string | undefined },
  ): Awaitable<DeadLetter[]>;
  /** Deliveries in any state, in the order in which they were enqueued. Absent where an outbox cannot tell. */
  deliveries?(query?: DeliveryQuery): Awaitable<DeliveryRecord[]>;
  /** A dead letter becomes pending, its attempts counted from 0; one that backs off becomes due. False for any other. */
  retry(deliveryId: string): Awaitable<boolean>;
  /** Removes a delivery that is not done and not under a lease; its messages stay claimed. False for any other. */
  discard(deliveryId: string): Awaitable<boolean>;
  /**
   * Forgets a namespace: removes its deliveries in every state, leased and done ones too, and its ledger rows, of all hooks. A list stands
   * for itself and every list that begins with the same elements; anything else for itself alone. Resolves to the number of deliveries.
   *
   * @throws {KeepsakeError} `invalid_namespace` for `[]`, which would be everyone, and for what has no canonical JSON
   */
  erase(namespace: Json): Awaitable<number>;
  /** Counts of one hook, or of all. */
  stats(hook?: string): Awaitable<OutboxStats>;
  /** Calls back soon after there may be new work for a hook; the returned function ends that. Absent: workers poll. */
  onWork?(hook: string, wake: () => void): () => void;
  /** Ends connections and callbacks of this instance. Calls after it reject with `closed`; a second `close` does nothing. */
  close(): Awaitable<void>;
}

/** How long completed deliveries are kept: 7 days. */
export const defaultRetainMs: number = 7 * 24 * 60 * 60 * 1000;

/**
 * The text by which an outbox keeps a namespace: its canonical JSON.
 *
 * @throws {KeepsakeError} `invalid_namespace`
 */
export function namespaceText(namespace: unknown): string {
  const text = canonicalJson(namespace);
  if (text !== undefined) return text;
  const advice = "Use strings, numbers, lists and plain objects.";
  throw new KeepsakeError("invalid_namespace", `An outbox cannot keep a namespace without JSON. ${advice}`);
}

/** Which {@link namespaceText}s an `erase` means: one, and those that begin with `prefix` where there is one. */
export interface ErasedNamespaces {
  readonly text: string;
  readonly prefix: string | undefined;
}

/**
 * What `erase` means by a namespace. JSON escapes its quotes, so that no other namespace begins with the prefix.
 *
 * @throws {KeepsakeError} `invalid_namespace`
 */
export function erasedNamespaces(namespace: unknown): ErasedNamespaces {
  const text = namespaceText(namespace);
  if (text === "[]") {
    throw new KeepsakeError("invalid_namespace", "erase([]) would erase everyone. Name a namespace.");
  }
  return { text, prefix: Array.isArray(namespace) ? `${text.slice(0, -1)},` : undefined };
}
