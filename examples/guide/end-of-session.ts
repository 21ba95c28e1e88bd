// At the end of a session, what never left the window is remembered too.
import assert from "node:assert/strict";
import { MessageReducer } from "keepsake";

const delivered: string[] = [];
const reducer = new MessageReducer<{ role: string; content: string; id: string }>({
  maxMessages: 6,
  minMessages: 4,
  onPrune: [(pruned) => delivered.push(...pruned.map(({ id }) => id))],
});
const namespace = ["memories", "asha"];
const threadId = "thread-1";
const messages = [
  { role: "system", content: "You are helpful", id: "prompt" },
  ...Array.from({ length: 8 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `message ${index}`,
    id: `m${index}`,
  })),
];
const { surviving } = await reducer.reduce({ existing: messages, namespace, threadId });
assert.deepEqual(delivered, ["m0", "m1", "m2", "m3"]);

// #region hand-over
await reducer.handOver({ messages: surviving, namespace, threadId });
await reducer.flush(); // offers once more what a hook has not taken
// #endregion

// Everything was handed over once, but the system prompt.
assert.deepEqual(delivered, ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"]);
await reducer.handOver({ messages: surviving, namespace, threadId });
assert.equal(delivered.length, 8);
