// The worked example of agentstate-reducer's long-term memory hooks: at least 4 messages, at most 6, five turns. ReducingSaver over
// LangGraph's own saver stands where the original has one for DynamoDB, and a scripted model answers.
import assert from "node:assert/strict";
// #region worked-example
import { randomUUID } from "node:crypto";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { MessageReducer, type RememberFn } from "keepsake";
import { ReducingSaver } from "keepsake/langgraph";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore(); // or SqliteStore, PostgresStore

const remember: RememberFn<BaseMessage> = async (pruned, namespace) => {
  for (const { type, content } of pruned) await store.put(namespace, randomUUID(), { role: type, content });
};

const reducer = new MessageReducer({ minMessages: 4, maxMessages: 6, onPrune: [remember] });
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", ({ messages }) => ({
    messages: [new AIMessage(`answer to ${messages.at(-1)?.text}`)], // or await model.invoke(messages)
  }))
  .addEdge("__start__", "model")
  .compile({ checkpointer: new ReducingSaver(new MemorySaver(), reducer) });

const config = { configurable: { thread_id: randomUUID(), memory_namespace: ["memories", "kamal"] } };
for (let turn = 0; turn < 5; turn += 1) {
  await graph.invoke({ messages: [["user", `turn ${turn}`]] }, config);
}

const found = await store.search(["memories", "kamal"], { limit: 100 }); // the turns that left the window, once each
// #endregion

assert.deepEqual(found.map(({ value }) => value.content).sort(), [
  "answer to turn 0",
  "answer to turn 1",
  "answer to turn 2",
  "turn 1",
  "turn 2",
]);
assert.deepEqual(new Set(found.map(({ value }) => value.role)), new Set(["ai", "human"]));

// What the next turn begins from.
const { values } = await graph.getState(config);
assert.deepEqual(
  values.messages.map(({ text }: BaseMessage) => text),
  ["turn 0", "turn 3", "answer to turn 3", "turn 4", "answer to turn 4"],
);

// A namespace is exact: nobody else's search finds them.
assert.deepEqual(await store.search(["memories", "kama"]), []);
