import { CliError } from "../errors.ts";
import { checkMessages } from "./check-message.ts";
import { findJsonFault, placeOf } from "./json-fault.ts";
import { kindOf } from "./kind-of.ts";

/** A message as it stands in a file. */
export type Message = Readonly<Record<string, unknown>>;

/** The messages of a conversation's JSON: an array of them, or an object that has it as `messages`. Every message is checked. */
export function parseConversation(text: string, label: string): Message[] {
  const messages = messagesIn(parseJson(text, label), label);
  const fault = checkMessages(messages);
  if (fault !== undefined) throw new CliError("malformed_conversation", `${label}: ${fault}.`);
  // Each element was found to be an object.
  return messages as Message[];
}

function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = findJsonFault(text);
    if (fault === undefined) throw cause;
    const { line, column } = placeOf(text, fault.offset);
    throw new CliError(
      "malformed_conversation",
      `${label}: line ${line}, column ${column}: not JSON: ${fault.problem}.${hint(text, fault.offset)}`,
      { cause },
    );
  }
}

/** One JSON value per line is a common export format; say what to do with it. */
function hint(text: string, offset: number): string {
  const isNextObject = text[offset] === "{" && /\n\s*$/.test(text.slice(0, offset));
  return isNextObject ? " One message per line? Put them into one array: jq -s . file" : "";
}

function messagesIn(document: unknown, label: string): unknown[] {
  if (Array.isArray(document)) return document;
  const wanted = `expected an array of messages, or an object with an array "messages"`;
  if (typeof document !== "object" || document === null) {
    throw new CliError("malformed_conversation", `${label}: ${wanted}, got ${kindOf(document)}.`);
  }
  const messages: unknown = "messages" in document ? document.messages : undefined;
  if (Array.isArray(messages)) return messages;
  if (messages !== undefined) {
    throw new CliError(
      "malformed_conversation",
      `${label}: messages: expected an array of messages, got ${kindOf(messages)}.`,
    );
  }
  const names = Object.keys(document)
    .slice(0, 8)
    .map((name) => JSON.stringify(name));
  const has = names.length === 0 ? "an empty object" : `an object with ${names.join(", ")}`;
  throw new CliError("malformed_conversation", `${label}: ${wanted}, got ${has}.`);
}
