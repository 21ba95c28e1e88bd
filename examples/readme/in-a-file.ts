import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageReducer } from "keepsake";

const folder = mkdtempSync(join(tmpdir(), "keepsake-readme-"));
const path = join(folder, "memory.db");
const namespace = ["memories", "asha"];

// #region store
import { rememberVerbatim, turnIndex } from "keepsake/memory";
import { SqliteStore } from "keepsake/sqlite";

const store = new SqliteStore(path, { index: turnIndex });
const reducer = new MessageReducer({ onPrune: [rememberVerbatim(store)] });
// #endregion

await reducer.handOver({
  messages: [{ role: "user", content: "I am allergic to peanuts.", id: "m1" }],
  namespace,
});
await store.close();

// Another process opens the file and finds it.
const reopened = new SqliteStore(path, { index: turnIndex });
const [found] = await reopened.search(namespace, { query: "allergic to what?" });
assert.equal(found?.value.content, "I am allergic to peanuts.");
await reopened.close();
rmSync(folder, { recursive: true });
