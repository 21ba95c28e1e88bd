// Facts instead of transcripts, and a hand-over that outlives the process.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedModel } from "keepsake/testing";

const folder = mkdtempSync(join(tmpdir(), "keepsake-readme-"));
const path = join(folder, "memory.db");
const namespace = ["memories", "asha"];
const messages = [
  { role: "system", content: "You are a travel agent." },
  { id: "1", role: "user", content: "I am allergic to peanuts." },
  { id: "2", role: "user", content: "Find a flight." },
];
// Stands for a model: an example makes no calls that cost.
const model = scriptedModel([{ facts: [{ content: "Asha is allergic to peanuts.", messages: ["m1"] }] }]);

// #region facts
import { durable, MessageReducer } from "keepsake";
import { MemoryEngine } from "keepsake/memory";
import { SqliteOutbox, SqliteStore } from "keepsake/sqlite";

const store = new SqliteStore(path);
const engine = new MemoryEngine({ store, model }); // such as "anthropic:claude-sonnet-5", through langchain
const outbox = new SqliteOutbox(path);
const remember = durable(engine.onPrune, { name: "remember", outbox });
const reducer = new MessageReducer({ maxMessages: 2, minMessages: 1, onPrune: [remember] });

remember.start(); // works off what was committed, also by a process that was killed
await reducer.reduce({ existing: messages, namespace }); // resolves when what leaves is on the disk
await remember.idle();
const memories = await engine.context("What is she allergic to?", namespace); // for a system prompt
// #endregion

assert.match(memories, /Asha is allergic to peanuts\./);
assert.equal((await remember.stats()).done, 1);
await remember.stop();
await outbox.close();
await store.close();
rmSync(folder, { recursive: true });
