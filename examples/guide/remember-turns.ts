// Turns are kept as they were said, and found by what was said around them.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "keepsake-turns-"));
const path = join(folder, "memory.db");
const threadId = "thread-1";
const conversation = [
  { id: "1", role: "user", content: "You know our honeymoon?", timestamp: "2024-06-02T09:00:00Z" },
  { id: "2", role: "assistant", content: "Where was that?", timestamp: "2024-06-02T09:00:05Z" },
  { id: "3", role: "user", content: "In Lisbon, last May.", timestamp: "2024-06-02T09:00:30Z" },
];

// #region remember
import { MessageReducer } from "keepsake";
import { rememberVerbatim, turnIndex } from "keepsake/memory";
import { SqliteStore } from "keepsake/sqlite";

const store = new SqliteStore(path, { index: turnIndex });
const reducer = new MessageReducer({ onPrune: [rememberVerbatim(store)] });

const namespace = ["memories", "asha"];
await reducer.handOver({ messages: conversation, namespace, threadId });
const turns = await store.search(namespace, { query: "honeymoon in which city?" });
// #endregion

const lisbon = turns.find(({ value }) => value.content === "In Lisbon, last May.");
assert.deepEqual(lisbon?.value, {
  kind: "turn",
  role: "human",
  content: "In Lisbon, last May.",
  at: "2024-06-02T09:00:30.000Z",
  date: "2 June 2024",
  threadId,
  position: 2,
  before: "know honeymoon",
});
await store.close();
rmSync(folder, { recursive: true });
