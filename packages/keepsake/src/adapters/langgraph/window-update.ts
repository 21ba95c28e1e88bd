import { type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph/web";

/**
 * What a node writes so that a list of messages becomes its window: removals of what left, and copies that stand in the place of messages
 * with their ids. Where the window has something new in the middle (a summary), or a message without an id left, the list is written anew.
 *
 * @returns `undefined` where nothing changes
 */
export function windowUpdate(
  list: readonly BaseMessage[],
  window: readonly BaseMessage[],
): BaseMessage[] | undefined {
  if (list.length === window.length && list.every((message, index) => message === window[index])) {
    return undefined;
  }
  return changesTo(list, window) ?? [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...window];
}

/** Removals and replacements; `undefined` where they do not do. */
function changesTo(list: readonly BaseMessage[], window: readonly BaseMessage[]): BaseMessage[] | undefined {
  const changes: BaseMessage[] = [];
  let place = 0;
  for (const message of list) {
    const kept = window[place];
    if (kept === message || (kept !== undefined && message.id !== undefined && kept.id === message.id)) {
      if (kept !== message) changes.push(kept);
      place += 1;
    } else {
      if (message.id === undefined) return undefined;
      changes.push(new RemoveMessage({ id: message.id }));
    }
  }
  return place === window.length ? changes : undefined;
}
