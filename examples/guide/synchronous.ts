// Where nothing can be awaited.
import assert from "node:assert/strict";
import { MessageReducer, notTaken } from "keepsake";

const delivered: unknown[] = [];
const slowHook = async (pruned: unknown[]): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
  delivered.push(...pruned);
};
const messages = Array.from({ length: 21 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
}));
const reducer = new MessageReducer({ onPrune: [slowHook] });

// #region sync
const { surviving, pruned } = reducer.reduceSync({ existing: messages });
await reducer.flush(); // later: the hooks are through
// #endregion

assert.equal(surviving.length + pruned.length, messages.length);
assert.deepEqual(delivered, pruned);

// A summary that is a promise is skipped, with one warning.
const warnings: string[] = [];
const late = new MessageReducer({
  summarize: async () => "too late",
  logger: { debug() {}, warn: (text) => warnings.push(text) },
});
assert.equal(late.reduceSync({ existing: messages }).summary, null);
late.reduceSync({ existing: messages });
assert.equal(warnings.length, 1);

// Nothing is retained for a hook that fails: it is offered the delivery again.
let attempts = 0;
const failing = new MessageReducer({
  onHookError: "retain",
  onPrune: [() => (++attempts === 1 ? notTaken : undefined)],
});
assert.equal(failing.reduceSync({ existing: messages }).pruned.length, pruned.length);
await failing.flush();
assert.equal(attempts, 2);
