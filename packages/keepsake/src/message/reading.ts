import type { Call } from "./calls.ts";
import type { Part } from "./content.ts";
import type { MessageView } from "./view.ts";

/** What one format's reader finds in a message. */
export interface Reading {
  readonly view: MessageView;
  /** The object that holds `id`, `content` and `tool_calls`: the message itself, or the one inside its envelope. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly parts: readonly Part[];
  readonly calls: readonly Call[];
  /** True where the message holds nothing that a provider accepts: no text but white space, no media, no call. */
  readonly blank: boolean;
}
