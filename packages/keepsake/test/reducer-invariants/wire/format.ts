import type { WindowProvider } from "../../../src/index.ts";
import type { Beat } from "./script.ts";

/** A message as a format writes it, with what the tests know of it. */
export interface Wire {
  readonly message: unknown;
  readonly kind: "system" | "user" | "ai" | "result" | "other" | "junk";
  /** Messages of one group stay or leave together. */
  readonly group: string;
  readonly tokens: number;
}

/** One way in which an SDK or a provider writes conversations. */
export interface WireFormat {
  readonly name: string;
  /** Whose rules a window of this format is judged by. */
  readonly providers: readonly WindowProvider[];
  /** True where the turns of a valid list may use the same call ids. */
  readonly reusesCalls?: boolean;
  write(beats: readonly Beat[]): Wire[];
  /** A result that answers no call, or one that an earlier turn made. */
  orphan(call: string): unknown;
  /** A message of the user or the assistant that says nothing. */
  blank(role: "user" | "assistant", variant: number): unknown;
  /** Reasoning, and nothing else. */
  thought(label: string): unknown;
  /** What the provider itself would refuse in a list, told from the raw messages; no entry: nothing, or not known. */
  refusals?(messages: readonly unknown[]): Refusal[];
}

/** Why a provider would refuse a list. */
export interface Refusal {
  readonly rule: "start" | "pair" | "reasoning" | "empty" | "unique";
  readonly index: number;
  readonly says: string;
}

/** Text that no other message has. */
export const textOf = (label: string): string => `text of ${label}`;

/** What a tool gave for a call. */
export const resultOf = (call: string): string => `result of ${call}`;
