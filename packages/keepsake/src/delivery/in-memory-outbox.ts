import { KeepsakeError } from "../errors/index.ts";
import { type Awaitable, checkOptions, isCount, isFunction, type Json } from "../util/index.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import {
  type DeadLetter,
  defaultRetainMs,
  erasedNamespaces,
  type LeasedDelivery,
  type NewDelivery,
  namespaceText,
  type Outbox,
  type OutboxStats,
  type Retry,
} from "./outbox.ts";

/** How an {@link InMemoryOutbox} is made. */
export interface InMemoryOutboxOptions {
  /** How long completed deliveries are kept, in milliseconds. Default 7 days. */
  readonly retainMs?: number | undefined;
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A delivery in the outbox; `lane` is the line that it stands in: its hook and namespace. */
interface Row {
  readonly deliveryId: string;
  readonly hook: string;
  readonly namespace: string;
  readonly threadId: string | undefined;
  /** As JSON text, so that nobody holds a reference into it. */
  readonly bodies: string;
  state: "pending" | "leased" | "retrying" | "dead" | "done";
  attempts: number;
  token: string;
  /** When the lease ends, the retry is due, or the delivery was completed. */
  at: number;
  error: string;
}

/** A claim: by (hook, identity), and whose it is. */
interface Claim {
  readonly hook: string;
  readonly namespace: string;
}

/**
 * An outbox that lives and dies with the process: for tests, and where retries and dead letters are wanted without a database.
 *
 * @throws {KeepsakeError} `invalid_config`
 * @example
 * ```ts
 * const remember = durable(rememberVerbatim(store), { name: "remember", outbox: new InMemoryOutbox() });
 * remember.start();
 * ```
 */
export class InMemoryOutbox implements Outbox {
  readonly #retainMs: number;
  readonly #now: () => number;
  /** What is not done, by id, in the order of the line. */
  readonly #rows = new Map<string, Row>();
  /** What is done and kept, by id, oldest first. */
  readonly #done = new Map<string, Row>();
  /** What is leased, by token. */
  readonly #leases = new Map<string, Row>();
  readonly #claims = new Map<string, Claim>();
  readonly #listeners = new Map<() => void, string>();
  #tokens = 0;
  #closed = false;

  constructor(options: InMemoryOutboxOptions = {}) {
    checkOptions("InMemoryOutbox", options, { retainMs: isCount(0), now: isFunction });
    this.#retainMs = options.retainMs ?? defaultRetainMs;
    this.#now = options.now ?? (() => Date.now());
  }

  enqueue(delivery: NewDelivery): Awaitable<{ deliveryId: string } | null> {
    return this.enqueueSync(delivery);
  }

  enqueueSync(delivery: NewDelivery): { deliveryId: string } | null {
    this.#open();
    const { hook, threadId, deliveryId = deliveryIdOf([undefined]) } = delivery;
    const namespace = namespaceText(delivery.namespace);
    if (this.#rows.has(deliveryId) || this.#done.has(deliveryId)) return null;
    const claims = new Set<string>();
    const fresh = delivery.messages.filter(({ identity }) => {
      if (identity === undefined) return true;
      const key = JSON.stringify([hook, identity]);
      return !this.#claims.has(key) && !claims.has(key) && claims.add(key);
    });
    if (fresh.length === 0) return null;
    const bodies = JSON.stringify(fresh.map(({ body }) => body));
    for (const key of claims) this.#claims.set(key, { hook, namespace });
    const waiting = { state: "pending", attempts: 0, token: "", at: 0, error: "" } as const;
    this.#rows.set(deliveryId, { deliveryId, hook, namespace, threadId, bodies, ...waiting });
    this.#wake(hook);
    return { deliveryId };
  }

  lease(
    hook: string,
    { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
  ): LeasedDelivery[] {
    const now = this.#open();
    /** Namespaces of which one is leased, or the oldest was seen. */
    const taken = new Set<string>();
    for (const row of this.#leases.values()) if (row.hook === hook && row.at > now) taken.add(row.namespace);
    const leased: LeasedDelivery[] = [];
    for (const row of this.#rows.values()) {
      if (leased.length >= limit) break;
      if (row.hook !== hook || row.state === "dead" || taken.has(row.namespace)) continue;
      taken.add(row.namespace);
      if (row.at <= now) leased.push(this.#lease(row, now + leaseMs));
    }
    return leased;
  }

  renew(token: string, leaseMs: number): boolean {
    const now = this.#open();
    return this.#change(token, (row) => {
      row.at = now + leaseMs;
    });
  }

  complete(token: string): boolean {
    const now = this.#open();
    return this.#change(token, (row) => {
      this.#end(row, "done", now);
      this.#rows.delete(row.deliveryId);
      this.#done.set(row.deliveryId, row);
    });
  }

