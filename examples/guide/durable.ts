// A hook whose deliveries outlive the process: what was committed is worked off by the next one.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "keepsake-durable-"));
const path = join(folder, "memory.db");
const messages = Array.from({ length: 21 }, (_, index) => ({
  id: `${index}`,
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
}));
const namespace = ["memories", "asha"];

// #region durable
import { durable, MessageReducer } from "keepsake";
import { rememberVerbatim } from "keepsake/memory";
import { SqliteOutbox, SqliteStore } from "keepsake/sqlite";

const store = new SqliteStore(path);
const outbox = new SqliteOutbox(path);
const remember = durable(rememberVerbatim(store), { name: "remember", outbox });
const reducer = new MessageReducer({ onPrune: [remember] });
// #endregion

const { pruned } = await reducer.reduce({ existing: messages, namespace });
assert.equal((await remember.stats()).pending, 1);
assert.equal(await store.count(namespace), 0);
await outbox.close();

// As another process would find it.
const reopened = new SqliteOutbox(path);
const next = durable(rememberVerbatim(store), { name: "remember", outbox: reopened });
await new MessageReducer({ onPrune: [next] }).reduce({ existing: messages, namespace });
assert.equal((await next.stats()).pending, 1, "claimed once, for ever");

// #region start
next.start();
// … until the process is told to end:
await next.idle();
await next.stop();
// #endregion
assert.equal(await store.count(namespace), pruned.length);
assert.equal(await reopened.erase(namespace), 1);
await reopened.close();
await store.close();
rmSync(folder, { recursive: true });
