// A slow hook of agentstate-reducer's long-term memory hooks, off the request path: `Background(fn)` there, `background(fn)` here.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { background, MessageReducer, type RememberFn, viewOf } from "keepsake";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore();
let open = (): void => {};
const gate = new Promise<void>((resolve) => {
  open = resolve;
});

/** Stands in for a model that extracts facts: it takes until the gate is opened. */
const remember: RememberFn<unknown> = async (pruned, namespace) => {
  await gate;
  for (const message of pruned) await store.put(namespace, randomUUID(), { content: viewOf(message).text });
};

const namespace = ["memories", "asha"];
const conversation = (topic: string): { role: string; content: string; id: string }[] =>
  Array.from({ length: 12 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${topic} ${index}`,
    id: `${topic}-${index}`,
  }));

const warnings: string[] = [];
const logger = { debug() {}, warn: (text: string) => warnings.push(text) };
const slow = background(remember, { maxPending: 1, logger });
const reducer = new MessageReducer({ maxMessages: 6, minMessages: 4, onPrune: [slow], logger });

// The reduce does not wait for the hook.
const { pruned } = await reducer.reduce({ existing: conversation("flight"), namespace, threadId: "1" });
assert.equal(pruned.length, 7);
assert.equal(slow.pending, 1);
assert.equal(await store.count(namespace), 0);

// It copies the list: what the app does to its own afterwards does not matter.
pruned.length = 0;

// Past `maxPending` a batch is dropped, with a warning and a count. Unlike there, it is not lost: it is offered again.
await reducer.reduce({ existing: conversation("hotel"), namespace, threadId: "2" });
assert.equal(slow.dropped, 1);
assert.equal(warnings.length, 1);

open();
await slow.idle();
assert.equal(await store.count(namespace), 7);
await reducer.flush();
await slow.idle();
assert.equal(await store.count(namespace), 14);

// An error of the hook is logged and counted.
const broken = background(
  () => {
    throw new Error("The model is away.");
  },
  { logger },
);
const other = new MessageReducer({ maxMessages: 6, minMessages: 4, onPrune: [broken], logger });
await other.reduce({ existing: conversation("car"), namespace });
await broken.idle();
assert.equal(broken.failed, 1);

// Before the process exits, or where a runtime freezes it: wait for what is pending.
await slow.close();
await broken.close();
assert.equal(slow.pending + broken.pending, 0);
