import { createHash } from "node:crypto";
import {
  type DeadLetter,
  type DeliveryQuery,
  type DeliveryRecord,
  defaultRetainMs,
  erasedNamespaces,
  type LeasedDelivery,
  type NewDelivery,
  namespaceText,
  type Outbox,
  type OutboxStats,
  type Retry,
} from "../../delivery/index.ts";
import {
  type Bell,
  checkOptions,
  createBell,
  isCount,
  isFunction,
  isOneOf,
  type Json,
  type OptionKind,
} from "../../util/index.ts";
import { checkDriver } from "./sqlite-client.ts";
import type { SqliteDriver, SqliteDriverName } from "./sqlite-driver.ts";
import { createConnection, type Durability, type OutboxConnection } from "./sqlite-outbox-connection.ts";
import {
  complete,
  type DeliveryRow,
  deadLetters,
  deliveries,
  discard,
  enqueue,
  erase,
  fail,
  isDue,
  lease,
  renew,
  retry,
  stats,
} from "./sqlite-outbox-programs.ts";
import { checkPath } from "./sqlite-store.ts";

/** What a {@link SqliteOutbox} takes. */
export interface SqliteOutboxConfig {
  /**
   * Default: `node:sqlite` where Node has it, else `better-sqlite3` or `libsql`, whichever is installed. An object is used as it is, and is
   * not closed by the outbox; a store must not use the same object, which can have but one transaction open.
   */
  readonly driver?: SqliteDriverName | SqliteDriver | undefined;
  /** How long completed deliveries are kept. Default 7 days. */
  readonly retainMs?: number | undefined;
  /**
   * `"full"` (default): not even a power failure loses what was enqueued; each `enqueue` waits for the disk. `"normal"`: killing the process loses
   * nothing, a power failure may lose what was enqueued last. Steps whose loss only repeats a delivery never wait for the disk.
   */
  readonly synchronous?: "full" | "normal" | undefined;
  /** The clock, in milliseconds. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** How soon what other processes have enqueued, and what has become due, is noticed. */
const pollMs = 200;

const anything: OptionKind = ["anything", () => true];
const kinds: Readonly<Record<string, OptionKind>> = {
  // Checked by its own message.
  driver: anything,
  retainMs: isCount(0),
  synchronous: isOneOf("full", "normal"),
  now: isFunction,
};

/**
 * An {@link Outbox} in a SQLite file, its own or that of a `SqliteStore`. Several processes may use one file. The file is created on first use; its
 * folder must exist.
 *
 * @example
 * ```ts
 * const outbox = new SqliteOutbox("memory.db");
 * const hook = durable(rememberVerbatim(store), { name: "remember", outbox });
 * ```
 */
export class SqliteOutbox implements Outbox {
  /** Commits before it returns. Present where the driver is synchronous, which those known by name are. */
  readonly enqueueSync?: (delivery: NewDelivery) => { deliveryId: string } | null;
  readonly #connection: OutboxConnection;
  readonly #bell: Bell;
  readonly #now: () => number;
  readonly #retainMs: number;
  readonly #enqueuing: Durability;

  /**
   * `path`: of the file, or `":memory:"`.
   *
   * @throws {KeepsakeError} `invalid_config`
   */
  constructor(path: string, config: SqliteOutboxConfig = {}) {
    checkPath(path, "A SqliteOutbox");
    checkOptions("A SqliteOutbox", config, kinds);
    this.#connection = createConnection(path, checkDriver(config.driver));
    this.#now = config.now ?? Date.now;
    this.#retainMs = config.retainMs ?? defaultRetainMs;
    this.#enqueuing = config.synchronous === "normal" ? "process" : "power";
    this.#bell = createBell(
      (hook) => this.#connection.peek(() => isDue(hook, this.#now())),
      () => pollMs,
    );
    const { writeNow } = this.#connection;
    if (writeNow !== undefined) {
      this.enqueueSync = (delivery) => {
        const row = rowOf(delivery);
        return this.#enqueued(
          row,
          writeNow(this.#enqueuing, () => enqueue(row, this.#now())),
        );
      };
    }
  }

