import { type BaseMessage, trimMessages } from "@langchain/core/messages";
import { pruneMessages } from "ai";
import { MessageReducer, viewOf } from "keepsake";
import {
  conversation,
  nextQuestion,
  toChatMessage,
  toLangChainMessage,
  toModelMessage,
} from "./conversation.ts";
import type { Format } from "./formats.ts";

/** How the window is limited: by a number of messages or of tokens. */
export type Limit = "count" | "tokens";

/** One thing that is timed: `turn` adds one new message to a history that it knows and cuts the window. */
export interface Subject {
  readonly name: string;
  /** Made before the clock starts: the new message of each turn. */
  prepare(turns: number): void;
  turn(index: number): Promise<unknown> | unknown;
}

/** The window that all are asked to keep: this many messages, or the tokens of as many. */
export const WINDOW_MESSAGES = 50;
export const WINDOW_TOKENS = 2500;

/** The counter that every library that takes one is given: four characters a token. */
const tokensOf = (message: { content: unknown }): number => (message.content as string).length >> 2;

/** keepsake on one format; `tokens` with the shared counter, asked once for each message. */
export function keepsakeSubject({ name, write }: Format, length: number, limit: Limit): Subject {
  const history = write(conversation(length));
  const reducer = new MessageReducer<object>(
    limit === "count"
      ? { maxMessages: WINDOW_MESSAGES, minMessages: WINDOW_MESSAGES - 1 }
      : { maxTokens: WINDOW_TOKENS, tokenCounter: (message) => viewOf(message).text.length >> 2 },
  );
  let incoming: object[] = [];
  return {
    name: `keepsake, ${name}`,
    prepare: (turns) => {
      incoming = Array.from({ length: turns }, (_, index) => write([nextQuestion(length, index)])).flat();
    },
    turn: (index) => reducer.reduce({ existing: history, new: incoming.slice(index, index + 1) }),
  };
}

/** LangChain's trimMessages with the options of its guide: from the last message back, starting on the user's. */
export function trimMessagesSubject(length: number, limit: Limit): Subject {
  const history = conversation(length).map(toLangChainMessage);
  const tokenCounter =
    limit === "count"
      ? (messages: BaseMessage[]) => messages.length
      : (messages: BaseMessage[]) => messages.reduce((sum, message) => sum + tokensOf(message), 0);
  const trim = (messages: BaseMessage[]): Promise<BaseMessage[]> =>
    trimMessages(messages, {
      maxTokens: limit === "count" ? WINDOW_MESSAGES : WINDOW_TOKENS,
      tokenCounter,
      strategy: "last",
      startOn: "human",
      includeSystem: true,
    });
  let incoming: BaseMessage[] = [];
  return {
    name: "trimMessages",
    prepare: (turns) => {
      incoming = Array.from({ length: turns }, (_, index) => toLangChainMessage(nextQuestion(length, index)));
    },
    turn: (index) => trim([...history, ...incoming.slice(index, index + 1)]),
  };
}

/** AI SDK's pruneMessages: it has no budget, so both limits are the same call. */
export function pruneMessagesSubject(length: number): Subject {
  const history = conversation(length).map(toModelMessage);
  let incoming: typeof history = [];
  return {
    name: "pruneMessages",
    prepare: (turns) => {
      incoming = Array.from({ length: turns }, (_, index) => toModelMessage(nextQuestion(length, index)));
    },
    turn: (index) =>
      pruneMessages({
        messages: [...history, ...incoming.slice(index, index + 1)],
        reasoning: "before-last-message",
        toolCalls: `before-last-${WINDOW_MESSAGES}-messages`,
        emptyMessages: "remove",
      }),
  };
}

/** The least that any reducer with cached knowledge of its messages can do: look each of them up. */
export function lookUpSubject(length: number): Subject {
  const history = conversation(length).map(toChatMessage);
  const known = new WeakMap<object, number>(history.map((message, index) => [message, index]));
  return {
    name: "a bare look-up of each message",
    prepare: () => {},
    turn: () => {
      let found = 0;
      for (const message of history) found += known.get(message) ?? 0;
      return found;
    },
  };
}
