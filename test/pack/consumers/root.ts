// What an app in a browser or an edge runtime compiles: the root entry, without the types of Node.
import { KeepsakeError, MessageReducer, type ReducerResult, viewOf } from "keepsake";

interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

const remembered: string[] = [];
const reducer = new MessageReducer<Message>({
  maxMessages: 2,
  minMessages: 1,
  onPrune: [(pruned) => remembered.push(...pruned.map((message) => viewOf(message).text))],
});

export async function reduce(existing: Message[]): Promise<ReducerResult<Message> | string> {
  try {
    return await reducer.reduce({ existing, namespace: ["memories", "asha"] });
  } catch (error) {
    return KeepsakeError.isInstance(error) ? error.code : "unknown";
  }
}
