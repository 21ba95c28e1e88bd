// A slow hook, off the caller's path.
import assert from "node:assert/strict";
// #region background
import { background, MessageReducer } from "keepsake";

const remember = background(extractAndStore, { concurrency: 4, retries: 2 });
const reducer = new MessageReducer({ onPrune: [remember] });
// #endregion

const stored: unknown[] = [];
let attempts = 0;

/** Stands in for a model that extracts facts: it is away the first time. */
async function extractAndStore(pruned: unknown[]): Promise<void> {
  attempts += 1;
  await new Promise((resolve) => setImmediate(resolve));
  if (attempts === 1) throw new Error("The model is away.");
  stored.push(...pruned);
}

const messages = Array.from({ length: 21 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
}));
const { pruned } = await reducer.reduce({ existing: messages });
assert.equal(remember.pending, 1);
assert.deepEqual(stored, []);

await remember.idle();
assert.deepEqual(stored, pruned);
assert.equal(attempts, 2);
assert.equal(remember.failed, 0);
