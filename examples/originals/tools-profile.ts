// LangMem's custom schema: a profile with optional, nullable and defaulted fields, created in one turn and updated in the next.
import assert from "node:assert/strict";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
// #region profile
import { createManageMemoryTool } from "keepsake/langgraph";
import { InMemoryStore } from "keepsake/store";
import { z } from "zod";

const UserProfile = z.object({
  name: z.string(),
  age: z.number().int().nullish(),
  recent_memories: z.array(z.string()).default([]),
  preferences: z.record(z.string(), z.string()).nullable().default(null),
});

const memoryTool = createManageMemoryTool({
  namespace: ["memories", "{langgraph_user_id}", "user_profile"],
  schema: UserProfile,
  actionsPermitted: ["create", "update"],
  instructions:
    "Update the existing user profile (or create a new one if it doesn't exist) based on the shared information.",
});
// #endregion

const store = new InMemoryStore();
const model = fakeModel()
  .respondWithTools([
    {
      name: "manage_memory",
      args: { content: { name: "User", age: 60, recent_memories: ["Started programming 5 days ago"] } },
      id: "call-1",
    },
  ])
  .respond(new AIMessage("I've created a memory with your age."))
  .respond((messages) => {
    const [, id = ""] = /created memory (\S+)/.exec(messages.map(({ text }) => text).join("\n")) ?? [];
    const content = {
      name: "User",
      age: 61,
      recent_memories: ["Started programming 5 days ago"],
      preferences: { programming_experience: "5 days" },
    };
    const args = { action: "update", id: id.slice(0, 8), content };
    return new AIMessage({
      content: "",
      tool_calls: [{ name: "manage_memory", args, id: "call-2", type: "tool_call" }],
    });
  })
  .respond(new AIMessage("Happy 61st birthday!"));

const agent = createReactAgent({ llm: model, tools: [memoryTool], store });
const config = { configurable: { langgraph_user_id: "123e4567-e89b-12d3-a456-426614174000" } };

const first = await agent.invoke(
  { messages: [{ role: "user", content: "I'm 60 years old and have been programming for 5 days." }] },
  config,
);
const profile = ["memories", "123e4567-e89b-12d3-a456-426614174000", "user_profile"];
const [created] = await store.search(profile);
assert.deepEqual(created?.value.content, {
  name: "User",
  age: 60,
  recent_memories: ["Started programming 5 days ago"],
  preferences: null,
});

const second = await agent.invoke(
  { messages: [...first.messages, { role: "user", content: "Just had my 61st birthday today!!" }] },
  config,
);
const items = await store.search(profile);
console.log(items);
assert.equal(items.length, 1);
assert.equal(items[0]?.key, created?.key);
assert.deepEqual(items[0]?.value.content, {
  name: "User",
  age: 61,
  recent_memories: ["Started programming 5 days ago"],
  preferences: { programming_experience: "5 days" },
});
const answers = second.messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
assert.deepEqual(answers, [`created memory ${created?.key}`, `updated memory ${created?.key}`]);

// What does not fit is answered, and nothing is written.
const answer = await memoryTool.invoke({ content: { age: "sixty" } }, { ...config, store } as object);
assert.match(String(answer), /^The content does not fit its schema: name: .*; age: .*Nothing was changed\.$/);
