import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent, summarizationMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { memoryMiddleware } from "../../../src/adapters/langgraph/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { recordingReducer, threadOf } from "./saver-harness.ts";

function answering(text: string): ReturnType<typeof fakeModel> {
  const model = fakeModel();
  for (let turn = 0; turn < 40; turn += 1) model.respond(new AIMessage(text));
  return model;
}

describe("beside langchain's summarizationMiddleware", () => {
  it.each(["before", "behind"])("%s it, hooks do not get what it removes", async (place) => {
    const { reducer, texts } = recordingReducer();
    const memory = memoryMiddleware({ reducer, store: new InMemoryStore() });
    // Its type does not fit where TypeScript tells a missing option from an undefined one.
    const summary: AgentMiddleware = Reflect.apply(summarizationMiddleware, undefined, [
      { model: answering("summary"), trigger: { messages: 6 }, keep: { messages: 2 } },
    ]);
    const agent = createAgent({
      model: answering("answer"),
      checkpointer: new MemorySaver(),
      middleware: place === "before" ? [memory, summary] : [summary, memory],
    });
    for (let turn = 0; turn < 20; turn += 1)
      await agent.invoke({ messages: [new HumanMessage(`question ${turn}`)] }, threadOf("t"));
    const { messages } = (await agent.graph.getState(threadOf("t"))).values;
    expect(messages.length).toBeLessThanOrEqual(8);
    expect(texts()).toEqual([]);
  });
});
