// Memories that follow a schema: a profile in a store, a manager without a store, a searcher, and reflection in the background.
import assert from "node:assert/strict";
import { InMemoryStore } from "keepsake/store";
import { scriptedModel } from "keepsake/testing";

// Stands for a model: an example makes no calls that cost.
const model = scriptedModel([
  { actions: [{ action: "update", id: "m1", content: { name: "Asha", seat: "aisle" } }] },
  { actions: [{ action: "update", id: "m1", content: { age: 61, seat: null } }] },
]);
const store = new InMemoryStore();
const userId = "asha";
const [firstTurn, secondTurn] = [
  [{ role: "user", content: "I'm Asha. An aisle seat, please." }],
  [{ role: "user", content: "I turned 61. Any seat will do." }],
];

// #region profile
import { createMemoryStoreManager } from "keepsake/memory";
import { z } from "zod";

const Profile = z.object({
  name: z.string().optional(),
  age: z.number().optional(),
  seat: z.enum(["aisle", "window"]).optional(),
});
const manager = createMemoryStoreManager(model, {
  schemas: { Profile },
  default: {},
  namespace: ["memories", "{userId}"],
  store,
});

await manager.invoke({ messages: firstTurn }, { configurable: { userId } });
const { puts, deletes } = await manager.run({ messages: secondTurn }, { configurable: { userId } });
const profile = await manager.get("default", { configurable: { userId } });
// #endregion

assert.equal(puts.length, 1);
assert.deepEqual(deletes, []);
assert.deepEqual(profile?.value.content, { name: "Asha", age: 61 });
assert.equal(await store.count(["memories", userId]), 1);

const noteModel = scriptedModel([
  { actions: [{ action: "update", id: "m1", content: { content: "Asha drinks coffee." } }] },
]);
const messages = [{ role: "user", content: "Coffee instead of tea from now on." }];

// #region stateless
import { createMemoryManager } from "keepsake/memory";

const notes = createMemoryManager(noteModel, { instructions: "Keep what the user drinks." });
const memories = await notes.invoke({ messages, existing: ["Asha drinks tea."] });
// #endregion

assert.deepEqual(
  memories.map(({ kind, content }) => [kind, content]),
  [["Memory", { content: "Asha drinks coffee." }]],
);

const queryModel = scriptedModel([{ queries: ["seat", "age of Asha"] }]);

// #region searcher
import { createMemorySearcher } from "keepsake/memory";

const searcher = createMemorySearcher(queryModel, { store, namespace: ["memories", "{userId}"] });
const items = await searcher.invoke({ messages }, { configurable: { userId } });
// #endregion

assert.deepEqual(
  items.map(({ key }) => key),
  ["default"],
);

const seen: unknown[][] = [];
const reflector = {
  namespace: ["memories", "{userId}"],
  invoke: (payload: { messages: readonly unknown[] }) => void seen.push([...payload.messages]),
};
const config = { configurable: { userId, thread_id: "1" } };

// #region reflect
import { reflect } from "keepsake/memory";

const reflection = reflect(reflector, { afterMs: 30_000 });
reflection.submit({ messages: firstTurn }, { config });
const { done, cancel } = reflection.submit({ messages: secondTurn }, { config });
await reflection.close();
// #endregion

await done;
assert.equal(cancel(), false);
assert.deepEqual(seen, [[...firstTurn, ...secondTurn]]);
