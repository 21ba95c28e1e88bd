import type { Json } from "../util/index.ts";

/** The value of a store item that holds a memory. Readers accept `{ content }` alone as well. */
export interface MemoryValue {
  kind: "memory" | "turn";
  content: unknown;
  role?: string;
  name?: string;
  /** ISO 8601, UTC. */
  at?: string;
  threadId?: string;
  position?: number;
  categories?: string[];
  importance?: number;
  source?: string | null;
  private?: boolean;
  metadata?: Record<string, Json>;
  created_at?: string;
  last_accessed?: string;
  messageIds?: string[];
}

/** The value of an item that `rememberVerbatim` writes: one turn of a conversation. */
export interface TurnValue extends MemoryValue {
  kind: "turn";
  /** The text of the message, whole; placeholders such as `[image]` for media, a line for each tool call, no reasoning. */
  content: string;
  role: string;
  /** The turn's place in its thread: the order of delivery. */
  position: number;
  /** `at` in words, to be searched: `"8 May 2023"` (UTC). */
  date?: string;
  /** Key words of the turns before this one, in reading order. */
  before?: string;
  /** Key words of the turns after this one. */
  after?: string;
}
