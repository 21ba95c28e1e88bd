// agentstate-reducer's hooks, "Pairing with an extraction engine": langmem's store manager in the same place.
import assert from "node:assert/strict";
import { background, MessageReducer, type RememberFn } from "keepsake";
import { createMemoryStoreManager, type ModelFunction } from "keepsake/memory";
import { InMemoryStore } from "keepsake/store";
import { z } from "zod";

const Profile = z.object({
  name: z.string().optional(),
  age: z.number().optional(),
  likes: z.array(z.string()).default([]),
});

/** Stands in for a model: it reads an age, and what the user likes. */
const model: ModelFunction = ({ prompt }) => {
  const age = /I'm (\d+)/.exec(prompt)?.[1];
  const changes = age === "60" ? { name: "Asha", age: 60, likes: ["tea"] } : { age: Number(age) };
  return { actions: age === undefined ? [] : [{ action: "update", id: "m1", content: changes }] };
};

const store = new InMemoryStore();

// #region pairing
// A background hook has no run to take a store from, so the manager is given one.
const manager = createMemoryStoreManager(model, {
  schemas: { Profile },
  default: {},
  namespace: ["memories", "{user_id}"],
  store,
});
const hook: RememberFn<unknown> = (pruned, namespace, { deliveryId }) =>
  manager.invoke({ messages: pruned }, { configurable: { user_id: namespace.at(-1) }, deliveryId });

const remember = background(hook);
// #endregion
const reducer = new MessageReducer({
  minMessages: 2,
  maxMessages: 2,
  preserveFirst: false,
  onPrune: [remember],
});

const namespace = ["memories", "asha"];
let conversation: { role: string; content: string; id: string }[] = [];

/** One turn of a conversation: what leaves the window is remembered. */
async function turn(content: string): Promise<void> {
  const id = String(conversation.length);
  const reply = { role: "assistant", content: "I see.", id: `${id}r` };
  const { surviving } = await reducer.reduce({
    existing: conversation,
    new: [{ role: "user", content, id }, reply],
    namespace,
    threadId: "1",
  });
  conversation = surviving;
  await remember.idle();
}

await turn("I'm 60, my name is Asha, and I like tea.");
await turn("Hello again.");
const [made] = await store.search(namespace);
assert.deepEqual(made?.value.content, { name: "Asha", age: 60, likes: ["tea"] });

// The profile that was made in one turn is corrected in another: it stays one item.
await turn("It was my birthday: I'm 61.");
await turn("Bye!");
const items = await store.search(namespace);
assert.equal(items.length, 1);
assert.equal(items[0]?.key, "default");
assert.equal(items[0]?.value.kind, "Profile");
assert.deepEqual(items[0]?.value.content, { name: "Asha", age: 61, likes: ["tea"] });

await remember.close();
