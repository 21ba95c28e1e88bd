// The checkpoint integration of agentstate-reducer: a saver with a reducer, for graphs whose state one does not control.
import assert from "node:assert/strict";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
// #region saver
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { MessageReducer } from "keepsake";
import { ReducingSaver } from "keepsake/langgraph";
import { createAgent } from "langchain";

const reducer = new MessageReducer({ minMessages: 10, maxMessages: 20 });
const checkpointer = new ReducingSaver(SqliteSaver.fromConnString(":memory:"), reducer, {
  messagesKey: "messages", // the channel that holds the list: the default
});
// #endregion

const model = fakeModel();
for (let turn = 0; turn < 30; turn += 1) model.respond(new AIMessage(`answer ${turn}`));
const agent = createAgent({ model, tools: [], checkpointer });

const config = { configurable: { thread_id: "1" } };
for (let turn = 0; turn < 30; turn += 1) {
  await agent.invoke({ messages: [{ role: "user", content: `question ${turn}` }] }, config);
  const tuple = await checkpointer.getTuple(config);
  const stored = tuple?.checkpoint.channel_values.messages;
  assert.ok(Array.isArray(stored) && stored.length <= 20);
  assert.equal(stored.at(-1).text, `answer ${turn}`);
}