  fail(token: string, { message }: { readonly message: string }, retry: Retry): boolean {
    const now = this.#open();
    return this.#change(token, (row) => {
      row.error = message;
      if (retry === "dead") this.#end(row, "dead", now);
      else this.#end(row, "retrying", retry instanceof Date ? retry.getTime() : now + retry.afterMs);
    });
  }

  deadLetters(
    hook?: string,
    { limit = 100, after }: { readonly limit?: number | undefined; readonly after?: string | undefined } = {},
  ): DeadLetter[] {
    this.#open();
    const rows = [...this.#rows.values()];
    const start = rows.findIndex(({ deliveryId }) => deliveryId === after) + 1;
    return rows
      .slice(start)
      .filter((row) => row.state === "dead" && (hook ?? row.hook) === row.hook)
      .slice(0, limit)
      .map((row) => ({ ...shownOf(row), attempts: row.attempts, error: row.error }));
  }

  retry(deliveryId: string): boolean {
    this.#open();
    const row = this.#rows.get(deliveryId);
    if (row?.state !== "dead" && row?.state !== "retrying") return false;
    if (row.state === "dead") Object.assign(row, { state: "pending", attempts: 0 });
    row.at = 0;
    this.#wake(row.hook);
    return true;
  }

  discard(deliveryId: string): boolean {
    const now = this.#open();
    const row = this.#rows.get(deliveryId);
    if (row === undefined || (row.state === "leased" && row.at > now)) return false;
    this.#remove(row);
    return true;
  }

  erase(namespace: Json): Awaitable<number> {
    this.#open();
    const { text, prefix } = erasedNamespaces(namespace);
    const isErased = (of: { readonly namespace: string }): boolean =>
      of.namespace === text || (prefix !== undefined && of.namespace.startsWith(prefix));
    for (const [key, claim] of this.#claims) if (isErased(claim)) this.#claims.delete(key);
    const erased = [...this.#rows.values(), ...this.#done.values()].filter(isErased);
    for (const row of erased) this.#remove(row);
    return erased.length;
  }

  stats(hook?: string): OutboxStats {
    const now = this.#open();
    const isOf = (of: { readonly hook: string }): boolean => (hook ?? of.hook) === of.hook;
    const claimed = [...this.#claims.values()].filter(isOf).length;
    const stats = { pending: 0, leased: 0, retrying: 0, dead: 0, done: 0, claimed };
    for (const row of [...this.#rows.values(), ...this.#done.values()].filter(isOf)) {
      const isExpired = row.state === "leased" && row.at <= now;
      stats[isExpired ? "pending" : row.state] += 1;
    }
    return stats;
  }

  onWork(hook: string, wake: () => void): () => void {
    this.#open();
    const listener = (): void => wake();
    this.#listeners.set(listener, hook);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
  }

  /** What every call begins with; returns the time. */
  #open(): number {
    if (this.#closed) throw new KeepsakeError("closed", "The outbox is closed. Make another one.");
    const now = this.#now();
    for (const { deliveryId, at } of this.#done.values()) {
      if (at + this.#retainMs > now) break;
      this.#done.delete(deliveryId);
    }
    return now;
  }

  #lease(row: Row, until: number): LeasedDelivery {
    this.#leases.delete(row.token);
    this.#tokens += 1;
    row.token = String(this.#tokens);
    row.state = "leased";
    row.attempts += 1;
    row.at = until;
    this.#leases.set(row.token, row);
    return { ...shownOf(row), attempt: row.attempts, token: row.token };
  }

  /** Changes what a current lease is of. */
  #change(token: string, change: (row: Row) => void): boolean {
    const row = this.#leases.get(token);
    if (row === undefined || row.at <= this.#now()) return false;
    change(row);
    return true;
  }

  /** Ends a lease. */
  #end(row: Row, state: Row["state"], at: number): void {
    this.#leases.delete(row.token);
    row.state = state;
    row.at = at;
  }

  #remove({ deliveryId, token, hook }: Row): void {
    this.#leases.delete(token);
    this.#rows.delete(deliveryId);
    this.#done.delete(deliveryId);
    this.#wake(hook);
  }

  #wake(hook: string): void {
    for (const [listener, own] of this.#listeners) if (own === hook) queueMicrotask(listener);
  }
}

function shownOf({
  deliveryId,
  hook,
  namespace,
  threadId,
  bodies,
}: Row): Omit<DeadLetter, "attempts" | "error"> {
  return { deliveryId, hook, namespace: JSON.parse(namespace), threadId, bodies: JSON.parse(bodies) };
}
