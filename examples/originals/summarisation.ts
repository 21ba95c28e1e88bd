// The summarisation example of agentstate-reducer.
import assert from "node:assert/strict";
// #region summarise
import { MessageReducer } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
}

const reducer = new MessageReducer<Message>({
  minMessages: 10,
  maxMessages: 20,
  // Call your LLM here; a promise is awaited.
  summarize: (pruned) => `Summary of ${pruned.length} pruned messages`,
});
const result = await reducer.reduce({ existing: conversation(24) });
console.log(result.summary); // "Summary of 14 pruned messages"
// #endregion

assert.equal(result.summary, "Summary of 14 pruned messages");
assert.equal(result.pruned.length, 14);
assert.equal(result.surviving.length, 11);

// Nothing pruned, nothing to summarise.
const short = await reducer.reduce({ existing: conversation(5), threadId: "another" });
assert.equal(short.summary, null);

/** A system prompt, and `count` messages of user and assistant in turn. */
function conversation(count: number): Message[] {
  const turns = Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `message ${index + 1}`,
  }));
  return [{ role: "system", content: "You are helpful" }, ...turns];
}
