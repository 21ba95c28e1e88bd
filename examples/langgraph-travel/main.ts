// A travel agent on LangGraph that knows its customers. Its threads stay small: what leaves the window is read by a model for facts, in the
// background, and a new thread answers from them.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateWindow } from "keepsake";
import { turns } from "./conversation.ts";
import { chatModel, factModel } from "./models.ts";

const folder = mkdtempSync(join(tmpdir(), "travel-"));
const memoryFile = join(folder, "memory.db");
const threadsFile = join(folder, "threads.db");

// #region memory
import type { BaseMessage } from "@langchain/core/messages";
import { background, MessageReducer } from "keepsake";
import { MemoryEngine } from "keepsake/memory";
import { SqliteStore } from "keepsake/sqlite";

const store = new SqliteStore(memoryFile);
const engine = new MemoryEngine({ store, model: factModel }); // or "anthropic:claude-haiku-4-5", a chat model, …

const remember = background<BaseMessage>(engine.onPrune); // a model is slow: not on the way of an answer
const reducer = new MessageReducer<BaseMessage>({
  maxMessages: 12,
  minMessages: 6,
  preserveFirst: false, // the prompt is not in the list: nothing in it stays for ever
  onPrune: [remember],
});
// #endregion

const model = chatModel();

// #region graph
import { Annotation, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { memoryTools, ReducingSaver, recallNode } from "keepsake/langgraph";

const State = Annotation.Root({ ...MessagesAnnotation.spec, memory: Annotation<string> });
const tools = memoryTools(engine);
const saver = SqliteSaver.fromConnString(threadsFile);

const graph = new StateGraph(State)
  .addNode("recall", recallNode(engine))
  .addNode("agent", async ({ memory, messages }) => {
    const prompt = { role: "system", content: `You are a travel agent.\n\n${memory}` };
    return { messages: [await model.bindTools(tools).invoke([prompt, ...messages])] };
  })
  .addNode("tools", new ToolNode(tools))
  .addEdge("__start__", "recall")
  .addEdge("recall", "agent")
  .addConditionalEdges("agent", toolsCondition)
  .addEdge("tools", "agent")
  .compile({ checkpointer: new ReducingSaver(saver, reducer) });

async function ask(question: string, userId: string, threadId: string): Promise<string> {
  const configurable = { thread_id: threadId, memory_namespace: ["memories", userId] };
  const { messages } = await graph.invoke(
    { messages: [{ role: "user", content: question }] },
    { configurable },
  );
  return messages.at(-1)?.text ?? "";
}
// #endregion

const sizes: number[] = [];
for (const turn of turns) {
  await ask(turn, "asha", "pune-trip");
  const { values } = await graph.getState({ configurable: { thread_id: "pune-trip" } });
  sizes.push(values.messages.length);
}
// #region later
await remember.idle(); // before the process ends, or where a runtime freezes it

const answer = await ask("Which seat should you book for me?", "asha", "next-year"); // "The aisle seat, as always."
// #endregion

// The thread is bounded: every stored list is a window of at most twelve messages, valid for any provider.
assert.ok(Math.max(...sizes) <= 12);
for await (const { checkpoint } of saver.list({ configurable: { thread_id: "pune-trip" } })) {
  const messages = checkpoint.channel_values.messages as BaseMessage[] | undefined;
  assert.deepEqual(validateWindow(messages ?? []), []);
}

// The new thread knows what was said in the old one, and what the agent was asked to remember.
assert.equal(answer, "The aisle seat, as always.");
assert.equal(await ask("What am I allergic to?", "asha", "next-year"), "To peanuts.");
assert.equal(await ask("Where do I collect miles?", "asha", "next-year"), "With Star Alliance.");
const memories = await engine.list(["memories", "asha"]);
assert.equal(memories.length, 6);

// Nobody else's thread does.
assert.equal(await ask("Which seat should you book for me?", "bela", "bela-1"), "I do not know.");

// One batch that left the window costs one call of the model, and one more where facts have to be weighed.
const { batches, modelCalls, failed } = engine.stats();
assert.equal(failed + remember.dropped, 0);
assert.ok(batches > 0 && modelCalls <= 2 * batches);

console.log(`${turns.length} turns, ${Math.max(...sizes)} messages at most in the thread`);
console.log(`${memories.length} memories, ${modelCalls} calls of a model for ${batches} batches`);
console.log(`Which seat should you book for me? ${answer}`);

await remember.close();
await store.close();
saver.db.close();
rmSync(folder, { recursive: true });
