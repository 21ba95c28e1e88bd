// The memory tools in createAgent of langchain 1.x. Whose memories they are comes from the run's context.
import assert from "node:assert/strict";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";

const model = scriptedModel();

// #region agent
import { createManageMemoryTool, createSearchMemoryTool } from "keepsake/langgraph";
import { SqliteStore } from "keepsake/sqlite";
import { createAgent } from "langchain";
import { z } from "zod";

const namespace = ["memories", "{userId}"];
const store = new SqliteStore(":memory:");
const agent = createAgent({
  model, // a chat model, or its name
  tools: [createManageMemoryTool({ namespace }), createSearchMemoryTool({ namespace })],
  contextSchema: z.object({ userId: z.string() }),
  store,
});

const ask = (userId: string, content: string) => {
  return agent.invoke({ messages: [{ role: "user", content }] }, { context: { userId } });
};
await ask("asha", "I always sit at the aisle.");
const { messages } = await ask("asha", "Which seat should you book for me?");
// #endregion
const { messages: belas } = await ask("bela", "Which seat should you book for me?");

/** The model remembers in the first run, and searches in the others. */
function scriptedModel() {
  const search = { name: "search_memory", args: { query: "seat" }, id: "call-2" };
  return fakeModel()
    .respondWithTools([
      { name: "manage_memory", args: { content: "Always sits at the aisle." }, id: "call-1" },
    ])
    .respond(new AIMessage("Noted."))
    .respondWithTools([{ ...search, args: { query: "where does she sit?" } }])
    .respond(new AIMessage("The aisle."))
    .respondWithTools([search])
    .respond(new AIMessage("Which do you like?"));
}

const answersOfTools = (list: typeof messages) =>
  list.filter((message) => message.type === "tool").map(({ text }) => text);
const [found = ""] = answersOfTools(messages);
assert.deepEqual(
  JSON.parse(found).map(({ namespace, value }: Record<string, unknown>) => [namespace, value]),
  [[["memories", "asha"], { content: "Always sits at the aisle." }]],
);
assert.deepEqual(answersOfTools(belas), ["[]"]);
await store.close();
