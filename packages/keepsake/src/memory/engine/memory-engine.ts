import type { RememberFn } from "../../delivery/index.ts";
import type { Item } from "../../store/index.ts";
import { hookNamespace } from "../hook-namespace.ts";
import { recallContext } from "../recall/context.ts";
import { recall } from "../recall/recall.ts";
import type { ContextOptions, RecallMatch, RecallOptions } from "../recall/types.ts";
import { memoryRecord } from "../record.ts";
import type { MemoryRecord } from "../types.ts";
import type { EngineCore } from "./core.ts";
import { createCore } from "./create-core.ts";
import { eraseNamespace, ownNamespace } from "./erase.ts";
import type { EngineStats } from "./events.ts";
import { forgetMemories } from "./forget.ts";
import { historyOf, restoreVersion } from "./history.ts";
import { listMemories } from "./list.ts";
import { rememberContent } from "./remember.ts";
import { traced } from "./telemetry.ts";
import type {
  EraseOptions,
  ForgetOptions,
  HistoryEntry,
  ListOptions,
  MemoryEngineOptions,
  RememberOptions,
  UpdateOptions,
} from "./types.ts";
import { updateMemory } from "./update-memory.ts";

/**
 * Long-term memory: finds the facts of conversations, weighs them against what it knows, keeps them with where they come from and what they
 * were before, and recalls those that answer a question.
 *
 * @example
 * ```ts
 * const engine = new MemoryEngine({ store, model: "anthropic:claude-sonnet-5" });
 * await engine.remember(messages, ["memories", "asha"]);
 * const matches = await engine.recall("which seat?", ["memories", "asha"], { limit: 5 });
 * ```
 */
export class MemoryEngine {
  readonly #core: EngineCore;
  /**
   * A hook for `onPrune` of a reducer: remembers what leaves the window. A missing namespace throws; a path, such as `"/memories/asha"`, or a
   * single label is read as recall reads it.
   */
  readonly onPrune: RememberFn<unknown>;

  /** @throws {KeepsakeError} `invalid_config` */
  constructor(options: MemoryEngineOptions) {
    this.#core = createCore(options);
    this.onPrune = async (messages, namespace, { deliveryId, threadId, signal }) => {
      const own = ownNamespace(hookNamespace(namespace), "onPrune");
      await this.remember(messages, own, { deliveryId, threadId, signal });
    };
  }

