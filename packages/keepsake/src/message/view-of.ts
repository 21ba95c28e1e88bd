import { recordOf } from "./record.ts";
import type { MessageView } from "./view.ts";

const unreadable: MessageView = Object.freeze({
  role: "other",
  id: undefined,
  text: "",
  name: undefined,
  calls: [],
  results: [],
  bound: [],
  startsTurn: false,
});

/**
 * What keepsake knows of a message, whatever its wire format: role, id, text, calls and results. Never throws and never changes the
 * message; for what cannot be read (a primitive, `null`, an array) the view has role `other` and no text.
 *
 * @example
 * ```ts
 * viewOf({ role: "user", content: "Hello" }).role; // "human"
 * ```
 */
export function viewOf(message: unknown): MessageView {
  return recordOf(message)?.view ?? unreadable;
}
