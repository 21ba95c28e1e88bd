import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, MemorySaver, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { ReducingSaver } from "../../../src/adapters/langgraph/index.ts";
import { contentIds } from "../../../src/reducer/index.ts";
import { conversation, recordingReducer, storedMessages, textsOf, threadOf } from "./saver-harness.ts";

/** A list that is only joined: nothing gives its messages ids. */
const State = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: (left, right) => left.concat(right), default: () => [] }),
});

describe("a list of messages without ids", () => {
  it.each(["exit", "async", "sync"] as const)(
    "is handed over once with contentIds, with durability %s",
    async (durability) => {
      const { reducer, texts } = recordingReducer({ identify: contentIds() });
      const saver = new ReducingSaver(new MemorySaver(), reducer);
      const graph = new StateGraph(State)
        .addNode("model", ({ messages }) => ({
          messages: [new AIMessage(`answer to ${messages.at(-1)?.text}`)],
        }))
        .addNode("after", () => ({}))
        .addEdge("__start__", "model")
        .addEdge("model", "after")
        .compile({ checkpointer: saver });
      for (let turn = 0; turn < 15; turn += 1) {
        const question = new HumanMessage(`question ${turn}`);
        await graph.invoke({ messages: [question] }, { ...threadOf("t"), durability });
      }
      const window = textsOf(await storedMessages(saver, threadOf("t")));
      expect(window.length).toBeLessThanOrEqual(8);
      expect([...texts(), ...window].sort()).toEqual(conversation(15).sort());
    },
  );
});
