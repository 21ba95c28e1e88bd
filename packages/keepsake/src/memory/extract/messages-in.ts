import { KeepsakeError } from "../../errors/index.ts";
import { isRecord } from "../../util/index.ts";

/**
 * The messages that were passed as a text, a message, or a list of either. A text is a message of a user.
 *
 * @throws {KeepsakeError} invalid_input
 */
export function messagesIn(subject: string, content: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (list.every((item) => typeof item === "string" || isRecord(item)))
    return list.map((item) => (typeof item === "string" ? { role: "user", content: item } : item));
  throw new KeepsakeError(
    "invalid_input",
    `${subject} takes a text, a message, or a list of either; a message is an object, in any format that keepsake reads.`,
    { data: { type: content === null ? "null" : typeof content } },
  );
}
