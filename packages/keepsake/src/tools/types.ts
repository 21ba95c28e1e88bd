import type { JsonSchema } from "../schema/index.ts";
import type { FoundMemory, HostStore } from "../store/index.ts";

export type { FoundMemory, StoredMemory } from "../store/index.ts";

/** What the memory tools need of a store: keepsake's stores and LangGraph's have it. */
export type ToolStore = HostStore;

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
