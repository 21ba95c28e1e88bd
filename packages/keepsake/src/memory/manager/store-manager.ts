import {
  type FoundMemory,
  type HostStore,
  isHostStore,
  namespaceTemplate,
  type StoredMemory,
} from "../../store/index.ts";
import { checkOptions, isBoolean, isCount, isFunction, isRecord, type OptionKind } from "../../util/index.ts";
import type { ModelInput } from "../models/inputs.ts";
import { memoryModel } from "../models/memory-model.ts";
import { defaultMaker } from "./default-memory.ts";
import {
  type ManagerInput,
  type MemoryManagerOptions,
  managerKinds,
  managerSettings,
} from "./memory-manager.ts";
import type { ManagerConfig } from "./open-run.ts";
import { type MemoryQuery, storeProxies } from "./store-proxies.ts";
import {
  type MemoryPhase,
  type MemoryPut,
  runStoreManager,
  type StoreManagerParts,
  type StoreManagerResult,
} from "./store-run.ts";

/** How {@link createMemoryStoreManager} works. */
export interface MemoryStoreManagerOptions
  extends Omit<MemoryManagerOptions, "enableUpdates" | "enableInserts"> {
  /** Default true; false where there is a default, so that it stays the only one. */
  readonly enableInserts?: boolean;
  /** Makes one evolving memory, under the key `default`: what it is before anything was said. A text for memories of plain text only. */
  readonly default?: string | Readonly<Record<string, unknown>>;
  /** Makes the default of one call. Not together with `default`. */
  readonly defaultFactory?: (config: ManagerConfig) => unknown;
  /** Proposes what to search for; default: the last message of a person and the last messages are searched with. */
  readonly queryModel?: ModelInput;
  /** The most memories that the model is shown. Default 5. */
  readonly queryLimit?: number;
  /** Where the memories are; `{placeholders}` are filled per call from `configurable`, then `context`. Default `["memories", "{langgraph_user_id}"]`. */
  readonly namespace?: string | readonly string[];
  /** Default: that of the call's config. */
  readonly store?: HostStore;
  readonly phases?: readonly MemoryPhase[];
}

/** A manager that reads and writes a store. */
export interface MemoryStoreManager {
  /** As `invoke`. */
  (input: ManagerInput, config?: ManagerConfig): Promise<MemoryPut[]>;
  /**
   * Reads messages, finds the memories that bear on them, lets the model correct and complete them, and writes what changed. Returns what was
   * written; `run` tells of deletions as well.
   *
   * @throws {KeepsakeError} `missing_store`, `missing_namespace_value`, `extraction_failed`, `invalid_input`, `overtaken`; and what store and
   * provider throw
   */
  invoke(input: ManagerInput, config?: ManagerConfig): Promise<MemoryPut[]>;
  /**
   * As `invoke`, and tells everything that was done.
   *
   * @throws {KeepsakeError} `missing_store`, `missing_namespace_value`, `extraction_failed`, `invalid_input`, `overtaken`; and what store and
   * provider throw
   */
  run(input: ManagerInput, config?: ManagerConfig): Promise<StoreManagerResult>;
  /**
   * A memory by its key. Where the manager has a default, `get("default")` gives it before it is stored.
   *
   * @throws {KeepsakeError} `missing_store`, `missing_namespace_value`
   */
  get(key: string, config?: ManagerConfig): Promise<StoredMemory | null>;
  /**
   * Memories of the namespace and of those below it, the best first where there is a query.
   *
   * @throws {KeepsakeError} `missing_store`, `missing_namespace_value`
   */
  search(query: MemoryQuery, config?: ManagerConfig): Promise<FoundMemory[]>;
  /**
   * Writes a memory of the app's own, over the one that has the key.
   *
   * @throws {KeepsakeError} `missing_store`, `missing_namespace_value`; `invalid_value`: the content does not follow the schema that its kind names
   */
  put(key: string, value: Record<string, unknown>, config?: ManagerConfig): Promise<void>;
  /**
   * Removes a memory, whatever it says by now; its last version is kept.
   *
   * @throws {KeepsakeError} `missing_store`, `missing_namespace_value`
   */
  delete(key: string, config?: ManagerConfig): Promise<void>;
  /** The labels of the namespace, as they were given. */
  readonly namespace: readonly string[];
}

const subject = "createMemoryStoreManager";
const defaultNamespace: readonly string[] = ["memories", "{langgraph_user_id}"];

const kinds: Readonly<Record<string, OptionKind>> = {
  ...managerKinds,
  default: ["a text or an object", (value) => typeof value === "string" || isRecord(value)],
  defaultFactory: isFunction,
  queryModel: ["a model", (value) => value !== null],
  queryLimit: isCount(1),
  namespace: [
    "a string or an array of strings",
    (value) => typeof value === "string" || Array.isArray(value),
  ],
  store: ["a store with get, put, delete and search", isHostStore],
  phases: ["an array of phases", (value) => Array.isArray(value) && value.every(isRecord)],
};

const phaseKinds: Readonly<Record<keyof MemoryPhase, OptionKind>> = {
  instructions: ["a string", (value) => typeof value === "string"],
  includeMessages: isBoolean,
  enableInserts: isBoolean,
  enableDeletes: isBoolean,
};

/**
 * A manager of memories in a store: what is told in messages is inserted, and corrects what is there. Values are `{ kind, content }`, as
 * langmem writes them; what the memory tools wrote is read and corrected in its own form.
 *
 * @throws {KeepsakeError} `invalid_config`
 * @example
 * ```ts
 * const manager = createMemoryStoreManager("anthropic:claude-sonnet-5", {
 *   schemas: { Profile }, default: {}, namespace: ["memories", "{userId}"], store,
 * });
 * await manager.invoke({ messages }, { configurable: { userId } });
 * ```
 */
export function createMemoryStoreManager(
  model: ModelInput,
  options: MemoryStoreManagerOptions = {},
): MemoryStoreManager {
  const parts = partsOf(model, options);
  const invoke = async (input: ManagerInput, config?: ManagerConfig): Promise<MemoryPut[]> =>
    (await runStoreManager(input, config, parts)).puts;
  return Object.assign((input: ManagerInput, config?: ManagerConfig) => invoke(input, config), {
    invoke,
    run: (input: ManagerInput, config?: ManagerConfig) => runStoreManager(input, config, parts),
    ...storeProxies(parts),
    namespace: parts.template.labels,
  });
}

function partsOf(model: ModelInput, options: MemoryStoreManagerOptions): StoreManagerParts {
  checkOptions(subject, options, kinds);
  const { phases = [], store, queryModel, queryLimit = 5, namespace = defaultNamespace } = options;
  for (const phase of phases) checkOptions(`${subject}, phases`, phase, phaseKinds);
  const hasDefault = options.default !== undefined || options.defaultFactory !== undefined;
  const { schemas, instructions, enableInserts = !hasDefault, enableDeletes, onEvent, logger, now } = options;
  const settings = managerSettings(subject, model, {
    ...{ schemas, instructions, enableInserts, enableUpdates: true, enableDeletes, onEvent, logger, now },
  });
  return {
    ...{ settings, phases, store, queryLimit },
    template: namespaceTemplate(namespace),
    makeDefault: defaultMaker(options, settings.schemas),
    queryModel: queryModel === undefined ? undefined : memoryModel(queryModel),
  };
}
