// LangMem's actions_permitted: an agent that may add memories and correct them, but not delete any.
import assert from "node:assert/strict";
// #region restricted
import { createManageMemoryTool } from "keepsake/langgraph";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore();
const tool = createManageMemoryTool({
  namespace: ["memories", "{langgraph_user_id}"],
  actionsPermitted: ["create", "update"],
  store,
});
// #endregion

const config = { configurable: { langgraph_user_id: "asha" } };
const id = String(await tool.invoke({ content: "Prefers aisle seats." }, config))
  .split(" ")
  .at(-1);
assert.equal(
  await tool.invoke({ action: "delete", id }, config),
  'The action must be "create" or "update", not "delete". Nothing was changed.',
);
assert.equal(
  await tool.invoke({ action: "update", id, content: "Prefers windows." }, config),
  `updated memory ${id}`,
);
assert.equal(await store.count(["memories", "asha"]), 1);

// The model is shown what is permitted, and no more.
assert.match(tool.description, /^Create or update a memory/);
assert.deepEqual(Object(tool.schema).properties.action.enum, ["create", "update"]);
