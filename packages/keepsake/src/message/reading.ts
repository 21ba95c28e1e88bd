import type { Call } from "./calls.ts";
import type { Part } from "./part.ts";
import type { MessageView } from "./view.ts";

/** What one format's reader finds in a message. */
export interface Reading {
  readonly view: MessageView;
  /** The object that holds `id` and the content: the message itself, or the one inside its envelope. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The property of the body whose value tells whether its content is still the same one. */
  readonly contentKey: string;
  readonly parts: readonly Part[];
  /** Every call that it makes, those that it answers itself included. */
  readonly calls: readonly Call[];
  /** True where the message holds nothing that a provider accepts: no text but white space, no media, no call. */
  readonly blank: boolean;
  /** What later messages must answer: its tool calls, and requests for approval. */
  readonly asks: readonly string[];
  /** What it answers: tool calls, and requests for approval. */
  readonly answers: readonly string[];
  /** What the format says of where it may stand. */
  readonly nature: Nature;
  /** What hosts change in place, and the value that each had: the state of a tool part of a `UIMessage`. */
  readonly pending: readonly PendingPart[];
}

/** What a format says of where a message may stand. */
export interface Nature {
  /** A reasoning item: it goes with the items of the same answer that follow it. */
  readonly binds?: boolean;
  /** One of the items that an assistant's answer consists of: OpenAI's Responses and Agents. */
  readonly item?: boolean;
  /** Pinned by the format's own mark. */
  readonly pinned?: boolean;
  /** The ids of its calls must be unlike those of every other message. */
  readonly uniqueCalls?: boolean;
  /** Calls that later messages may answer, or leave: the provider runs them, once they are approved. */
  readonly offers?: readonly string[];
  /** The id of the call from within which its calls are made, by a program that the provider runs. */
  readonly caller?: string;
  /** The names of its calls by their ids, where results may name the tool only: Gemini's. */
  readonly names?: ReadonlyMap<string, string>;
}

/** A property that a host may change in place. */
export interface PendingPart {
  readonly part: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly value: unknown;
}
