import { type MessageReducer, viewOf } from "keepsake";
import type { Message } from "./parse-conversation.ts";

/** A message and where it stood in the conversation, from 0. */
export interface Placed {
  readonly index: number;
  readonly message: Message;
}

/** What happened to a conversation. */
export interface Fed {
  readonly stayed: Placed[];
  readonly left: Placed[];
  /** True where what must stay is more than the limit allows. */
  readonly overBudget: boolean;
}

/** Whose conversation it is, and whom to tell how far it is. */
export interface FeedOptions {
  readonly namespace: string[];
  readonly threadId: string;
  readonly onMessages?: (done: number) => void;
}

/** At least this share of the window is fed at once, so that a huge window does not make a long conversation cost its square. */
const smallestShare = 1 / 64;

/** Feeds a conversation to a reducer as an agent would that saves its state after each turn. */
export async function feed(
  reducer: MessageReducer<Message>,
  messages: readonly Message[],
  { namespace, threadId, onMessages }: FeedOptions,
): Promise<Fed> {
  const indexes = new Map(messages.map((message, index) => [message, index]));
  const placed = (message: Message): Placed => ({ index: indexes.get(message) ?? -1, message });
  let window: Message[] = [];
  const left: Placed[] = [];
  let overBudget = false;
  let done = 0;
  while (done < messages.length) {
    const end = turnEnd(messages, done + Math.max(1, Math.floor(window.length * smallestShare)));
    const incoming = messages.slice(done, end);
    const result = await reducer.reduce({ existing: window, new: incoming, namespace, threadId });
    window = result.surviving;
    overBudget = result.overBudget;
    for (const message of result.pruned) left.push(placed(message));
    done = end;
    onMessages?.(done);
  }
  return { stayed: window.map(placed), left, overBudget };
}

/** Where the turn ends that the message before `from` belongs to: before the next message of the user. */
function turnEnd(messages: readonly Message[], from: number): number {
  let end = from;
  while (end < messages.length && !viewOf(messages[end]).startsTurn) end += 1;
  return Math.min(end, messages.length);
}
