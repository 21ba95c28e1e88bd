// LangMem's manage_memory in createReactAgent, with a prompt that reads the user's memories from the run's store.
import assert from "node:assert/strict";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
// #region agent
import { getConfig, getStore, type MessagesAnnotation } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { createManageMemoryTool } from "keepsake/langgraph";
import { InMemoryStore } from "keepsake/store";

async function prompt(state: typeof MessagesAnnotation.State) {
  const userId: string = getConfig().configurable?.langgraph_user_id;
  // The namespace that the tool below writes to.
  const memories = await getStore()?.search(["memories", userId]);
  const content = `You are a helpful assistant.
<memories>
${JSON.stringify(memories?.map(({ key, value }) => ({ key, ...value })))}
</memories>`;
  return [{ role: "system", content }, ...state.messages];
}

const model = scriptedModel();
const store = new InMemoryStore();
const agent = createReactAgent({
  llm: model,
  prompt,
  tools: [createManageMemoryTool({ namespace: ["memories", "{langgraph_user_id}"] })],
  store,
});

const config = { configurable: { langgraph_user_id: "asha" } };
const ask = (content: string) => agent.invoke({ messages: [{ role: "user", content }] }, config);
await ask("We've decided we like golang more than python for backend work");
await ask("Which language do we write the backend in?");
// #endregion

/** In the first run the model remembers; in the second it answers. */
function scriptedModel() {
  const content = "The team prefers golang to python for backend work.";
  return fakeModel()
    .respondWithTools([{ name: "manage_memory", args: { content }, id: "call-1" }])
    .respond(new AIMessage("Noted."))
    .respond(new AIMessage("In golang."));
}

const [item] = await store.search(["memories", "asha"]);
assert.deepEqual(item?.value, { content: "The team prefers golang to python for backend work." });
const prompts = model.calls.map(({ messages }) => messages[0]?.text ?? "");
assert.equal(prompts.length, 3);
assert.ok(!prompts[0]?.includes("golang"));
assert.ok(prompts[1]?.includes("The team prefers golang"));
assert.ok(prompts[2]?.includes("The team prefers golang"));