  async enqueue(delivery: NewDelivery): Promise<{ deliveryId: string } | null> {
    const row = rowOf(delivery);
    return this.#enqueued(
      row,
      await this.#connection.write(this.#enqueuing, () => enqueue(row, this.#now())),
    );
  }

  async lease(
    hook: string,
    { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
  ): Promise<LeasedDelivery[]> {
    // A worker that finds nothing takes no lock.
    if (!(await this.#connection.peek(() => isDue(hook, this.#now())))) return [];
    return this.#connection.write("process", () => {
      const now = this.#now();
      return lease({ hook, limit, until: now + leaseMs, now, tokenFor: newToken });
    });
  }

  async renew(token: string, leaseMs: number): Promise<boolean> {
    return this.#connection.write("process", () => {
      const now = this.#now();
      return renew(seqOf(token), token, { until: now + leaseMs, now });
    });
  }

  async complete(token: string): Promise<boolean> {
    const retainMs = this.#retainMs;
    return this.#ring(
      await this.#connection.write("process", () =>
        complete(seqOf(token), token, { now: this.#now(), retainMs }),
      ),
    );
  }

  async fail(token: string, error: { readonly message: string }, again: Retry): Promise<boolean> {
    const message = JSON.stringify(String(error.message));
    return this.#ring(
      await this.#connection.write("process", () =>
        fail(seqOf(token), token, { error: message, retry: again, now: this.#now() }),
      ),
    );
  }

  async deadLetters(
    hook?: string,
    { limit = 100, after }: { readonly limit?: number | undefined; readonly after?: string | undefined } = {},
  ): Promise<DeadLetter[]> {
    return this.#connection.read(() => deadLetters(hook, limit, after));
  }

  async deliveries(query: DeliveryQuery = {}): Promise<DeliveryRecord[]> {
    return this.#connection.read(() => deliveries(query, this.#now()));
  }

  async retry(deliveryId: string): Promise<boolean> {
    return this.#ring(await this.#connection.write("power", () => retry(deliveryId, this.#now())));
  }

  async discard(deliveryId: string): Promise<boolean> {
    return this.#ring(await this.#connection.write("power", () => discard(deliveryId, this.#now())));
  }

  async erase(namespace: Json): Promise<number> {
    const erased = erasedNamespaces(namespace);
    return this.#connection.write("power", () => erase(erased));
  }

  async stats(hook?: string): Promise<OutboxStats> {
    return this.#connection.read(() => {
      const now = this.#now();
      return stats(hook, { now, doneAfter: now - this.#retainMs });
    });
  }

  onWork(hook: string, wake: () => void): () => void {
    return this.#bell.listen(hook, wake);
  }

  async close(): Promise<void> {
    this.#bell.close();
    await this.#connection.close();
  }

  #enqueued({ id, hook }: DeliveryRow, isStored: boolean): { deliveryId: string } | null {
    if (!isStored) return null;
    this.#bell.ring(hook);
    return { deliveryId: id };
  }

  /** The next of the lane may be due. */
  #ring(hook: string | undefined): boolean {
    if (hook !== undefined) this.#bell.ring(hook);
    return hook !== undefined;
  }
}

/** The number of the delivery comes first: it is found without an index of tokens. */
function newToken(seq: number): string {
  return `${seq}-${crypto.randomUUID()}`;
}

function seqOf(token: string): number {
  return Number.parseInt(token, 10) || 0;
}

function rowOf(delivery: NewDelivery): DeliveryRow {
  const { hook, deliveryId, namespace, threadId, messages } = delivery;
  return {
    id: deliveryId ?? crypto.randomUUID(),
    hook,
    namespace: namespaceText(namespace),
    thread: threadId === undefined ? null : JSON.stringify(threadId),
    messages: messages.map(({ identity, body }) => ({
      claim: identity === undefined ? undefined : claimOf(identity),
      body,
    })),
  };
}

/** Half a SHA-256: no two identities that anyone can find have the same. */
function claimOf(identity: string): Uint8Array {
  return createHash("sha256").update(JSON.stringify(identity)).digest().subarray(0, 16);
}
