import type { Filter } from "../../store/index.ts";
import type { Logger } from "../../util/index.ts";
import type { MemoryRecord } from "../types.ts";

/** How memories are ranked: what an engine's config comes to. */
export interface RecallSettings {
  readonly semanticWeight: number;
  readonly recencyWeight: number;
  readonly importanceWeight: number;
  /** After so many days a memory's recency has halved. */
  readonly recencyHalfLifeDays: number;
  /** So many times `limit` are searched for, and ranked anew. */
  readonly recallOversample: number;
  /** The importance of a memory that has none, from 0 to 1. */
  readonly defaultImportance: number;
  /** Whether `last_accessed` is written for what was recalled. */
  readonly touchOnRecall: boolean;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Which memories are recalled. */
export interface RecallOptions {
  /** Default 10. */
  readonly limit?: number | undefined;
  /** Memories of any of these. */
  readonly categories?: readonly string[] | undefined;
  /** Leaves out what scores less; from 0 to 1, default 0. */
  readonly minScore?: number | undefined;
  /** Memories of exactly this source, its private ones included. */
  readonly source?: string | undefined;
  /** Private memories of every source too; default false. */
  readonly includePrivate?: boolean | undefined;
  /** Conditions on fields of the stored values, as in a search of the store. */
  readonly filter?: Filter | undefined;
  /** Whether to write `last_accessed`; default as the engine is configured. */
  readonly touch?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What drove a match: likeness to the query, a date that the query names, newness, importance. */
export type RecallReason = "semantic" | "date" | "recency" | "importance";

/** A memory that was recalled. */
export interface RecallMatch {
  readonly record: MemoryRecord;
  /** From 0 to 1, comparable between queries. */
  readonly score: number;
  /** To the query, from 0 to 1. */
  readonly similarity: number;
  /** What made up a good part of the score, the largest first. */
  readonly reasons: readonly RecallReason[];
}

/** Which memories go into a prompt, and how many. */
export interface ContextOptions extends RecallOptions {
  /** The block's tokens by `estimateTokens`; default 2000. */
  readonly maxTokens?: number | undefined;
}
