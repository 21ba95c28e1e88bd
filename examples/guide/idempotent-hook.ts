// A hook whose writes are the same however often a delivery is made.
import assert from "node:assert/strict";
// #region hook
import { MessageReducer, type RememberFn, viewOf } from "keepsake";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore();

const remember: RememberFn<unknown> = async (pruned, namespace, { deliveryId }) => {
  for (const [index, message] of pruned.entries()) {
    await store.put(namespace, `${deliveryId}/${index}`, { content: viewOf(message).text });
  }
};

const reducer = new MessageReducer({ onPrune: [remember] });
// #endregion

// The connection is lost between the first write and the second.
const { put } = store;
let writes = 0;
store.put = async (...args) => {
  writes += 1;
  if (writes === 2) throw new Error("The connection was lost.");
  await put.apply(store, args);
};

const messages = Array.from({ length: 21 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
  id: `m${index}`,
}));
const namespace = ["memories", "asha"];
const { surviving, pruned } = await reducer.reduce({ existing: messages, namespace });
assert.equal(await store.count(namespace), 1);

// The same delivery is offered again at the namespace's next call, under the same id.
await reducer.reduce({ existing: surviving, namespace });
assert.equal(await store.count(namespace), pruned.length);
