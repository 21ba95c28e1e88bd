// Messages without ids, in an app that passes the full history on every call.
import assert from "node:assert/strict";

const remembered: string[] = [];

// #region content-ids
import { contentIds, MessageReducer } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
}

const reducer = new MessageReducer<Message>({
  maxMessages: 4,
  minMessages: 2,
  identify: contentIds(),
  onPrune: [(pruned) => void remembered.push(...pruned.map(({ content }) => content))],
});
// #endregion

const history: Message[] = [];
for (let turn = 0; turn < 6; turn += 1) {
  history.push({ role: "user", content: "go on" }, { role: "assistant", content: `step ${turn}` });
  // A copy, as out of a database: nothing but the texts tells that these are the same messages.
  await reducer.reduce({ existing: structuredClone(history), threadId: "thread-1" });
}
const { pruned } = await reducer.reduce({ existing: history, threadId: "thread-1" });

// Each once, also those that say the same.
assert.deepEqual(
  remembered,
  pruned.map(({ content }) => content),
);
assert.ok(remembered.filter((text) => text === "go on").length > 2);
