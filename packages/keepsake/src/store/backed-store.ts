import { KeepsakeError } from "../errors/index.ts";
import { type Awaitable, harmless, isLogger, type Logger } from "../util/index.ts";
import { after } from "./after.ts";
import type { BackendSession, StoreBackend } from "./backend.ts";
import type { BatchResults, StoreOperation } from "./batch.ts";
import { createTextEmbedder, type TextEmbedder } from "./embed-texts.ts";
import { fieldsAsText, termsWith } from "./index-fields.ts";
import { listingPlan } from "./list-namespaces.ts";
import { checkNamespace, checkPrefix } from "./namespace.ts";
import { moveToModel, reindexItems } from "./reindex.ts";
import { resolveEmbedder } from "./resolve-embedder.ts";
import { createRuntime, type RunSession, type Runtime } from "./runtime.ts";
import { checkNames, readCount, readDeletionFilter, readFilter } from "./search-options.ts";
import {
  deleteStep,
  getStep,
  listStep,
  operationStep,
  putStep,
  runSteps,
  type Step,
  searchStep,
} from "./steps.ts";
import { resolveIndex, type StoreIndex } from "./store-index.ts";
import type {
  CompareAndSetOptions,
  Embed,
  Filter,
  IndexConfig,
  Item,
  ListNamespacesOptions,
  Namespace,
  PutOptions,
  SearchItem,
  SearchOptions,
  Store,
  StoreCapabilities,
} from "./types.ts";
import {
  admitVectors,
  type PreparedVectors,
  prepareVectors,
  type VectorOutcome,
  type Wanted,
} from "./vectors.ts";
import { createWriteOrder, type Touched, type WriteOrder } from "./write-order.ts";

/** What every store of keepsake takes. */
export interface StoreConfig {
  /** What of a value is searchable; default the whole value. */
  readonly index?: IndexConfig;
  /** The clock, in milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
  /** Told once of each thing that goes wrong without an error: an embedder that fails, for instance. Default `console`. */
  readonly logger?: Logger;
}

/**
 * A {@link Store} over a {@link StoreBackend}: checks what comes in, copies what goes out, carries out batches, opens the backend on first
 * use and again after a failure. Made for subclasses that bring a backend.
 */
export class BackedStore implements Store {
  readonly #backendCapabilities: StoreCapabilities;
  readonly #runtime: Runtime;
  readonly #logger: Logger;
  readonly #warned: Set<string> = new Set();
  readonly #order: WriteOrder = createWriteOrder();
  #index: StoreIndex;
  /** Settles when the store has moved to another model, or could not. */
  #moving: Promise<unknown> | undefined;
  /** True once the store's fields are known to be recorded with the items. */
  #recorded = false;

  constructor(backend: StoreBackend, config: StoreConfig = {}) {
    this.#index = resolveIndex(config.index);
    this.#runtime = createRuntime(backend, termsWith(this.#index.fields), readClock(config.now));
    this.#logger = readLogger(config.logger);
    this.#backendCapabilities = backend.capabilities;
  }

  get capabilities(): StoreCapabilities {
    const { vector } = this.#backendCapabilities;
    return { ...this.#backendCapabilities, vector: vector && this.#index.embedder !== undefined };
  }

  /** Does nothing: the store opens itself. LangGraph's `BaseStore` has it. */
  start(): void {}

  /** Does nothing: see {@link close}. LangGraph's `BaseStore` has it. */
  stop(): void {}

  /**
   * Carries out LangGraph's operations in order, as one transaction where the database has them; a later one sees an earlier one.
   *
   * @throws {KeepsakeError} `batch_failed` after every valid operation was carried out, if one was not: `data.results` has their results,
   * `data.errors` the index and error of each of the others.
   */
  batch<const Operations extends readonly StoreOperation[]>(
    operations: Operations,
  ): Promise<BatchResults<Operations>>;
  // biome-ignore lint/suspicious/noExplicitAny: as in the interface
  batch(operations: readonly unknown[]): Promise<any>;
  async batch(operations: readonly unknown[]): Promise<readonly unknown[]> {
    if (!Array.isArray(operations))
      throw new KeepsakeError("invalid_input", "`batch` takes an array of operations.");
    const errors: BatchError[] = [];
    const steps = Array.from(operations, (operation: unknown, index) => {
      try {
        return operationStep(operation, this.#index);
      } catch (error) {
        errors.push({ index, error });
        return undefined;
      }
    });
    const mode = steps.some((step) => step?.writes === true) ? "write" : "read";
    const results = await this.#withVectors(steps, async (sessionWith) => {
      const { result, refusals } = await sessionWith(mode, (session, outcomes) =>
        runSteps(steps, outcomes, session),
      );
      errors.push(...result.errors, ...refusals);
      return result.results;
    });
    if (errors.length > 0) throw batchFailed(errors, results);
    return results;
  }

