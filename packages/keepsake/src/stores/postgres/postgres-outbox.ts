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
import { KeepsakeError } from "../../errors/index.ts";
import {
  type Awaitable,
  type Bell,
  checkOptions,
  createBell,
  isBoolean,
  isCount,
  isRecord,
  type Json,
} from "../../util/index.ts";
import { openPool } from "./postgres-client.ts";
import type { OwnPool, PostgresPool } from "./postgres-driver.ts";
import { channel, createListener, type Listener } from "./postgres-outbox-listener.ts";
import {
  complete,
  type DeliveryRow,
  deadLetters,
  discard,
  enqueue,
  erase,
  fail,
  isDue,
  lease,
  listDeliveries,
  renew,
  repeated,
  retry,
  stats,
} from "./postgres-outbox-queries.ts";
import { prepareOutbox } from "./postgres-outbox-schema.ts";
import { checkPlaces, placeKinds, type Source, sourceOf } from "./postgres-source.ts";
import { tablesIn } from "./postgres-tables.ts";
import { type Database, type Mode, type Transaction, transaction } from "./postgres-transaction.ts";

/** What a {@link PostgresOutbox} takes: `connectionString` or `pool`, and more. */
export interface PostgresOutboxConfig {
  /** `postgres://user:password@host:5432/database`. Needs the package `pg`. The outbox makes a pool of at most ten connections, and closes it. */
  readonly connectionString?: string | undefined;
  /** A pool of the app, of `pg` or compatible with it. The outbox never closes it. */
  readonly pool?: PostgresPool | undefined;
  /** Where the tables are, beside those of a store if there is one; made if it is not there. Default `"keepsake"`. */
  readonly schema?: string | undefined;
  /** How long completed deliveries are kept. Default 7 days. */
  readonly retainMs?: number | undefined;
  /**
   * Whether a worker keeps a connection on which it hears at once of new work. Default: true, except for a pool of the app that does not say
   * that it has several connections (`options.max`). Where nothing can be heard, as behind a pooler, workers poll.
   */
  readonly listen?: boolean | undefined;
}

/** How soon what others have enqueued, and what has become due, is noticed: where it is heard of, and where not. */
const pollMs = { heard: 2_000, unheard: 200 };

/**
 * An {@link Outbox} in a Postgres database (13 or later), its own or that of a `PostgresStore`: any number of workers on any number of hosts. All
 * deadlines go by the database's clock. The tables are made on first use.
 *
 * @example
 * ```ts
 * const outbox = new PostgresOutbox({ connectionString: process.env.DATABASE_URL });
 * const hook = durable(rememberVerbatim(store), { name: "remember", outbox });
 * ```
 */
export class PostgresOutbox implements Outbox {
  readonly #source: Source;
  readonly #schema: string;
  readonly #retainMs: number;
  readonly #bell: Bell;
  readonly #listener: Listener | undefined;
  #opened: Promise<Database> | undefined;
  #own: OwnPool | undefined;
  #closed = false;

  /** @throws {KeepsakeError} `invalid_config` */
  constructor(config: PostgresOutboxConfig) {
    checkPlaces("A PostgresOutbox", config);
    checkOptions("A PostgresOutbox", config, { ...placeKinds, retainMs: isCount(0), listen: isBoolean });
    this.#source = sourceOf("A PostgresOutbox", config);
    this.#schema = config.schema ?? "keepsake";
    this.#retainMs = config.retainMs ?? defaultRetainMs;
    this.#bell = createBell(
      (hook) => this.#run("read", (tx) => isDue(tx, hook)),
      () => (this.#listener?.isHeard() === true ? pollMs.heard : pollMs.unheard),
    );
    if (config.listen ?? hasSeveral(config)) this.#listener = this.#createListener();
  }

  /**
   * Makes the tables now instead of on first use: for a role that may, where the app's own may not. May be called again, and by several
   * processes at once.
   *
   * @throws {KeepsakeError} `database_failed`, `unsupported_format`, `missing_dependency`
   */
  async setup(): Promise<void> {
    await this.#database();
  }

