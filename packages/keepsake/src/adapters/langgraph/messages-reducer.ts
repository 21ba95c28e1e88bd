import { type BaseMessage, type BaseMessageLike, RemoveMessage } from "@langchain/core/messages";
import { messagesStateReducer } from "@langchain/langgraph/web";
import type { MessageReducer } from "../../reducer/index.ts";
import { checkOptions, deleteOldest, isBoolean } from "../../util/index.ts";

/** What a node may write to a channel of messages. */
export type MessagesUpdate = BaseMessage | BaseMessageLike | (BaseMessage | BaseMessageLike)[];

/** How {@link messagesReducer} is made. */
export interface MessagesReducerOptions<N> {
  /** Hand what leaves to the reducer's hooks: started, never waited for. Default false: that is the saver's or the middleware's. */
  readonly hooks?: boolean | undefined;
  /** What hooks are given: a state reducer sees no run config. Default `null`. */
  readonly namespace?: N | undefined;
}

/** Ids of messages that left the window, so that their removal is not taken for a mistake. */
const idsRemembered = 10_000;

/**
 * A state reducer for messages: LangGraph's own (ids, replacement in place, `RemoveMessage`, remove-all, message-likes), then the window.
 * With it the list inside the running graph is reduced as well.
 *
 * @throws {KeepsakeError} `invalid_config`; `async_in_sync` where `summarize` is an async function, and with `hooks` where the outbox of a
 * durable hook cannot commit at once
 * @example
 * ```ts
 * const State = Annotation.Root({
 *   messages: Annotation<BaseMessage[], MessagesUpdate>({ reducer: messagesReducer(reducer), default: () => [] }),
 * });
 * ```
 */
export function messagesReducer<M, N = string[]>(
  reducer: MessageReducer<M, N>,
  options: MessagesReducerOptions<N> = {},
): (existing: BaseMessage[], update: MessagesUpdate) => BaseMessage[] {
  checkOptions("messagesReducer", options, { hooks: isBoolean, namespace: ["a namespace", () => true] });
  const { hooks = false, namespace } = options;
  // Refuses what cannot be done without waiting.
  reducer.asLangGraphReducer({ deliver: hooks });
  const gone = new Set<string>();

  /** Messages may have left since the node saw them, by what another node wrote in the same step. */
  function withoutVainRemovals(existing: readonly BaseMessage[], update: MessagesUpdate): MessagesUpdate {
    const items = (Array.isArray(update) ? update : [update]) as (BaseMessage | BaseMessageLike)[];
    const isOfGone = (item: unknown): boolean => RemoveMessage.isInstance(item) && gone.has(item.id ?? "");
    if (!items.some(isOfGone)) return update;
    const known = new Set(
      [...existing, ...items.filter((item) => !RemoveMessage.isInstance(item))].map(idOf),
    );
    return items.filter((item) => !isOfGone(item) || known.has(idOf(item)));
  }

  function reduce(existing: BaseMessage[], update: MessagesUpdate): BaseMessage[] {
    const merged = messagesStateReducer(existing, withoutVainRemovals(existing, update));
    const input = { existing: merged as M[], namespace: namespace as N, deliver: hooks };
    const { surviving, pruned } = reducer.reduceSync<M>(input);
    for (const id of pruned.map(idOf)) if (id !== undefined) gone.add(id);
    deleteOldest(gone, idsRemembered);
    return surviving as BaseMessage[];
  }

  const made = new WeakMap<readonly BaseMessage[], Map<unknown, BaseMessage[]>>();
  return (existing, update) => {
    // LangGraph asks a second time where a conditional edge reads the state: with the same answer, new ids of message-likes included.
    const list = existing ?? [];
    const answers = made.get(list) ?? new Map<unknown, BaseMessage[]>();
    made.set(list, answers);
    const answer = answers.get(update) ?? reduce(list, update);
    answers.set(update, answer);
    return [...answer];
  };
}

function idOf(message: unknown): string | undefined {
  const id: unknown = Object(message).id;
  return typeof id === "string" ? id : undefined;
}