  /** @throws {KeepsakeError} `invalid_namespace`, `invalid_key`, `database_failed`, `closed` */
  async get(namespace: Namespace, key: string): Promise<Item | null> {
    return this.#execute(getStep({ namespace, key }));
  }

  /** @throws {KeepsakeError} `invalid_namespace`, `invalid_key`, `invalid_value`, `invalid_input`, `database_failed`, `closed` */
  async put(
    namespace: Namespace,
    key: string,
    value: Record<string, unknown>,
    index?: false | string[],
    options?: PutOptions,
  ): Promise<void> {
    await this.#execute(putStep({ namespace, key, value, index, options }, this.#index));
  }

  /** @throws {KeepsakeError} `invalid_namespace`, `invalid_key`, `database_failed`, `closed` */
  async delete(namespace: Namespace, key: string): Promise<void> {
    await this.#execute(deleteStep({ namespace, key }));
  }

  /** @throws {KeepsakeError} `invalid_namespace`, `invalid_filter`, `invalid_input`, `unsupported`, `database_failed`, `closed` */
  async search(prefix: Namespace, options?: SearchOptions): Promise<SearchItem[]> {
    checkNames(options);
    return this.#execute(searchStep(prefix, options, this.#index), options?.signal);
  }

  /** @throws {KeepsakeError} `invalid_namespace`, `invalid_input`, `database_failed`, `closed` */
  async listNamespaces(options?: ListNamespacesOptions): Promise<string[][]> {
    checkNames(options, ["prefix", "suffix", "maxDepth", "limit", "offset"]);
    return this.#execute(listStep(listingPlan(options)));
  }

  /** @throws {KeepsakeError} as {@link put} */
  async compareAndSet(
    namespace: Namespace,
    key: string,
    expectedVersion: number | null,
    value: Record<string, unknown>,
    options?: CompareAndSetOptions,
  ): Promise<number | null> {
    const expected = expectedVersion === null ? null : readCount("expectedVersion", expectedVersion, 1);
    const { index, ...others } = options ?? {};
    return this.#execute(
      putStep({ namespace, key, value, index, options: others, expectedVersion: expected }, this.#index),
    );
  }

