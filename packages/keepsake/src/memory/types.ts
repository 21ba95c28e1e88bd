import type { Json } from "../util/index.ts";

/** The value of a store item that holds a memory. Readers accept `{ content }` alone as well. */
export interface MemoryValue {
  /** `"memory"` for a fact, `"turn"` for a raw turn, else the name of the schema that `content` follows. */
  kind: string;
  content: unknown;
  /** Who said it: a role, and a name where the message has one. */
  role?: string;
  name?: string;
  /** When it was said: ISO 8601, UTC. */
  at?: string;
  /** What day, month or year the fact is about: ISO 8601, cut where it is not known further (`2026-03`). */
  eventDate?: string;
  /** `eventDate`, or `at` of a turn, in words, to be searched: `"8 May 2023"` (UTC). */
  date?: string;
  /** Whom or what the fact is about, and which property of it: facts that differ in either are different facts. */
  subject?: string;
  attribute?: string;
  /** Subject and attribute as they are compared, by which facts about the same are found. */
  topic?: string;
  threadId?: string;
  position?: number;
  categories?: string[];
  /** From 0 to 1. */
  importance?: number;
  source?: string | null;
  private?: boolean;
  metadata?: Record<string, Json>;
  created_at?: string;
  last_accessed?: string;
  messageIds?: string[];
  /** Which write of the engine made this version. */
  change?: string;
}

/** The value of an item that `rememberVerbatim` writes: one turn of a conversation. */
export interface TurnValue extends MemoryValue {
  kind: "turn";
  /** The text of the message, whole; placeholders such as `[image]` for media, a line for each tool call, no reasoning. */
  content: string;
  role: string;
  /** The turn's place in its thread: the order of delivery. */
  position: number;
  /** Key words of the turns before this one, in reading order. */
  before?: string;
  /** Key words of the turns after this one. */
  after?: string;
}

/** A memory, read from a store. */
export interface MemoryRecord {
  readonly namespace: string[];
  readonly key: string;
  /** As in {@link MemoryValue}; `"memory"` where the value names none. */
  readonly kind: string;
  /** Text, or a record of the schema that `kind` names. */
  readonly content: unknown;
  readonly categories: readonly string[];
  /** From 0 to 1; the engine's default where the value has none. */
  readonly importance: number;
  readonly source: string | null;
  readonly private: boolean;
  readonly metadata: Readonly<Record<string, Json>>;
  readonly role: string | undefined;
  readonly name: string | undefined;
  /** When it was said. */
  readonly at: Date | undefined;
  readonly eventDate: string | undefined;
  readonly subject: string | undefined;
  readonly attribute: string | undefined;
  readonly threadId: string | undefined;
  readonly messageIds: readonly string[];
  readonly createdAt: Date;
  /** When its content last changed. */
  readonly updatedAt: Date;
  readonly lastAccessedAt: Date | undefined;
  readonly version: number;
}

/** A message as an extractor gets it, in the order of the conversation. */
export interface TranscriptMessage {
  readonly role: string;
  readonly name: string | undefined;
  readonly text: string;
  readonly id: string | undefined;
  readonly at: Date | undefined;
}

/** A fact that an extractor found. */
export interface Fact {
  /** A sentence that stands alone, or a record of the schema that `kind` names. */
  readonly content: unknown;
  readonly kind?: string | undefined;
  readonly categories?: readonly string[] | undefined;
  /** From 0 to 1. */
  readonly importance?: number | undefined;
  /** Who said it. */
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly subject?: string | undefined;
  readonly attribute?: string | undefined;
  /** ISO 8601, cut where it is not known further. */
  readonly eventDate?: string | undefined;
  readonly messageIds?: readonly string[] | undefined;
}

/** What an extractor or a consolidator is told of the call at hand. */
export interface ModelContext {
  readonly namespace: readonly string[];
  readonly threadId: string | undefined;
  /** The same for each attempt of one delivery. */
  readonly deliveryId?: string | undefined;
  readonly now: Date;
  readonly signal: AbortSignal | undefined;
}

/** Finds the facts of a conversation. A string stands for a fact with nothing but content. */
export type Extractor = (
  transcript: readonly TranscriptMessage[],
  context: ModelContext,
) => PromiseLike<readonly (Fact | string)[]> | readonly (Fact | string)[];

/** A new fact beside the memories that are nearest to it. */
export interface Proposal {
  readonly fact: Fact;
  readonly nearest: readonly MemoryRecord[];
}

/** What becomes of one fact. */
export interface Decision {
  /** The fact's place in the list of proposals. */
  readonly fact: number;
  readonly action: "insert" | "update" | "skip";
  /** The key of the memory that is updated, or that says the same already. */
  readonly target?: string | undefined;
  /** The text of the updated memory; default the fact's. */
  readonly content?: unknown;
  readonly reason?: string | undefined;
}

/** Decides about all facts of a batch at once. A fact without a decision is inserted. */
export type Consolidator = (
  proposals: readonly Proposal[],
  context: ModelContext,
) => PromiseLike<readonly Decision[]> | readonly Decision[];
