// The table of role aliases of agentstate-reducer, row by row.
import assert from "node:assert/strict";
import { MessageReducer, viewOf } from "keepsake";

/** In the last column what happens to an old message of that role. */
const table = [
  ["human", "human", "pruned"],
  ["user", "human", "pruned"],
  ["ai", "ai", "pruned"],
  ["assistant", "ai", "pruned"],
  ["agent", "ai", "pruned"],
  ["system", "system", "kept"],
  ["tool", "tool", "kept unless its call is pruned"],
] as const;

const reducer = new MessageReducer({ maxMessages: 8, minMessages: 2 });
const later = Array.from({ length: 5 }, (_, index) => [
  { role: "user", content: `question ${index}` },
  { role: "assistant", content: `answer ${index}` },
]).flat();

for (const [role, treatedAs, fate] of table) {
  const message = { role, content: "from long ago" };
  assert.equal(viewOf(message).role, treatedAs);
  if (role === "tool") continue;
  const { surviving, pruned } = await reducer.reduce({
    existing: [{ role: "system", content: "You are helpful" }, message, ...later],
  });
  assert.equal(surviving.includes(message), fate === "kept", role);
  assert.equal(pruned.includes(message), fate === "pruned", role);
}

// A result stays with its call, and goes with it.
const asked = { role: "user", content: "How warm is it in Lisbon?" };
const call = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", function: { name: "weather", arguments: '{"city":"Lisbon"}' } }],
};
const answer = { role: "tool", content: "21 °C", tool_call_id: "call_1" };
assert.deepEqual(viewOf(answer).results, viewOf(call).calls);

const recent = await reducer.reduce({ existing: [...later, asked, call, answer] });
assert.deepEqual(recent.surviving.slice(-3), [asked, call, answer]);

const old = await reducer.reduce({
  existing: [{ role: "system", content: "You are helpful" }, asked, call, answer, ...later],
});
assert.deepEqual(old.pruned.slice(0, 3), [asked, call, answer]);
