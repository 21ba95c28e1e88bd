import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { MemorySaver } from "@langchain/langgraph";
import fc from "fast-check";
import { createAgent, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { memoryMiddleware, ReducingSaver } from "../../../src/adapters/langgraph/index.ts";
import { MessageReducer, type ReducerConfig } from "../../../src/reducer/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { assertValid } from "./saver-harness.ts";

const lookUp = tool(({ city }) => `It rains in ${city}.`, {
  name: "look_up",
  description: "Looks up the weather.",
  schema: z.object({ city: z.string() }),
});

/** The numbers of calls that the model makes, step by step, before it answers a turn. */
const turn = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });

const conversation = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 7 }),
  hasPrompt: fc.boolean(),
  summarises: fc.boolean(),
  saver: fc.constantFrom("none", "plain", "reducing"),
  limit: fc.constantFrom<ReducerConfig<BaseMessage>>(
    { maxMessages: 4, minMessages: 2 },
    { maxMessages: 8, minMessages: 4 },
    { maxMessages: 9, minMessages: 1 },
    { maxTokens: 60 },
    { maxMessages: null },
  ),
});

test("whatever an agent says and calls, its model gets a valid window and nothing is lost or handed over twice", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(conversation, async ({ turns, hasPrompt, summarises, saver, limit }) => {
      const delivered: BaseMessage[] = [];
      const reducer = new MessageReducer<BaseMessage>({
        ...limit,
        logger: { debug() {}, warn() {} },
        onPrune: [(pruned) => void delivered.push(...pruned)],
        ...(summarises ? { injectSummary: true, summarize: (pruned) => `${pruned.length} left` } : {}),
      });
      const model = fakeModel();
      const said = new Set<string>();
      for (const [index, steps] of turns.entries()) {
        for (const [step, calls] of steps.entries()) {
          const id = `${index}.${step}`;
          const tool_calls = Array.from({ length: calls }, (_, call) => {
            said.add(`tool ${id}.${call}`);
            return { name: "look_up", args: { city: `${id}.${call}` }, id: `${id}.${call}` };
          });
          said.add(`ai ${id}`);
          model.respond(new AIMessage({ content: `step ${id}`, id, tool_calls }));
        }
        said.add(`ai ${index}`).add(`human ${index}`);
        model.respond(new AIMessage({ content: `answer ${index}`, id: `${index}` }));
      }
      const checkpointer =
        saver === "reducing" ? new ReducingSaver(new MemorySaver(), reducer) : new MemorySaver();
      const agent = createAgent({
        model,
        tools: [lookUp],
        middleware: [memoryMiddleware({ reducer, store: new InMemoryStore() })],
        ...(saver === "none" ? {} : { checkpointer }),
      });
      const run = { configurable: { thread_id: "t1" }, recursionLimit: 100 };
      let messages: BaseMessage[] = [];
      for (const index of turns.keys()) {
        const asked: BaseMessage[] = [new HumanMessage({ content: `question ${index}`, id: `q${index}` })];
        if (hasPrompt && index === 0)
          asked.unshift(new SystemMessage({ content: "Be brief.", id: "prompt" }));
        const input = saver === "none" ? [...messages, ...asked] : asked;
        ({ messages } = await agent.invoke({ messages: input }, run));
      }
      for (const call of model.calls) assertValid(call.messages as BaseMessage[]);

      const left = delivered.map(nameOf);
      expect(new Set(left).size).toBe(left.length);
      const window = messages.map(nameOf);
      const own = window.filter((name) => name !== "" && name !== "system prompt");
      if (hasPrompt) expect(window).toContain("system prompt");
      if (saver !== "reducing") expect(left.filter((name) => own.includes(name))).toEqual([]);
      // What a ReducingSaver has handed over may still be in the list of the running graph.
      expect([...new Set([...left, ...own])].sort()).toEqual([...said].sort());
    }),
    { numRuns: 25 },
  );
});

/** What a message is in the script; an empty text for those of a summary. */
function nameOf(message: BaseMessage): string {
  if (message.type === "tool") return `tool ${/[\d.]+\d/.exec(message.text)?.[0]}`;
  if (message.type === "human" && !message.text.startsWith("question")) return "";
  if (message.type === "ai" && message.text === "OK") return "";
  return `${message.type} ${message.id?.replace("q", "")}`;
}
