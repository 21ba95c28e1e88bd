// LangMem's manage_memory in a functional workflow: a memory is created, then updated.
import assert from "node:assert/strict";
// #region workflow
import { entrypoint } from "@langchain/langgraph";
import { createManageMemoryTool, type ManageMemoryArguments } from "keepsake/langgraph";
import { InMemoryStore } from "keepsake/store";

const memoryTool = createManageMemoryTool({
  // Every memory of this tool lies in this namespace; the braces are filled from the run's configurable values.
  namespace: ["project_memories", "{langgraph_user_id}"],
});
const store = new InMemoryStore();

const workflow = entrypoint({ name: "workflow", store }, async (input: ManageMemoryArguments) => {
  // Other work …
  const result = await memoryTool.invoke(input);
  console.log(result);
  return result;
});

const userId = "123e4567-e89b-12d3-a456-426614174000";
const config = { configurable: { langgraph_user_id: userId } };

const created = await workflow.invoke(
  { content: "Team prefers to use Python for backend development" },
  config,
);
// created memory 6f9d1c3e-…
const id = created.split(" ").at(-1);
const updated = await workflow.invoke(
  { id, action: "update", content: "Team uses Python for backend and TypeScript for frontend" },
  config,
);
// updated memory 6f9d1c3e-…
// #endregion

assert.match(created, /^created memory [0-9a-f-]{36}$/);
assert.equal(updated, `updated memory ${id}`);
const items = await store.search(["project_memories", userId]);
assert.deepEqual(
  items.map(({ key, value }) => [key, value]),
  [[id, { content: "Team uses Python for backend and TypeScript for frontend" }]],
);

// An id that is nobody's, as in the original's example, makes no new memory: the model is told which ids there are.
const unknown = await workflow.invoke({ id: userId, action: "update", content: "x" }, config);
assert.equal(
  unknown,
  `There is no memory with the id "${userId}". The ids that exist are: ${id}. Nothing was changed.`,
);
assert.equal(await store.count(["project_memories", userId]), 1);
