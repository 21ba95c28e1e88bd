import {
  type BaseMessage,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from "@langchain/core/messages";
import { type MessageCodec, messageJson } from "../../delivery/index.ts";
import { isRecord, type Json } from "../../util/index.ts";

/** What LangChain calls its kinds of messages, in the JSON of one. */
const kinds: ReadonlySet<unknown> = new Set(["human", "ai", "system", "tool", "function", "generic"]);

/**
 * Keeps LangChain's messages in an outbox, and gives the hook message objects again, with every field; chunks become whole messages.
 * Without it the hook gets plain objects with the same fields. What is no message of LangChain's comes back as its JSON.
 *
 * @example
 * ```ts
 * const remember = durable<BaseMessage>(extract, { name: "remember", outbox, codec: langchainCodec });
 * ```
 */
export const langchainCodec: MessageCodec<BaseMessage> = {
  encode: messageJson,
  decode: (body: Json) => {
    if (!isRecord(body) || !kinds.has(body.type) || body.content === undefined)
      return body as unknown as BaseMessage;
    const { type, ...data } = body;
    // The fields are those of a message of this kind: they were taken from one.
    const stored = { type, data } as unknown as StoredMessage;
    return mapStoredMessagesToChatMessages([stored])[0] ?? (body as unknown as BaseMessage);
  },
};
