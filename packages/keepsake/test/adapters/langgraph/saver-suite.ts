import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { Annotation, Command, interrupt, MessagesAnnotation, Send, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ReducingSaver } from "../../../src/adapters/langgraph/index.ts";
import {
  ask,
  assertValid,
  chatGraph,
  conversation,
  recordingReducer,
  type SaverKind,
  storedMessages,
  textsOf,
  threadOf,
} from "./saver-harness.ts";

const durabilities = ["async", "sync", "exit"] as const;

/** What graphs of every shape must find in a saver that reduces. */
export function describeSaver({ name, create }: SaverKind): void {
  describe(`ReducingSaver over ${name}`, () => {
    describe.each(durabilities)("with durability %s", (durability) => {
      it("keeps a long thread within the window, and hands over each message that leaves it once", async () => {
        const { reducer, calls, texts } = recordingReducer();
        const saver = new ReducingSaver(await create(), reducer);
        const graph = chatGraph(saver);
        const config = { ...threadOf("long"), durability };
        for (let turn = 0; turn < 20; turn += 1) {
          await graph.invoke(ask(`question ${turn}`), config);
          const stored = await storedMessages(saver, config);
          expect(stored.length).toBeLessThanOrEqual(8);
          expect(stored.at(-1)?.text).toBe(`answer to question ${turn}`);
          assertValid(stored);
        }
        const stored = textsOf(await storedMessages(saver, config));
        expect([...texts(), ...stored].sort()).toEqual(conversation(20).sort());
        expect(calls.every(({ threadId }) => threadId === "long")).toBe(true);
        expect(calls[0]?.namespace).toEqual(["memories", "asha"]);
      });

      it("goes on after an interrupt in a thread that has been reduced", async () => {
        const { reducer, texts } = recordingReducer();
        const saver = new ReducingSaver(await create(), reducer);
        const graph = approvalGraph(saver);
        const config = { ...threadOf("approval"), durability };
        for (let turn = 0; turn < 8; turn += 1) {
          const paused = await graph.invoke(ask(`question ${turn}`), config);
          expect(paused).toHaveProperty("__interrupt__");
          // What resumes may be another process.
          const later = approvalGraph(new ReducingSaver(saver.inner, reducer));
          const { messages } = await later.invoke(
            new Command({ resume: `answer to question ${turn}` }),
            config,
          );
          assertValid(messages);
        }
        const stored = textsOf(await storedMessages(saver, config));
        expect(stored.length).toBeLessThanOrEqual(8);
        expect([...texts(), ...stored].sort()).toEqual(conversation(8).sort());
      });

      it("loses nothing when a node throws, and goes on", async () => {
        const { reducer, texts } = recordingReducer();
        const saver = new ReducingSaver(await create(), reducer);
        let fails = true;
        const graph = new StateGraph(MessagesAnnotation)
          .addNode("model", ({ messages }) => ({
            messages: [new AIMessage(`answer to ${messages.at(-1)?.text}`)],
          }))
          .addNode("after", () => {
            fails = !fails;
            if (!fails) throw new Error("down");
            return {};
          })
          .addEdge("__start__", "model")
          .addEdge("model", "after")
          .compile({ checkpointer: saver });
        const config = { ...threadOf("throws"), durability };
        for (let turn = 0; turn < 8; turn += 1) {
          await expect(graph.invoke(ask(`question ${turn}`), config)).rejects.toThrow("down");
          await graph.invoke(null, config);
        }
        const stored = textsOf(await storedMessages(saver, config));
        expect(stored.length).toBeLessThanOrEqual(8);
        expect([...texts(), ...stored].sort()).toEqual(conversation(8).sort());
      });

      it("resumes beside the pending removal of a message that has been pruned", async () => {
        const { reducer, texts } = recordingReducer();
        const saver = new ReducingSaver(await create(), reducer);
        const config = { ...threadOf("removal"), durability };
        await chatGraph(saver).invoke(ask("question 0"), config);
        const graph = removalGraph(saver);
        const burst = conversation(6, 1).map((text, index) =>
          index % 2 === 0 ? new HumanMessage(text) : new AIMessage(text),
        );
        // The running graph still has "answer to question 0", which the checkpoint before the interrupt has not.
        await graph.invoke({ messages: burst }, config);
        expect(texts()).toContain("answer to question 0");
        const { tasks } = await graph.getState(config);
        expect(tasks.flatMap(({ interrupts }) => interrupts)).toHaveLength(1);

        const { messages } = await graph.invoke(new Command({ resume: "approved" }), config);
        expect(messages.at(-1)?.text).toBe("approved");
        expect(textsOf(messages)).not.toContain("answer to question 0");
        for await (const { values } of graph.getStateHistory(config)) expect(values).toBeDefined();
      });

      it("does not bring back what was pruned where a subgraph beside the interrupt gives the whole list", async () => {
        // Two turns of three messages fill the window: the next question is what cuts it.
        const { reducer, calls } = recordingReducer({ minMessages: 3, maxMessages: 6 });
        const saver = new ReducingSaver(await create(), reducer);
        const graph = committeeGraph(saver);
        const config = { ...threadOf("committee"), durability };
        for (let turn = 0; turn < 6; turn += 1) {
          await graph.invoke(ask(`question ${turn}`), config);
          // What resumes may be another process, with nothing but what is stored.
          const later = committeeGraph(new ReducingSaver(saver.inner, reducer));
          const { messages } = await later.invoke(new Command({ resume: `approved ${turn}` }), config);
          assertValid(messages);
          const about = textsOf(messages).map((text) => Number(text.split(" ")[1]));
          expect(about).toEqual(about.toSorted((a, b) => a - b));
        }
        const parents = calls.filter(({ threadId }) => threadId === "committee");
        const handed = parents.flatMap(({ texts }) => texts);
        const stored = textsOf(await storedMessages(saver, config));
        expect(stored.length).toBeLessThanOrEqual(6);
        expect([...handed, ...stored].sort()).toEqual(
          [0, 1, 2, 3, 4, 5]
            .flatMap((turn) => [`advice ${turn}`, `approved ${turn}`, `question ${turn}`])
            .sort(),
        );
        const { metadata } = await graph.getState(config);
        expect(Object.keys(metadata ?? {}).filter((name) => name.startsWith("keepsake"))).toEqual([]);
      });

      it("answers a parallel batch of calls of which two were interrupted", async () => {
        const { reducer } = recordingReducer({ minMessages: 1, maxMessages: 2 });
        const saver = new ReducingSaver(await create(), reducer);
        const graph = batchGraph(saver);
        const config = { ...threadOf("batch"), durability };
        await chatGraph(saver).invoke(ask("question 0"), config);
        await chatGraph(saver).invoke(ask("question 1"), config);
        await graph.invoke(ask("book"), config);
        const { tasks } = await graph.getState(config);
        const interrupts = tasks.flatMap((task) => task.interrupts);
        expect(interrupts).toHaveLength(2);

        const [first, second] = interrupts.map(({ id }) => id ?? "");
        const again = batchGraph(new ReducingSaver(saver.inner, reducer));
        await again.invoke(new Command({ resume: { [first ?? ""]: "yes" } }), config);
        const { messages } = await again.invoke(new Command({ resume: { [second ?? ""]: "no" } }), config);
        const results = messages.filter((message) => ToolMessage.isInstance(message));
        expect(textsOf(results)).toEqual(["flight: done", "hotel: yes", "car: no"]);
        assertValid(await storedMessages(saver, config));
        expect(textsOf(await storedMessages(saver, config))).toContain("car: no");
      });

      it("reduces the lists of subgraphs, those with a history of their own included", async () => {
        const { reducer, calls } = recordingReducer();
        const saver = new ReducingSaver(await create(), reducer);
        const graph = familyGraph(saver);
        const config = { ...threadOf("family"), durability };
        for (let turn = 0; turn < 10; turn += 1) {
          await graph.invoke(ask(`question ${turn}`), config);
        }
        const child = { configurable: { ...config.configurable, checkpoint_ns: "child" } };
        expect((await storedMessages(saver, child)).length).toBeLessThanOrEqual(8);
        expect((await storedMessages(saver, config)).length).toBeLessThanOrEqual(8);

        // Ids and texts of the child's notes are those of the parent's answers; none of the two silences the other.
        const handed = (threadId: string) =>
          calls.filter((call) => call.threadId === threadId).flatMap(({ texts }) => texts);
        const parents = handed("family");
        const childs = handed('["family","child"]');
        const all = [...parents, ...textsOf(await storedMessages(saver, config))].sort();
        expect(all).toEqual(conversation(10).sort());
        expect([...childs, ...textsOf(await storedMessages(saver, child))].sort()).toEqual(
          conversation(10).sort(),
        );
      });
    });

    it("delivers ids that repeat between threads", async () => {
      const { reducer, calls } = recordingReducer();
      const saver = new ReducingSaver(await create(), reducer);
      for (const thread of ["one", "two"]) {
        const graph = new StateGraph(MessagesAnnotation)
          .addNode("model", ({ messages }) => ({
            messages: [new AIMessage({ id: `a${messages.length}`, content: "fine" })],
          }))
          .addEdge("__start__", "model")
          .compile({ checkpointer: saver });
        for (let turn = 0; turn < 6; turn += 1) {
          const question = new HumanMessage({ id: `u${turn}`, content: "and?" });
          await graph.invoke({ messages: [question] }, threadOf(thread));
        }
      }
      const handed = (thread: string) => calls.filter(({ threadId }) => threadId === thread);
      expect(handed("one").length).toBeGreaterThan(0);
      expect(handed("two").map(({ texts }) => texts)).toEqual(handed("one").map(({ texts }) => texts));
    });

    it("goes on from an earlier checkpoint, and hands nothing over twice", async () => {
      const { reducer, calls } = recordingReducer();
      const saver = new ReducingSaver(await create(), reducer);
      const graph = chatGraph(saver);
      const config = threadOf("travel");
      for (let turn = 0; turn < 8; turn += 1) await graph.invoke(ask(`question ${turn}`), config);
      const history = [];
      for await (const state of graph.getStateHistory(config)) history.push(state);
      const earlier = history.find(
        ({ values }) => textsOf(values.messages ?? []).at(-1) === "answer to question 5",
      );
      if (earlier === undefined) throw new Error("no such checkpoint");

      // Configs of the history name no memory namespace.
      const back = { configurable: { ...config.configurable, ...earlier.config.configurable } };
      const { messages } = await graph.invoke(ask("question 9"), back);
      expect(textsOf(messages).slice(-2)).toEqual(["question 9", "answer to question 9"]);
      expect(textsOf(messages)).not.toContain("question 7");
      // Run once more what was run from there.
      await graph.invoke(null, back);
      for (let turn = 10; turn < 14; turn += 1) await graph.invoke(ask(`question ${turn}`), config);
      expect((await storedMessages(saver, config)).length).toBeLessThanOrEqual(8);
      const handed = calls.flatMap(({ ids }) => ids);
      expect(handed.length).toBeGreaterThan(10);
      expect(new Set(handed).size).toBe(handed.length);
    });

    it("reduces what updateState stores, and takes its removals", async () => {
      const { reducer, texts } = recordingReducer();
      const saver = new ReducingSaver(await create(), reducer);
      const graph = chatGraph(saver);
      const config = threadOf("update");
      for (let turn = 0; turn < 3; turn += 1) await graph.invoke(ask(`question ${turn}`), config);
      const added = conversation(4, 3).map((text, index) =>
        index % 2 === 0 ? new HumanMessage(text) : new AIMessage(text),
      );
      await graph.updateState(config, { messages: added });
      const stored = await storedMessages(saver, config);
      expect(stored.length).toBeLessThanOrEqual(8);
      expect([...texts(), ...textsOf(stored)].sort()).toEqual(conversation(7).sort());

      const last = stored.at(-1);
      await graph.updateState(config, { messages: [new RemoveMessage({ id: last?.id ?? "" })] });
      const { values } = await graph.getState(config);
      expect(textsOf(values.messages)).toEqual(textsOf(stored.slice(0, -1)));
    });

    it("bounds the thread of an agent that calls tools", async () => {
      const { reducer, texts } = recordingReducer();
      const saver = new ReducingSaver(await create(), reducer);
      const lookUp = tool(({ seat }) => `seat ${seat} is free`, {
        name: "look_up",
        description: "Looks up a seat.",
        schema: z.object({ seat: z.string() }),
      });
      const config = threadOf("agent");
      let said = 0;
      for (let turn = 0; turn < 6; turn += 1) {
        const calls = ["A", "B"].map((row) => ({
          name: "look_up",
          args: { seat: `${turn}${row}` },
          id: `${turn}${row}`,
        }));
        const model = fakeModel()
          .respond(new AIMessage({ content: `looking ${turn}`, tool_calls: calls }))
          .respond(new AIMessage(`answer ${turn}`));
        const agent = createAgent({ model, tools: [lookUp], checkpointer: saver });
        await agent.invoke(ask(`question ${turn}`), config);
        said += 5;
        const stored = await storedMessages(saver, config);
        expect(stored.length).toBeLessThanOrEqual(8);
        assertValid(stored);
        expect(texts().length + stored.length).toBe(said);
      }
    });
  });
}

