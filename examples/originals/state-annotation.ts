// The LangGraph integration of agentstate-reducer: a reducer as a state annotation. LangGraph calls the function with the
// channel's value and a node's update.
import assert from "node:assert/strict";
// #region annotation
import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, StateGraph } from "@langchain/langgraph";
import { MessageReducer } from "keepsake";
import { type MessagesUpdate, messagesReducer } from "keepsake/langgraph";

const reducer = new MessageReducer({ minMessages: 10, maxMessages: 20 });

const State = Annotation.Root({
  messages: Annotation<BaseMessage[], MessagesUpdate>({
    reducer: messagesReducer(reducer),
    default: () => [],
  }),
});
// #endregion

const graph = new StateGraph(State)
  .addNode("model", ({ messages }) => ({ messages: [new AIMessage(`answer to ${messages.at(-1)?.text}`)] }))
  .addEdge("__start__", "model")
  .compile();
let list: BaseMessage[] = [];
for (let turn = 0; turn < 30; turn += 1) {
  ({ messages: list } = await graph.invoke({
    messages: [...list, { role: "user", content: `question ${turn}` }],
  }));
  assert.ok(list.length <= 20);
  assert.equal(list.at(-1)?.text, `answer to question ${turn}`);
}

// For lists of any format, without LangGraph's own rules for ids and removals:
interface Message {
  readonly role: string;
  readonly content: string;
}
const merge = new MessageReducer<Message>({ minMessages: 10, maxMessages: 20 }).asLangGraphReducer();
// messages: Annotation<Message[]>({ reducer: merge, default: () => [] })

// What LangGraph asks of a channel's reducer: the value and an update in, the next value out.
merge satisfies (value: Message[], update: Message[] | Message) => Message[];

let messages: Message[] = [{ role: "system", content: "You are helpful" }];
for (let turn = 0; turn < 30; turn += 1) {
  messages = merge(messages, [{ role: "user", content: `question ${turn}` }]);
  messages = merge(messages, { role: "assistant", content: `answer ${turn}` });
  assert.ok(messages.length <= 20);
  assert.equal(messages[0]?.role, "system");
  assert.equal(messages[1]?.role, "user");
  assert.equal(messages.at(-1)?.content, `answer ${turn}`);
}

// A missing value or update is an empty list.
assert.deepEqual(merge(undefined, null), []);

// The two lists may be merged otherwise: here a message with a known id replaces the earlier one.
interface Identified extends Message {
  readonly id: string;
}
const byId = new MessageReducer<Identified>().asLangGraphReducer({
  merge: (existing, incoming) => {
    const merged = new Map([...existing, ...incoming].map((message) => [message.id, message]));
    return [...merged.values()];
  },
});
assert.deepEqual(
  byId(
    [{ role: "user", content: "Hello", id: "1" }],
    [
      { role: "user", content: "Hello there", id: "1" },
      { role: "assistant", content: "Hi", id: "2" },
    ],
  ),
  [
    { role: "user", content: "Hello there", id: "1" },
    { role: "assistant", content: "Hi", id: "2" },
  ],
);

// A state annotation cannot wait for an asynchronous summary: that is refused when the function is made.
const slow = new MessageReducer<Message>({ summarize: async () => "a summary" });
assert.throws(() => slow.asLangGraphReducer(), { code: "async_in_sync" });
