// One tool result larger than the whole budget: the window has its beginning and its end, the hook gets all of it.
import assert from "node:assert/strict";

const remembered: Message[] = [];

// #region oversized
import { MessageReducer } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly object[];
}

const reducer = new MessageReducer<Message>({
  maxTokens: 8000,
  maxMessageTokens: 2000,
  onPrune: [(pruned) => void remembered.push(...pruned)],
});
// #endregion

const log = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join("\n");
const messages: Message[] = [
  { role: "user", content: "Why did the build fail?" },
  { role: "assistant", content: "", tool_calls: [{ id: "c1", function: { name: "log", arguments: "{}" } }] },
  { role: "tool", tool_call_id: "c1", content: log },
];
const { surviving, pruned, truncated, overBudget } = await reducer.reduce({ existing: messages });

assert.equal(overBudget, false);
assert.deepEqual(truncated, [messages[2]]);
assert.deepEqual(pruned, truncated);
assert.deepEqual(remembered, truncated);
assert.equal(messages[2]?.content, log);
assert.equal(surviving[2]?.tool_call_id, "c1");
const shown = surviving[2]?.content ?? "";
assert.match(shown, /^line 0\nline 1\n/);
assert.match(shown, /\n\[\.\.\. \d+ characters left out \(keepsake [0-9a-f]{16}\) \.\.\.\]\n/);
assert.match(shown, /\nline 19999$/);

// The copy is known again: it is not truncated again, and no hook gets it.
const next = await new MessageReducer<Message>({ maxTokens: 8000, maxMessageTokens: 1000 }).reduce({
  existing: JSON.parse(JSON.stringify(surviving)),
});
assert.deepEqual(next.truncated, []);
