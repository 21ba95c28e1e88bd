// What the reducer reports.
import assert from "node:assert/strict";
// #region events
import { MessageReducer, type ReducerEvent } from "keepsake";

const seen: ReducerEvent[] = [];
const reducer = new MessageReducer({
  onPrune: [remember],
  onEvent: (event) => {
    seen.push(event);
    if (event.type === "failed") console.log(`hook ${event.hook} failed on ${event.count} messages`);
  },
});
// #endregion

let isAway = true;

/** A hook whose store is away the first time. */
function remember(): void {
  if (isAway) throw new Error("The store is away.");
}

const messages = Array.from({ length: 21 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
  id: `m${index}`,
}));
const scope = { namespace: ["memories", "asha"], threadId: "thread-1" };
const { surviving } = await reducer.reduce({ existing: messages, ...scope });
isAway = false;
await reducer.reduce({ existing: surviving, ...scope });

assert.deepEqual(
  seen.map(({ type }) => type),
  ["failed", "pruned", "retried", "delivered"],
);
for (const event of seen) {
  assert.deepEqual(event.namespace, scope.namespace);
  assert.equal(event.threadId, scope.threadId);
  assert.ok(event.at > 0);
}
