// Where the namespace comes from in LangGraph, in agentstate-reducer's long-term memory hooks: the config, under the reducer's key;
// else the thread.
import assert from "node:assert/strict";
import { AIMessage } from "@langchain/core/messages";
import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { MessageReducer } from "keepsake";
import { memoryNamespace, ReducingSaver } from "keepsake/langgraph";

/** A graph with a small window, and the namespaces that its hook is given. */
function graphWith(namespaceKey?: string) {
  const seen: unknown[] = [];
  const onPrune = [(_: unknown, namespace: unknown) => void seen.push(namespace)];
  const reducer = new MessageReducer({ minMessages: 2, maxMessages: 4, onPrune, namespaceKey });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", () => ({ messages: [new AIMessage("Noted.")] }))
    .addEdge("__start__", "model")
    .compile({ checkpointer: new ReducingSaver(new MemorySaver(), reducer) });
  return { graph, reducer, seen };
}

async function namespaceOf(configurable: Record<string, unknown>, namespaceKey?: string): Promise<unknown> {
  const { graph, reducer, seen } = graphWith(namespaceKey);
  for (let turn = 0; turn < 3; turn += 1) {
    await graph.invoke({ messages: [["user", `turn ${turn}`]] }, { configurable });
  }
  assert.ok(seen.length > 0);
  for (const namespace of seen) assert.deepEqual(namespace, memoryNamespace(reducer, { configurable }));
  return seen[0];
}

// #region config
const user = { id: "asha" };
const configurable = {
  thread_id: "t1", // short-term scope: the checkpoint
  memory_namespace: ["memories", user.id], // long-term scope: the store
};
// #endregion
assert.deepEqual(await namespaceOf(configurable), ["memories", "asha"]);

// The app already has it under another key.
assert.deepEqual(await namespaceOf({ thread_id: "t1", tenant: ["acme"] }, "tenant"), ["acme"]);

// The app never sets it: the thread's own.
assert.deepEqual(await namespaceOf({ thread_id: "t1" }), ["memories", "t1"]);
