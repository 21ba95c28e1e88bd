import { KeepsakeError } from "../errors/index.ts";
import { after, inOrder } from "./after.ts";
import type { IndexedPage, StoreBackend } from "./backend.ts";
import type { BatchResults, StoreOperation } from "./batch.ts";
import { termsWith } from "./index-fields.ts";
import { listingPlan } from "./list-namespaces.ts";
import { checkNamespace, checkPrefix } from "./namespace.ts";
import { createRuntime, type Runtime } from "./runtime.ts";
import { checkNames, readCount, readFilter } from "./search-options.ts";
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

/** Items whose index is made again in one transaction. */
const reindexPage = 200;

/** What every store of keepsake takes. */
export interface StoreConfig {
  /** What of a value is searchable; default the whole value. */
  readonly index?: IndexConfig;
  /** The clock, in milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
}

/**
 * A {@link Store} over a {@link StoreBackend}: checks what comes in, copies what goes out, carries out batches, opens the backend on first
 * use and again after a failure. Made for subclasses that bring a backend.
 */
export class BackedStore implements Store {
  readonly capabilities: StoreCapabilities;
  readonly #runtime: Runtime;
  readonly #index: StoreIndex;

  constructor(backend: StoreBackend, config: StoreConfig = {}) {
    this.#index = resolveIndex(config.index);
    this.#runtime = createRuntime(backend, termsWith(this.#index.fields), config.now ?? Date.now);
    this.capabilities = { ...backend.capabilities, vector: this.#index.embedder !== undefined };
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
  async batch(operations: readonly unknown[]): Promise<unknown[]> {
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
    const results = await this.#runtime.run(mode, (session) => runSteps(steps, [], session));
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
    options?: PutOptions,
  ): Promise<number | null> {
    const expected = expectedVersion === null ? null : readCount("expectedVersion", expectedVersion, 1);
    return this.#execute(putStep({ namespace, key, value, options, expectedVersion: expected }, this.#index));
  }

  /** Removes every item under the prefix that satisfies the filter, and returns how many. @throws {KeepsakeError} as {@link search} */
  async deleteAll(prefix: Namespace, options?: { filter?: Filter }): Promise<number> {
    checkNames(options, ["filter"]);
    const checked = checkNamespace(prefix);
    const matches = readFilter(options?.filter);
    return this.#runtime.run("write", (session) => session.deleteAll(checked, matches));
  }

  /** @throws {KeepsakeError} as {@link search} */
  async count(prefix: Namespace, options?: { filter?: Filter }): Promise<number> {
    checkNames(options, ["filter"]);
    const checked = checkPrefix(prefix);
    const matches = readFilter(options?.filter);
    return this.#runtime.run("read", (session) => session.count(checked, matches));
  }

  /**
   * Makes the text index again, a page of items at a time: for items that were written under other `index.fields`.
   *
   * @throws {KeepsakeError} `unsupported` with `embed`, `database_failed`, `closed`
   */
  async reindex(
    options: { embed?: Embed; onProgress?: (done: number, total: number) => void; signal?: AbortSignal } = {},
  ): Promise<number> {
    checkNames(options, ["embed", "onProgress", "signal"]);
    if (options.embed !== undefined) {
      throw new KeepsakeError(
        "unsupported",
        "This version of keepsake has no vectors to make again; leave `embed` out.",
      );
    }
    const total = await this.#runtime.run("read", (session) => session.size(), options.signal);
    let done = 0;
    let next: number | undefined;
    do {
      const page = await this.#reindexPage(next, options.signal);
      next = page.next;
      done += page.items.length;
      if (page.items.length > 0) options.onProgress?.(done, Math.max(done, total));
    } while (next !== undefined);
    return done;
  }

  /** Waits for what runs, then closes; further calls reject with `closed`. May be called again. */
  async close(): Promise<void> {
    await this.#runtime.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #execute<T>(step: Step<T>, signal?: AbortSignal): Promise<T> {
    return this.#runtime.run(
      step.writes ? "write" : "read",
      (session) => step.run(session, undefined),
      signal,
    );
  }

  #reindexPage(start: number | undefined, signal: AbortSignal | undefined): Promise<IndexedPage> {
    const termsOf = termsWith(this.#index.fields);
    return this.#runtime.run(
      "write",
      (session) =>
        after(session.page(start, reindexPage), (page) =>
          after(
            inOrder(page.items, (item) => session.reindex(item, termsOf(item.json, item.index), "keep")),
            () => page,
          ),
        ),
      signal,
    );
  }
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
