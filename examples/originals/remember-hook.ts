// The usage example of agentstate-reducer's long-term memory hooks: what leaves the window goes into a store.
import assert from "node:assert/strict";
// #region hook
import { randomUUID } from "node:crypto";
import { MessageReducer, type RememberFn, viewOf } from "keepsake";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore();

const remember: RememberFn<unknown> = async (pruned, namespace) => {
  for (const message of pruned) {
    const { role, text } = viewOf(message);
    await store.put(namespace, randomUUID(), { role, content: text });
  }
};

const reducer = new MessageReducer({
  maxMessages: 20,
  onPrune: [remember], // cheap hook: runs inline
  // onPrune: [background(remember)] // slow hook (LLM extraction): off the request path
});
// #endregion

const messages = Array.from({ length: 22 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index + 1}`,
  id: `m${index + 1}`,
}));
const namespace = ["memories", "asha"];
const { pruned } = await reducer.reduce({ existing: messages, namespace });

// An inline hook is through when the reduce is.
const stored = await store.search(namespace, { limit: 100 });
assert.equal(pruned.length, 11);
assert.deepEqual(
  stored.map(({ value }) => value.content).sort(),
  pruned.map(({ content }) => content).sort(),
);
assert.equal(stored.find(({ value }) => value.content === "message 3")?.value.role, "human");

// Hooks run in order; one that fails is logged, never breaks the reduce, and does not keep the next from running.
const calls: string[] = [];
const warnings: string[] = [];
const fragile = new MessageReducer({
  maxMessages: 20,
  onPrune: [
    () => {
      calls.push("first");
      throw new Error("The database is away.");
    },
    async (taken) => calls.push(`second, ${taken.length} messages`),
  ],
  logger: { debug() {}, warn: (text) => warnings.push(text) },
});
const result = await fragile.reduce({ existing: messages, namespace });
assert.equal(result.pruned.length, 11);
assert.deepEqual(calls, ["first", "second, 11 messages"]);
assert.equal(warnings.length, 1);