/** Waits for a person, whose word is the answer. */
function approvalGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(MessagesAnnotation)
    .addNode("approve", () => ({ messages: [new AIMessage(String(interrupt("approve?")))] }))
    .addEdge("__start__", "approve")
    .compile({ checkpointer });
}

/** Beside a node that waits for a person, one that removes the first answer of the thread. */
function removalGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(MessagesAnnotation)
    .addNode("begin", () => ({}))
    .addNode("tidy", ({ messages }) => ({ messages: removalOf(messages, "answer to question 0") }))
    .addNode("approve", () => ({ messages: [new AIMessage(String(interrupt("approve?")))] }))
    .addEdge("__start__", "begin")
    .addEdge("begin", "tidy")
    .addEdge("begin", "approve")
    .compile({ checkpointer });
}

/** An adviser with the parent's list, who gives all of it, while a person is asked. */
function committeeGraph(checkpointer: BaseCheckpointSaver) {
  const turnOf = (messages: readonly BaseMessage[]) => messages.at(-1)?.text.split(" ")[1];
  const adviser = new StateGraph(MessagesAnnotation)
    .addNode("advise", ({ messages }) => ({ messages: [new AIMessage(`advice ${turnOf(messages)}`)] }))
    .addEdge("__start__", "advise")
    .compile();
  return new StateGraph(MessagesAnnotation)
    .addNode("begin", () => ({}))
    .addNode("adviser", adviser)
    .addNode("approve", () => ({ messages: [new AIMessage(String(interrupt("approve?")))] }))
    .addEdge("__start__", "begin")
    .addEdge("begin", "adviser")
    .addEdge("begin", "approve")
    .compile({ checkpointer });
}

