// What a hook has not taken stays in the window.
import assert from "node:assert/strict";
// #region retain
import { MessageReducer, notTaken } from "keepsake";

const queue = { open: false, messages: [] as unknown[] };

const reducer = new MessageReducer({
  onPrune: [(pruned) => (queue.open ? void queue.messages.push(...pruned) : notTaken)],
  onHookError: "retain",
});
// #endregion

const messages = Array.from({ length: 21 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
  id: `m${index}`,
}));
const refused = await reducer.reduce({ existing: messages });
assert.deepEqual(refused.surviving, messages);
assert.deepEqual(refused.pruned, []);
assert.equal(refused.overBudget, true);

queue.open = true;
const taken = await reducer.reduce({ existing: refused.surviving });
assert.ok(taken.surviving.length < messages.length);
assert.deepEqual(queue.messages, taken.pruned);
