// agentstate-reducer's hooks, "Pairing with an extraction engine": `engine.on_prune` in the background, `engine.onPrune` here.
import assert from "node:assert/strict";
import { background, MessageReducer } from "keepsake";
import { MemoryEngine, type ModelFunction } from "keepsake/memory";
import { InMemoryStore } from "keepsake/store";

/** Stands in for a model: it finds two facts in the turns that leave the window. */
const model: ModelFunction = ({ schemaName }) => {
  assert.equal(schemaName, "facts");
  const details = { subject: "Asha", categories: ["travel"], importance: 0.7, date: "" };
  return {
    facts: [
      { content: "Asha prefers aisle seats.", messages: ["m1"], attribute: "seat", ...details },
      { content: "Asha's booking code is QX7.", messages: ["m2"], attribute: "booking code", ...details },
    ],
  };
};

const store = new InMemoryStore();
const engine = new MemoryEngine({ store, model });
const remember = background(engine.onPrune);
const reducer = new MessageReducer({
  minMessages: 2,
  maxMessages: 4,
  preserveFirst: false,
  onPrune: [remember],
});

const namespace = ["memories", "asha"];
const conversation = [
  { role: "user", content: "I'm Asha, and I prefer aisle seats.", id: "1" },
  { role: "assistant", content: "Noted. Your booking code is QX7.", id: "2" },
  { role: "user", content: "And how is the weather in Porto?", id: "3" },
  { role: "assistant", content: "Mild.", id: "4" },
  { role: "user", content: "Thanks!", id: "5" },
  { role: "assistant", content: "You're welcome.", id: "6" },
];

// extract → consolidate → store, under the forwarded namespace, off the request path.
const { surviving } = await reducer.reduce({ existing: conversation, namespace, threadId: "1" });
assert.equal(surviving.length, 2);
await remember.close();

const stored = await store.search(namespace);
assert.deepEqual(stored.map(({ value }) => value.content).sort(), [
  "Asha prefers aisle seats.",
  "Asha's booking code is QX7.",
]);
assert.equal(engine.stats().modelCalls, 1);

// A fresh conversation answers from it; nobody else does.
const [seat] = await engine.recall("Which seat does Asha prefer?", namespace);
assert.equal(seat?.record.content, "Asha prefers aisle seats.");
assert.deepEqual(await engine.recall("Which seat does Asha prefer?", ["memories", "ben"]), []);
