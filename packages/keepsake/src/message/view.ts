/** What keepsake knows of a message, whatever its wire format. */
export interface MessageView {
  readonly role: "human" | "ai" | "system" | "tool" | "function" | "other";
  readonly id: string | undefined;
  /** Text parts joined by newlines; other parts as placeholders such as `[image]`; never base64. */
  readonly text: string;
  readonly name: string | undefined;
  /** Ids of tool calls that this message makes and that a later message must answer. */
  readonly calls: readonly string[];
  /** Ids of tool calls that this message answers. */
  readonly results: readonly string[];
  /** Provider item ids that may only stay or go together with this one (reasoning items). */
  readonly bound: readonly string[];
  /** True for a user message with content other than tool results: a place where a window may start. */
  readonly startsTurn: boolean;
}

/** The role of a {@link MessageView}. */
export type MessageRole = MessageView["role"];
