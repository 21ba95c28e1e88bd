// A slow hook behind a saver, off the request path, in agentstate-reducer's long-term memory hooks.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { background, MessageReducer } from "keepsake";
import { ReducingSaver } from "keepsake/langgraph";

const remembered: string[] = [];
// #region background
const hook = background(async (pruned: BaseMessage[]) => {
  await sleep(50); // an extraction by a model
  remembered.push(...pruned.map(({ text }) => text));
});
const reducer = new MessageReducer({ minMessages: 2, maxMessages: 4, onPrune: [hook] });
// #endregion

const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", ({ messages }) => ({ messages: [new AIMessage(`answer to ${messages.at(-1)?.text}`)] }))
  .addEdge("__start__", "model")
  .compile({ checkpointer: new ReducingSaver(new MemorySaver(), reducer) });

for (let turn = 0; turn < 4; turn += 1) {
  await graph.invoke({ messages: [["user", `turn ${turn}`]] }, { configurable: { thread_id: "t1" } });
}
// In a serverless handler, before it returns: the runtime may freeze the process.
await hook.idle();
const { values } = await graph.getState({ configurable: { thread_id: "t1" } });
const window: string[] = values.messages.map(({ text }: BaseMessage) => text);
const said = [0, 1, 2, 3].flatMap((turn) => [`turn ${turn}`, `answer to turn ${turn}`]);
assert.deepEqual([...remembered, ...window].sort(), said.sort());
assert.equal(hook.dropped, 0);
await hook.close();