  /**
   * Removes every item under the prefix that satisfies the filter, and returns how many. Without options it removes all of them; a `filter`
   * that is given must be one.
   *
   * @throws {KeepsakeError} as {@link search}
   */
  async deleteAll(prefix: Namespace, options?: { filter?: Filter }): Promise<number> {
    const checked = checkNamespace(prefix);
    const matches = options === undefined ? undefined : readDeletionFilter(options);
    return this.#runtime.enter((run) =>
      this.#inTurn([{ namespace: checked, key: undefined }], async (earlier) => {
        await earlier;
        return run("write", (session) => session.deleteAll(checked, matches));
      }),
    );
  }

  /** @throws {KeepsakeError} as {@link search} */
  async count(prefix: Namespace, options?: { filter?: Filter }): Promise<number> {
    checkNames(options, ["filter"]);
    const checked = checkPrefix(prefix);
    const matches = readFilter(options?.filter);
    return this.#runtime.run("read", (session) => session.count(checked, matches));
  }

  /**
   * Makes the index of every item again, a page at a time, while reads and writes go on: after a change of `index.fields`, or for items whose
   * embedding failed. Texts whose vectors are there are not embedded again. With `embed` the store moves to that model: vectors of another
   * are dropped at the start, and items are found by their words until their turn comes. What was interrupted goes on with the next call.
   * Returns the number of items.
   *
   * @throws {KeepsakeError} `embedding_failed`, `invalid_embedding`: what is done stays done; `invalid_config`, `database_failed`, `closed`
   */
  async reindex(
    options: {
      embed?: Embed | string;
      onProgress?: (done: number, total: number) => void;
      signal?: AbortSignal;
    } = {},
  ): Promise<number> {
    checkNames(options, ["embed", "onProgress", "signal"]);
    const { embed, onProgress, signal } = options;
    if (onProgress !== undefined && typeof onProgress !== "function")
      throw new KeepsakeError("invalid_input", "`onProgress` is a function (done, total) => void.");
    const moved = embed === undefined ? undefined : createTextEmbedder(resolveEmbedder(embed), undefined);
    return this.#runtime.enter(async (run) => {
      if (moved !== undefined) {
        await this.#moveTo(moved, run, signal);
      }
      const { fields, embedder } = this.#index;
      return reindexItems({ run, fields, embedder, onProgress, signal });
    });
  }

  /** Makes files small and statistics fresh, where the database has either. May take a while; reads and writes wait. */
  async maintain(): Promise<void> {
    await this.#runtime.maintain();
  }

  /** Waits for what runs, then closes; further calls reject with `closed`. May be called again. */
  async close(): Promise<void> {
    await this.#runtime.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #execute<T>(step: Step<T>, signal?: AbortSignal): Promise<T> {
    return this.#withVectors(
      [step],
      async (sessionWith) => {
        const { result, refusals } = await sessionWith(step.writes ? "write" : "read", (session, [outcome]) =>
          step.run(session, outcome?.vectors),
        );
        const [refusal] = refusals;
        // Null: nothing was written.
        if (refusal !== undefined && result !== null) throw refusal.error;
        return result;
      },
      signal,
    );
  }

  /** Embeds what the steps want, then lets `work` run a session with it. */
  async #withVectors<R>(
    steps: readonly (Step<unknown> | undefined)[],
    work: (sessionWith: SessionWithVectors) => Promise<R>,
    signal?: AbortSignal,
  ): Promise<R> {
    const wanted = steps.map((step) => step?.wanted);
    const places = steps.flatMap((step) => step?.place ?? []);
    return this.#runtime.enter((run) =>
      this.#inTurn(places, async (earlier) => {
        let prepared = await this.#prepare(wanted, run, signal);
        if (earlier !== undefined) await earlier;
        return work(async (mode, inSession) => {
          for (;;) {
            const { vectors, embedder } = prepared;
            let outcomes: readonly (VectorOutcome | undefined)[] = [];
            const done = await this.#session(
              run,
              mode,
              (session) => {
                if (vectors !== undefined && this.#hasMoved(embedder)) return undefined;
                return after(
                  vectors === undefined ? [] : admitVectors(vectors, session, wanted),
                  (admitted) => {
                    outcomes = admitted;
                    return after(inSession(session, admitted), (result) => ({ result }));
                  },
                );
              },
              signal,
            );
            if (done !== undefined) return { ...done, refusals: this.#refusals(wanted, outcomes) };
            prepared = await this.#prepare(wanted, run, signal);
          }
        });
      }),
    );
  }

  async #moveTo(embedder: TextEmbedder, run: RunSession, signal: AbortSignal | undefined): Promise<void> {
    const moving = moveToModel(embedder, run, signal).then(() => {
      this.#index = { ...this.#index, embedder };
    });
    this.#moving = moving;
    try {
      await moving;
    } finally {
      if (this.#moving === moving) this.#moving = undefined;
    }
  }

  /** True where vectors of the embedder may be those of a model that the store has left. */
  #hasMoved(embedder: TextEmbedder | undefined): boolean {
    return this.#moving !== undefined || this.#index.embedder !== embedder;
  }

  /** Gives the work what to wait for before it writes, and lets later writes of the same items wait for it. */
  async #inTurn<R>(
    touched: readonly Touched[],
    work: (earlier: Promise<unknown> | undefined) => Promise<R>,
  ): Promise<R> {
    const turn = this.#order.enter(touched);
    try {
      return await work(turn.earlier);
    } finally {
      turn.end();
    }
  }

  async #prepare(
    wanted: readonly (Wanted | undefined)[],
    run: RunSession,
    signal: AbortSignal | undefined,
  ): Promise<Preparation> {
    if (wanted.every((want) => want === undefined)) return { vectors: undefined, embedder: undefined };
    await this.#moving?.catch(() => undefined);
    const { embedder } = this.#index;
    if (embedder === undefined) return { vectors: undefined, embedder };
    return { vectors: await prepareVectors(wanted, embedder, (read) => run("read", read), signal), embedder };
  }

  /** A session that sees to it that the fields of the index are recorded with the items, and tells where they were others. */
  async #session<T>(
    run: RunSession,
    mode: "read" | "write",
    work: (session: BackendSession) => Awaitable<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (this.#recorded) return run(mode, work, signal);
    const fields = fieldsAsText(this.#index.fields);
    let recorded: string | undefined;
    const result = await run(
      mode,
      (session) =>
        after(session.indexRecord(), (record) => {
          recorded = record.fields;
          if (record.fields !== undefined || mode === "read") return work(session);
          recorded = fields;
          return after(session.recordIndex({ ...record, fields }), () => work(session));
        }),
      signal,
    );
    this.#recorded = recorded !== undefined;
    if (recorded !== undefined && recorded !== fields) this.#warnOfFields(recorded, fields);
    return result;
  }

  #warnOfFields(recorded: string, fields: string): void {
    this.#warn(
      "fields",
      `The stored items were indexed by the fields ${recorded}; this store has ${fields}. Items written before keep their index; \`reindex()\` makes it again.`,
    );
  }

  /** Warns of what can wait; gives back what the caller must know. */
  #refusals(
    wanted: readonly (Wanted | undefined)[],
    outcomes: readonly (VectorOutcome | undefined)[],
  ): Refusal[] {
    return outcomes.flatMap((outcome, index) => {
      const error = outcome?.error;
      const want = wanted[index];
      if (error === undefined || want === undefined) return [];
      if (want.kind === "query" && want.mode === "vector") return [{ index, error }];
      if (want.kind === "query") {
        this.#warn(
          `query ${error.code}`,
          `A query was searched for by its words alone. ${error.message}`,
          error,
        );
        return [];
      }
      if (error.code !== "embedding_failed") return [{ index, error: refusalOf(error) }];
      this.#warn(
        "item embedding_failed",
        `An item was stored without vectors and is found by its words alone; \`reindex()\` makes up for it. ${error.message}`,
        error,
      );
      return [];
    });
  }

  #warn(topic: string, message: string, ...details: unknown[]): void {
    if (this.#warned.has(topic)) return;
    this.#warned.add(topic);
    this.#logger.warn(`keepsake: ${message}`, ...details);
  }
}