  async enqueue(delivery: NewDelivery): Promise<{ deliveryId: string } | null> {
    const row = rowOf(delivery);
    const enqueued = await this.#run("write", async (tx) => {
      const outcome = await enqueue(tx, row);
      if (outcome === "due") await this.#notify(tx, row.hook);
      return outcome;
    }).catch((error: unknown) => {
      if (error === repeated) return "none";
      throw error;
    });
    if (enqueued === "due") this.#bell.ring(row.hook);
    return enqueued === "none" ? null : { deliveryId: row.id };
  }

  async lease(
    hook: string,
    options: { readonly limit: number; readonly leaseMs: number },
  ): Promise<LeasedDelivery[]> {
    return this.#run("write", (tx) => lease(tx, hook, options));
  }

  async renew(token: string, leaseMs: number): Promise<boolean> {
    return this.#run("write", (tx) => renew(tx, token, leaseMs));
  }

  async complete(token: string): Promise<boolean> {
    const hook = await this.#run("write", (tx) => complete(tx, token, this.#retainMs));
    // No one else is told: the worker that has completed it looks for the next.
    if (hook !== undefined) this.#bell.ring(hook);
    return hook !== undefined;
  }

  async fail(token: string, error: { readonly message: string }, again: Retry): Promise<boolean> {
    const message = JSON.stringify(String(error.message));
    return this.#changed((tx) => fail(tx, token, { error: message, retry: again }));
  }

  async deadLetters(
    hook?: string,
    { limit = 100, after }: { readonly limit?: number | undefined; readonly after?: string | undefined } = {},
  ): Promise<DeadLetter[]> {
    return this.#run("read", (tx) => deadLetters(tx, hook, { limit, after }));
  }

  async deliveries(query: DeliveryQuery = {}): Promise<DeliveryRecord[]> {
    return this.#run("read", (tx) => listDeliveries(tx, query));
  }

  async retry(deliveryId: string): Promise<boolean> {
    return this.#changed((tx) => retry(tx, deliveryId));
  }

  async discard(deliveryId: string): Promise<boolean> {
    return this.#changed((tx) => discard(tx, deliveryId));
  }

  async erase(namespace: Json): Promise<number> {
    const erased = erasedNamespaces(namespace);
    return this.#run("write", (tx) => erase(tx, erased));
  }

  async stats(hook?: string): Promise<OutboxStats> {
    return this.#run("read", (tx) => stats(tx, hook, this.#retainMs));
  }

  onWork(hook: string, wake: () => void): () => void {
    if (this.#closed) throw this.#closedError();
    this.#listener?.start();
    return this.#bell.listen(hook, wake);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#bell.close();
    await this.#listener?.stop();
    await this.#opened?.catch(() => undefined);
    await this.#own?.end();
  }

  async #run<T>(mode: Mode, body: (tx: Transaction) => Awaitable<T>): Promise<T> {
    return transaction(await this.#database(), mode, body);
  }

  /** Of what comes before others in its lane, everyone is told. */
  async #changed(change: (tx: Transaction) => Promise<string | undefined>): Promise<boolean> {
    const hook = await this.#run("write", async (tx) => {
      const changed = await change(tx);
      if (changed !== undefined && changed !== "") await this.#notify(tx, changed);
      return changed;
    });
    if (hook !== undefined) this.#bell.ring(hook);
    return hook !== undefined;
  }

  /** Heard by others when the transaction is committed. */
  async #notify({ all }: Transaction, hook: string): Promise<void> {
    await all("SELECT pg_notify($1, $2)", channel, this.#payload(hook));
  }

  /** Of a fixed length, whatever the names are. */
  #payload(hook: string): string {
    return hashOf(JSON.stringify([this.#schema, hook]));
  }

  #createListener(): Listener {
    return createListener({
      connect: async () => (await this.#database()).pool,
      send: (payload) => this.#run("write", ({ all }) => all("SELECT pg_notify($1, $2)", channel, payload)),
      receive: (payload) => {
        for (const hook of this.#bell.hooks()) if (this.#payload(hook) === payload) this.#bell.ring(hook);
      },
    });
  }

  /** Opened with the first use; a failure is not kept. */
  #database(): Promise<Database> {
    if (this.#closed) return Promise.reject(this.#closedError());
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #open(): Promise<Database> {
    const source = this.#source;
    if (source.kind === "string") this.#own ??= await openPool(source.connectionString);
    const pool = source.kind === "pool" ? source.pool : this.#own;
    if (pool === undefined) throw this.#closedError();
    const database = { pool, tables: tablesIn(this.#schema), subject: source.target, guarded: false };
    await prepareOutbox(database);
    return database;
  }

  #closedError(): KeepsakeError {
    return new KeepsakeError("closed", "The outbox is closed. Make another one.");
  }
}

/** True where a connection can be kept without the others having none. */
function hasSeveral({ pool }: PostgresOutboxConfig): boolean {
  if (pool === undefined) return true;
  const options: unknown = "options" in pool ? pool.options : undefined;
  return isRecord(options) && typeof options.max === "number" && options.max > 1;
}

function rowOf(delivery: NewDelivery): DeliveryRow {
  const { hook, deliveryId, namespace, threadId, messages } = delivery;
  const name = namespaceText(namespace);
  return {
    id: deliveryId ?? crypto.randomUUID(),
    hook,
    namespace: name,
    namespaceHash: hashOf(name),
    thread: threadId === undefined ? null : JSON.stringify(threadId),
    messages: messages.map(({ identity, body }) => ({
      claim: identity === undefined ? undefined : hashOf(JSON.stringify(identity)),
      body,
    })),
  };
}

/** Half a SHA-256: no two texts that anyone can find have the same. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
