import type { Filter, Store } from "../../store/index.ts";
import type { Json, Logger } from "../../util/index.ts";
import type { ModelInput } from "../models/inputs.ts";
import type { Prompts } from "../prompts.ts";
import type { MemorySchemasInput } from "../schemas.ts";
import type { Consolidator, Extractor, MemoryRecord } from "../types.ts";
import type { MemoryEvent } from "./events.ts";

/** Numbers that decide what is merged and what is recalled. */
export interface EngineConfig {
  /** Weights of a recall; they need not sum to 1. Default 0.5. */
  readonly semanticWeight?: number | undefined;
  /** Default 0.3. */
  readonly recencyWeight?: number | undefined;
  /** Default 0.2. */
  readonly importanceWeight?: number | undefined;
  /** After so many days a memory's recency has halved. Default 30. */
  readonly recencyHalfLifeDays?: number | undefined;
  /**
   * Memories at least this similar to a new fact are shown to the model that decides what becomes of it; from 0 to 1, default 0.85. 1: the
   * model is never asked, only exact duplicates are left out.
   */
  readonly consolidationThreshold?: number | undefined;
  /** At most so many memories are shown for each fact. Default 5. */
  readonly consolidationLimit?: number | undefined;
  /** So many times `limit` are searched for, and ranked anew. Default 3. */
  readonly recallOversample?: number | undefined;
  /** The importance of a memory that has none, from 0 to 1. Default 0.5. */
  readonly defaultImportance?: number | undefined;
  /** Whether `last_accessed` is written for what was recalled. Default true. */
  readonly touchOnRecall?: boolean | undefined;
}

/** What a `MemoryEngine` is made of: a store, and a model or both functions. */
export interface MemoryEngineOptions {
  /** One of keepsake's stores. It is not closed by the engine. */
  readonly store: Store;
  /** Asked for facts and for decisions; what `extractor` or `consolidator` does it is not asked for. */
  readonly model?: ModelInput | undefined;
  /** Finds facts, in place of the model. */
  readonly extractor?: Extractor | undefined;
  /** Decides what becomes of them, in place of the model. */
  readonly consolidator?: Consolidator | undefined;
  /** What memories are instead of sentences: schemas by name. */
  readonly schema?: MemorySchemasInput | undefined;
  readonly config?: EngineConfig | undefined;
  /** Words of your own for what the model is told. */
  readonly prompts?: Partial<Prompts> | undefined;
  readonly onEvent?: ((event: MemoryEvent) => void) | undefined;
  /** Default `console`. */
  readonly logger?: Logger | undefined;
  /** The clock, in milliseconds since 1970, for models and recall; when memories were made tells the store's. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** How something is remembered. */
export interface RememberOptions {
  /** Added to those that were found. */
  readonly categories?: readonly string[] | undefined;
  /** In place of what was found; from 0 to 1. */
  readonly importance?: number | undefined;
  /** Whose memories these are among those of the namespace. */
  readonly source?: string | undefined;
  /** Recalled only for the same `source`, or where asked for. Default false. */
  readonly private?: boolean | undefined;
  readonly metadata?: Readonly<Record<string, Json>> | undefined;
  /** False: texts are kept as they are, one memory each, without a model. Default true. */
  readonly extract?: boolean | undefined;
  readonly threadId?: string | undefined;
  /** The same for each attempt of one delivery: what an earlier attempt planned is carried on, without asking the model again. */
  readonly deliveryId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a memory is changed. */
export interface UpdateOptions {
  /** Kept in its history. */
  readonly reason?: string | undefined;
}

/** Which memories of a namespace are forgotten: those that fulfil all that is given. */
export interface ForgetOptions {
  readonly key?: string | undefined;
  /** Memories of any of these. */
  readonly categories?: readonly string[] | undefined;
  /** Memories made before this. */
  readonly olderThan?: Date | undefined;
  /** Removes their history too. Default false. */
  readonly purge?: boolean | undefined;
  /** Kept in their history. */
  readonly reason?: string | undefined;
}

/** Which memories are listed, newest first. */
export interface ListOptions {
  /** Default 100. */
  readonly limit?: number | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
  /** Memories of any of these. */
  readonly categories?: readonly string[] | undefined;
  readonly filter?: Filter | undefined;
}

/** What forgets a person beside the store: an outbox, for instance. */
export interface Erasable {
  erase(namespace: Json): PromiseLike<number> | number;
}

/** What is erased beside the store. */
export interface EraseOptions {
  readonly outboxes?: readonly Erasable[] | undefined;
}

/** How a version of a memory came about. `write`: by something else than the engine, a tool for instance. */
export type ChangeAction = "insert" | "update" | "restore" | "forget" | "write";

/** One version of a memory. */
export interface HistoryEntry {
  /** Counts on, also where a memory was forgotten and came back. */
  readonly version: number;
  readonly action: ChangeAction;
  readonly reason: string | undefined;
  readonly at: Date;
  /** `undefined`: with this version the memory was forgotten. */
  readonly content: unknown;
  /** The memory as it was; `undefined` as above. */
  readonly record: MemoryRecord | undefined;
  /** The messages that the change came from. */
  readonly messageIds: readonly string[];
}
