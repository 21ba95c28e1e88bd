import assert from "node:assert/strict";
// #region remember
import { MessageReducer } from "keepsake";
import { rememberVerbatim, turnIndex } from "keepsake/memory";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore({ index: turnIndex });
const reducer = new MessageReducer({ maxMessages: 6, minMessages: 3, onPrune: [rememberVerbatim(store)] });
const namespace = ["memories", "asha"]; // whose memory it is: your app decides

let messages = [{ role: "system", content: "You are a travel agent." }];
for (const content of ["I am allergic to peanuts.", "Find a flight to Lisbon.", "And a hotel.", "Book it."]) {
  const window = await reducer.reduce({ existing: messages, new: [{ role: "user", content }], namespace });
  const answer = { role: "assistant", content: "Done." }; // here your model answers window.surviving
  messages = [...window.surviving, answer];
}

const [found] = await store.search(namespace, { query: "What is Asha allergic to?" });
console.log(messages.map((message) => message.content)); // what the model still sees
console.log(found?.value.content); // what has left its window, and is found
// #endregion

assert.deepEqual(
  messages.map((message) => message.content),
  ["You are a travel agent.", "And a hotel.", "Done.", "Book it.", "Done."],
);
assert.equal(found?.value.content, "I am allergic to peanuts.");
