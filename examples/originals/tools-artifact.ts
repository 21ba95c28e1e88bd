// LangMem's response_format="content_and_artifact": text for the model, and the items themselves for the app.
import assert from "node:assert/strict";
// #region artifact
import { createSearchMemoryTool } from "keepsake/langgraph";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore();
await store.put(["memories", "asha"], "seats", { content: "Prefers aisle seats." });

const search = createSearchMemoryTool({
  namespace: ["memories", "{langgraph_user_id}"],
  responseFormat: "content_and_artifact",
  store,
});
const call = {
  name: "search_memory",
  args: { query: "which seat?" },
  id: "call-1",
  type: "tool_call" as const,
};
const message = await search.invoke(call, { configurable: { langgraph_user_id: "asha" } });
const [item] = message.artifact;
// #endregion

assert.deepEqual(item.value, { content: "Prefers aisle seats." });
assert.ok(item.createdAt instanceof Date);
const [shown] = JSON.parse(message.text);
assert.deepEqual(Object.keys(shown), ["namespace", "key", "value", "created_at", "updated_at", "score"]);
assert.deepEqual([shown.key, shown.value], ["seats", item.value]);