  /**
   * Remembers what a text, a message, or a list of either says: at most one call of the model to find facts (and one more where its answer
   * could not be read), at most one to weigh them. Gives the memories that were written.
   *
   * With a `deliveryId` what is to be written is decided once and stored before the first write: repeated after a failure, also in another
   * process, it goes on where it stopped, without the model.
   *
   * @throws {KeepsakeError} `invalid_namespace`, `invalid_input`, `invalid_config`, `extraction_failed`; what the model or the store throws
   */
  async remember(
    content: unknown,
    namespace: readonly string[],
    options: RememberOptions = {},
  ): Promise<readonly MemoryRecord[]> {
    const own = ownNamespace(namespace, "remember");
    return traced(
      "remember",
      () => rememberContent(this.#core, content, own, options),
      (records) => ({ "keepsake.memories.written": records.length }),
    );
  }

  /**
   * The memories that answer a query best, of the namespace and those below it. An empty query recalls nothing.
   *
   * @throws {KeepsakeError} `invalid_namespace`, `invalid_input`, `invalid_config`; what the store throws
   */
  async recall(
    query: string,
    namespace: readonly string[],
    options: RecallOptions = {},
  ): Promise<RecallMatch[]> {
    const own = ownNamespace(namespace, "recall");
    const { store, settings, reporter } = this.#core;
    const matches = await traced(
      "recall",
      () => recall(store, settings, query, own, options),
      (found) => ({ "keepsake.memories.recalled": found.length }),
    );
    reporter.emit({ type: "recalled", namespace: own, count: matches.length });
    return matches;
  }

  /**
   * The memories that answer a query best as one block for a prompt, as many as fit; empty where there are none.
   *
   * @throws {KeepsakeError} as {@link recall}
   */
  async context(query: string, namespace: readonly string[], options: ContextOptions = {}): Promise<string> {
    const own = ownNamespace(namespace, "context");
    const { store, settings } = this.#core;
    return traced(
      "context",
      () => recallContext(store, settings, query, own, options),
      (block) => ({ "keepsake.context.characters": block.length }),
    );
  }

  /** The memory at a key, or null. @throws {KeepsakeError} `invalid_namespace`, `invalid_key`; what the store throws */
  async get(namespace: readonly string[], key: string): Promise<MemoryRecord | null> {
    const item: Item | null = await this.#core.store.get(ownNamespace(namespace, "get"), key);
    return item === null ? null : memoryRecord(item, this.#core.settings);
  }

  /** The memories of a namespace itself, the newest first. @throws {KeepsakeError} `invalid_namespace`, `invalid_config`, `invalid_filter` */
  async list(namespace: readonly string[], options: ListOptions = {}): Promise<MemoryRecord[]> {
    return listMemories(this.#core, ownNamespace(namespace, "list"), options);
  }

  /**
   * Replaces what the memory at a key says; what it said before stays in its history. Gives null where there is no such memory.
   *
   * @throws {KeepsakeError} `invalid_input`: content that is empty, or does not fit the schema of the memory; `invalid_namespace`,
   * `invalid_key`, `invalid_config`; what the store throws
   */
  async update(
    namespace: readonly string[],
    key: string,
    content: unknown,
    options: UpdateOptions = {},
  ): Promise<MemoryRecord | null> {
    const own = ownNamespace(namespace, "update");
    const record = await updateMemory(this.#core, own, key, content, options);
    if (record === null) return null;
    const batch = { namespace: own, threadId: undefined, deliveryId: undefined };
    this.#core.reporter.emit({ type: "updated", ...batch, key, reason: options.reason });
    return record;
  }

  /**
   * Forgets the memories of a namespace that fulfil all that is given; gives how many. Saves that have begun before do not bring them back.
   * Their versions stay in the history, unless they are purged.
   *
   * @throws {KeepsakeError} `invalid_input`: no criterion; `invalid_namespace`, `invalid_config`; what the store throws
   */
  async forget(namespace: readonly string[], options: ForgetOptions): Promise<number> {
    const own = ownNamespace(namespace, "forget");
    return traced(
      "forget",
      () => forgetMemories(this.#core, own, options),
      (count) => ({ "keepsake.memories.forgotten": count }),
    );
  }

  /** The versions of a memory, the newest first. @throws {KeepsakeError} `invalid_namespace`; what the store throws */
  async history(namespace: readonly string[], key: string): Promise<HistoryEntry[]> {
    return historyOf(this.#core, ownNamespace(namespace, "history"), key);
  }

  /**
   * Makes an earlier version of a memory the current one, also where it was forgotten.
   *
   * @throws {KeepsakeError} `invalid_input`: there is no such version; `invalid_namespace`; what the store throws
   */
  async restore(namespace: readonly string[], key: string, version: number): Promise<MemoryRecord> {
    const own = ownNamespace(namespace, "restore");
    const record = await restoreVersion(this.#core, own, key, version);
    this.#core.reporter.emit({ type: "restored", namespace: own, key });
    return record;
  }

  /**
   * Removes everything that keepsake has of a namespace and of those below it: memories, raw turns, their history, plans, tombstones, and
   * what waits in the outboxes that are given. Gives how many items. Saves that have begun before bring nothing back.
   *
   * @throws {KeepsakeError} `invalid_namespace`, `invalid_config`; what the store or an outbox throws: call it again then
   */
  async erase(namespace: readonly string[], options: EraseOptions = {}): Promise<number> {
    const own = ownNamespace(namespace, "erase");
    return traced(
      "erase",
      () => eraseNamespace(this.#core, own, options),
      (count) => ({ "keepsake.items.erased": count }),
    );
  }

  /** What the engine has done since it was made. */
  stats(): EngineStats {
    return this.#core.reporter.stats();
  }
}
