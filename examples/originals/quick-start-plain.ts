// The quick start of agentstate-reducer, with plain objects.
import assert from "node:assert/strict";
// #region quick-start
import { MessageReducer } from "keepsake";

const reducer = new MessageReducer({ minMessages: 10, maxMessages: 20 });

const result = await reducer.reduce({
  existing: [
    { role: "system", content: "You are helpful" },
    { role: "human", content: "Hello" },
    { role: "ai", content: "Hi there!" },
  ],
  new: [{ role: "human", content: "New message" }],
});
result.surviving; // messages that remain
result.pruned; // messages that were removed
// #endregion

assert.deepEqual(
  result.surviving.map((message) => message.content),
  ["You are helpful", "Hello", "Hi there!", "New message"],
);
assert.deepEqual(result.pruned, []);
assert.equal(result.summary, null);
assert.equal(result.overBudget, false);

// The twenty-first message triggers pruning: the preserved first message and ten more remain.
const conversation = Array.from({ length: 20 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index + 1}`,
}));
const longer = await reducer.reduce({
  existing: [{ role: "system", content: "You are helpful" }],
  new: conversation,
});
assert.deepEqual(longer.surviving, [
  { role: "system", content: "You are helpful" },
  ...conversation.slice(10),
]);
assert.deepEqual(longer.pruned, conversation.slice(0, 10));
