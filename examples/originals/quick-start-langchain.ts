// The quick start of agentstate-reducer, with LangChain's message objects.
import assert from "node:assert/strict";
// #region quick-start
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { MessageReducer } from "keepsake";

const reducer = new MessageReducer<BaseMessage>({ minMessages: 10, maxMessages: 20 });

const existing: BaseMessage[] = [new HumanMessage("Hello")];
const result = await reducer.reduce({ existing, new: [new AIMessage("Hi!")] });
// #endregion

assert.deepEqual(
  result.surviving.map((message) => message.text),
  ["Hello", "Hi!"],
);
assert.deepEqual(result.pruned, []);

// Survivors are the same objects, of the same class, in their order.
assert.equal(result.surviving[0], existing[0]);
assert.ok(result.surviving[1] instanceof AIMessage);