function removalOf(messages: readonly BaseMessage[], text: string): BaseMessage[] {
  const found = messages.find((message) => message.text === text);
  if (found === undefined) throw new Error(`"${text}" is not in the running graph`);
  return [new RemoveMessage({ id: found.id ?? "" })];
}

/** Three calls at once, each a task of its own; hotel and car wait for a person. */
function batchGraph(checkpointer: BaseCheckpointSaver) {
  const names = ["flight", "hotel", "car"];
  const State = Annotation.Root({ ...MessagesAnnotation.spec, name: Annotation<string> });
  return new StateGraph(State)
    .addNode("model", () => ({
      messages: [
        new AIMessage({
          content: "booking",
          tool_calls: names.map((name) => ({ name, args: {}, id: name })),
        }),
      ],
    }))
    .addNode("book", ({ name }) => {
      const content = `${name}: ${name === "flight" ? "done" : interrupt(`${name}?`)}`;
      return { messages: [new ToolMessage({ content, tool_call_id: name, name })] };
    })
    .addEdge("__start__", "model")
    .addConditionalEdges("model", () => names.map((name) => new Send("book", { name })), ["book"])
    .compile({ checkpointer });
}

/** A parent whose child keeps a list of its own, with the same ids and texts. */
function familyGraph(checkpointer: BaseCheckpointSaver) {
  const answer = ({ messages }: { messages: BaseMessage[] }) => {
    const { id = "", text = "" } = messages.at(-1) ?? {};
    return { messages: [new AIMessage({ id: `${id}-answer`, content: `answer to ${text}` })] };
  };
  const child = new StateGraph(MessagesAnnotation)
    .addNode("note", answer)
    .addEdge("__start__", "note")
    .compile({ checkpointer: true });
  return new StateGraph(MessagesAnnotation)
    .addNode("child", async ({ messages }) => {
      const last = messages.at(-1);
      if (last !== undefined) await child.invoke({ messages: [last] });
      return {};
    })
    .addNode("parent", answer)
    .addEdge("__start__", "child")
    .addEdge("child", "parent")
    .compile({ checkpointer });
}
