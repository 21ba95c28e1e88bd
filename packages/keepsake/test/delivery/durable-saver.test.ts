import type { BaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import { langchainCodec, ReducingSaver } from "../../src/adapters/langgraph/index.ts";
import { durable, InMemoryOutbox } from "../../src/delivery/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";
import {
  ask,
  assertValid,
  chatGraph,
  conversation,
  storedMessages,
  textsOf,
  threadOf,
} from "../adapters/langgraph/saver-harness.ts";

test("a message that cannot be kept stays in the saved window alone", async () => {
  const taken: string[] = [];
  const remember = durable<BaseMessage>((pruned) => void taken.push(...textsOf(pruned)), {
    name: "remember",
    outbox: new InMemoryOutbox(),
    codec: {
      decode: langchainCodec.decode,
      encode: (message) => {
        if (message.text === "question 1") throw new Error("no");
        return langchainCodec.encode(message);
      },
    },
  });
  const warnings: string[] = [];
  const logger = { debug: () => {}, warn: (text: string) => void warnings.push(text) };
  const reducer = new MessageReducer<BaseMessage>({
    minMessages: 4,
    maxMessages: 8,
    onPrune: [remember],
    logger,
  });
  const saver = new ReducingSaver(new MemorySaver(), reducer);
  const graph = chatGraph(saver);
  for (let turn = 0; turn < 10; turn += 1) await graph.invoke(ask(`question ${turn}`), threadOf("t"));
  await remember.drain();

  const window = await storedMessages(saver, threadOf("t"));
  assertValid(window);
  expect(window.length).toBeLessThanOrEqual(8);
  expect(textsOf(window)).toContain("question 1");
  expect(taken.length).toBeGreaterThan(0);
  expect([...taken, ...textsOf(window)].sort()).toEqual(conversation(10).sort());
  expect(warnings.filter((text) => text.includes("stays in the window"))).toHaveLength(1);
});
