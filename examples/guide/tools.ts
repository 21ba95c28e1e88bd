// The memory tools without a framework: definitions that any model API can be given.
import assert from "node:assert/strict";
// #region definitions
import { InMemoryStore } from "keepsake/store";
import { manageMemoryTool, searchMemoryTool } from "keepsake/tools";

const store = new InMemoryStore();
const namespace = ["memories", "{userId}"];
const tools = [manageMemoryTool({ namespace, store }), searchMemoryTool({ namespace, store })];

// For the model:
const functions = tools.map(({ name, description, inputSchema }) => {
  return { type: "function", name, description, parameters: inputSchema };
});

// For each call that it makes; whose memory it is comes from the app:
async function answer(call: { name: string; arguments: string }, userId: string): Promise<string> {
  const tool = tools.find(({ name }) => name === call.name);
  return (await tool?.execute(call.arguments, { context: { userId } })) ?? `There is no tool ${call.name}.`;
}
// #endregion

assert.deepEqual(
  functions.map(({ name }) => name),
  ["manage_memory", "search_memory"],
);
const created = await answer(
  { name: "manage_memory", arguments: '{"content": "Prefers aisle seats."}' },
  "asha",
);
const id = created.split(" ").at(-1) ?? "";
assert.match(created, /^created memory /);
const found = await answer({ name: "search_memory", arguments: '{"query": "seats"}' }, "asha");
assert.deepEqual(
  JSON.parse(found).map(({ key, value }: Record<string, unknown>) => [key, value]),
  [[id, { content: "Prefers aisle seats." }]],
);
assert.equal(await answer({ name: "search_memory", arguments: '{"query": "seats"}' }, "bela"), "[]");

// An id that is a guess, or somebody else's, is answered with those that there are.
const guess = { name: "manage_memory", arguments: '{"action": "delete", "id": "42"}' };
assert.equal(
  await answer(guess, "asha"),
  `There is no memory with the id "42". The ids that exist are: ${id}. Nothing was changed.`,
);
assert.equal(
  await answer({ ...guess, arguments: JSON.stringify({ action: "delete", id }) }, "bela"),
  `There is no memory with the id "${id}". There are no memories yet. The action "create" writes the first. Nothing was changed.`,
);

// Too much for one answer: the rest is said, and can be asked for.
for (let index = 0; index < 30; index += 1)
  await store.put(["memories", "asha"], `note-${index}`, { content: "x".repeat(900) });
const page = JSON.parse(await answer({ name: "search_memory", arguments: '{"query": ""}' }, "asha"));
assert.deepEqual(page.at(-1), { omitted: 3, next_offset: 7 });