/** A clock that is checked each time: the date of an item decides what is found first, and what has expired. */
function readClock(now: unknown = Date.now): () => number {
  if (!isClock(now)) {
    throw new KeepsakeError("invalid_config", "`now` is a function that gives milliseconds since 1970.", {
      data: { now: harmless(now) },
    });
  }
  return () => {
    const time = now();
    if (typeof time === "number" && Number.isFinite(time)) return time;
    throw new KeepsakeError(
      "invalid_config",
      `The store's \`now\` gave ${String(harmless(time))}; it gives milliseconds since 1970, as \`Date.now\` does.`,
      { data: { time: harmless(time) } },
    );
  };
}

function isClock(value: unknown): value is () => unknown {
  return typeof value === "function";
}

function readLogger(logger: unknown = console): Logger {
  const [expected, fits] = isLogger;
  if (fits(logger)) return logger as Logger;
  throw new KeepsakeError("invalid_config", `\`logger\` is ${expected}.`, {
    data: { logger: harmless(logger) },
  });
}

type SessionWithVectors = <T>(
  mode: "read" | "write",
  work: (session: BackendSession, outcomes: readonly (VectorOutcome | undefined)[]) => Awaitable<T>,
) => Promise<{ result: T; refusals: readonly Refusal[] }>;

interface Preparation {
  readonly vectors: PreparedVectors | undefined;
  readonly embedder: TextEmbedder | undefined;
}

interface Refusal {
  readonly index: number;
  readonly error: KeepsakeError;
}

function refusalOf(error: KeepsakeError): KeepsakeError {
  return new KeepsakeError(
    error.code,
    `The item was stored and is found by its words, but has no vectors: ${error.message}`,
    { cause: error, data: error.data },
  );
}

interface BatchError {
  readonly index: number;
  readonly error: unknown;
}

function batchFailed(errors: readonly BatchError[], results: readonly unknown[]): KeepsakeError {
  const [first] = errors;
  const reason = first?.error instanceof Error ? first.error.message : String(first?.error);
  return new KeepsakeError(
    "batch_failed",
    `${errors.length} of ${results.length} operations of the batch failed, the others were carried out. Operation ${first?.index}: ${reason}`,
    { cause: first?.error, data: { results, errors } },
  );
}
