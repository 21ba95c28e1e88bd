import type { Call } from "./calls.ts";
import type { Nature, PendingPart } from "./nature.ts";
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
