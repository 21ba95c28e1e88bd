import type { JsonSchema } from "../schema/index.ts";
import type { Filter, FoundMemory, HostStore } from "../store/index.ts";

export type { FoundMemory, StoredMemory } from "../store/index.ts";

/** What the memory tools need of a store: keepsake's stores and LangGraph's have it. */
export type ToolStore = HostStore;

/** A memory as an engine gives it; a `MemoryRecord` fits. */
export interface EngineMemory {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly kind: string;
  readonly content: unknown;
  readonly role: string | undefined;
  readonly name: string | undefined;
  readonly at: Date | undefined;
  readonly eventDate: string | undefined;
  readonly categories: readonly string[];
  readonly private: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What the memory tools need of an engine: a `MemoryEngine` has it. */
export interface ToolEngine {
  get(namespace: string[], key: string): Promise<EngineMemory | null>;
  list(namespace: string[], options: EnginePage): Promise<readonly EngineMemory[]>;
  recall(
    query: string,
    namespace: string[],
    options: { limit: number; filter?: Filter },
  ): Promise<readonly { readonly record: EngineMemory; readonly score: number }[]>;
  remember(
    content: string,
    namespace: string[],
    options: { extract: false },
  ): Promise<readonly EngineMemory[]>;
  update(
    namespace: string[],
    key: string,
    content: string,
    options: { reason: string },
  ): Promise<EngineMemory | null>;
  forget(namespace: string[], options: { key: string; reason: string }): Promise<number>;
}

/** Which memories of an engine are listed. */
export interface EnginePage {
  readonly limit: number;
  readonly offset?: number;
  readonly filter?: Filter;
}

/** What the app (never the model) says about one call of a tool. */
export interface ToolRun {
  /** Where placeholders of the namespace are looked up first. */
  readonly configurable?: unknown;
  /** Where they are looked up next. */
  readonly context?: unknown;
  /** The store of this call, where the tool itself was given none. */
  readonly store?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Where a tool writes what the app's developer should see; `console` fits. */
export interface ToolLogger {
  warn(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
}

/** A tool without a framework. */
export interface MemoryTool {
  readonly name: string;
  readonly description: string;
  /** Of the arguments. */
  readonly inputSchema: JsonSchema;
  /**
   * Carries out one call. `args` come from the model, `run` from the app. Whatever the model got wrong is answered with a sentence.
   *
   * @throws {KeepsakeError} missing_store, missing_namespace_value: the app's mistakes, logged before; and what the store throws.
   */
  execute(args: unknown, run?: ToolRun): Promise<string>;
}

/** What a search found: the JSON text for the model, and all items for the app. */
export interface FoundMemories {
  readonly content: string;
  readonly items: FoundMemory[];
}

/** The search tool, which can also hand over the items themselves. */
export interface SearchMemoryTool extends MemoryTool {
  /**
   * As {@link MemoryTool.execute}, with the items.
   *
   * @throws {KeepsakeError} missing_store, missing_namespace_value
   */
  find(args: unknown, run?: ToolRun): Promise<FoundMemories>;
}

/** What the manage tool can be asked to do. */
export type MemoryAction = "create" | "update" | "delete";

/** The arguments of the manage tool. */
export interface ManageMemoryArguments {
  /** The memory: text, or what the tool's schema says. */
  content?: unknown;
  /** Of the memory to update or delete: its whole id or the unambiguous beginning of one. */
  id?: string | null | undefined;
  /** Default `create`, or the first that is permitted. */
  action?: MemoryAction | null | undefined;
}

/** The arguments of the search tool. */
export interface SearchMemoryArguments {
  query: string;
  /** Default 10, at most 100. */
  limit?: number | null | undefined;
  /** Default 0. */
  offset?: number | null | undefined;
  /** Conditions on the fields of values, by dotted path. */
  filter?: Record<string, unknown> | null | undefined;
}
