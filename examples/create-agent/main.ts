// An agent of langchain with memory: one middleware keeps its state small, hands what leaves it to the engine, recalls, and brings the tools.
import assert from "node:assert/strict";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { validateWindow } from "keepsake";
import type { ModelFunction } from "keepsake/memory";

const model = scriptedModel();

// #region agent
import type { BaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { background, MessageReducer } from "keepsake";
import { memoryMiddleware } from "keepsake/langgraph";
import { MemoryEngine } from "keepsake/memory";
import { InMemoryStore } from "keepsake/store";
import { createAgent } from "langchain";

const store = new InMemoryStore(); // or SqliteStore, PostgresStore
const engine = new MemoryEngine({ store, model: findFacts }); // or "anthropic:claude-haiku-4-5", a chat model, …
const remember = background<BaseMessage>(engine.onPrune);
const reducer = new MessageReducer<BaseMessage>({
  maxMessages: 10,
  minMessages: 4,
  preserveFirst: false, // the prompt is not in the list: nothing in it stays for ever
  onPrune: [remember],
});

const agent = createAgent({
  model, // a chat model, or its name
  systemPrompt: "You are a travel agent.",
  middleware: [memoryMiddleware({ reducer, engine })],
  checkpointer: new MemorySaver(),
});

const config = { configurable: { thread_id: "t1", memory_namespace: ["memories", "asha"] } };
const ask = (content: string, run = config) => agent.invoke({ messages: [{ role: "user", content }] }, run);
// #endregion

await ask("I always take the aisle seat.");
for (let day = 1; day <= 12; day += 1) await ask(`What do we do on day ${day}?`);
await remember.idle();

// The model was never sent more than the prompt and the window.
const sent = model.calls.map(({ messages }) => messages as BaseMessage[]);
for (const messages of sent) {
  assert.ok(messages.length <= 11);
  assert.deepEqual(validateWindow(messages), []);
}

// Another thread of hers answers from memory, which is in the prompt of the call and in no state.
const later = { configurable: { ...config.configurable, thread_id: "t2" } };
const { messages } = await ask("Which seat do I take?", later);
assert.deepEqual(
  messages.map(({ text }) => text),
  ["Which seat do I take?", "The aisle seat."],
);
assert.match(model.calls.at(-1)?.messages[0]?.text ?? "", /^You are a travel agent\.\n\n<recalled_memories>/);

// Someone else's does not.
const other = { configurable: { thread_id: "t3", memory_namespace: ["memories", "bela"] } };
assert.equal((await ask("Which seat do I take?", other)).messages.at(-1)?.text, "I do not know.");
assert.equal(engine.stats().failed, 0);
await remember.close();

/** Answers from what it is sent. */
function scriptedModel() {
  const scripted = fakeModel();
  for (let answer = 0; answer < 20; answer += 1) {
    scripted.respond((received) => {
      if (!/seat do I/.test(received.at(-1)?.text ?? "")) return new AIMessage("We look around.");
      return new AIMessage(/aisle seat/.test(received[0]?.text ?? "") ? "The aisle seat." : "I do not know.");
    });
  }
  return scripted;
}

/** Stands for a small language model that finds facts. */
function findFacts({ prompt, schemaName }: Parameters<ModelFunction>[0]): unknown {
  if (schemaName === "decisions") return { decisions: [] };
  return {
    facts: prompt.includes("I always take the aisle seat.")
      ? [{ content: "Asha always takes the aisle seat." }]
      : [],
  };
}
