import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { MessageReducer, type ReducerConfig } from "../../../src/reducer/index.ts";
import { validateWindow } from "../../../src/window/index.ts";

/** A kind of saver, and how an empty one is made. */
export interface SaverKind {
  readonly name: string;
  readonly create: () => Promise<BaseCheckpointSaver> | BaseCheckpointSaver;
}

/** What one call of a hook was given. */
export interface HandOver {
  readonly texts: string[];
  readonly ids: (string | undefined)[];
  readonly namespace: unknown;
  readonly threadId: string | undefined;
}

/** A reducer of a small window whose hook keeps what it is given. */
export function recordingReducer(config: ReducerConfig<BaseMessage> = {}) {
  const calls: HandOver[] = [];
  const reducer = new MessageReducer<BaseMessage>({
    minMessages: 4,
    maxMessages: 8,
    onPrune: [
      (pruned, namespace, { threadId }) => {
        calls.push({ texts: textsOf(pruned), ids: pruned.map(({ id }) => id), namespace, threadId });
      },
    ],
    ...config,
  });
  return { reducer, calls, texts: () => calls.flatMap(({ texts }) => texts) };
}

export function textsOf(messages: readonly BaseMessage[]): string[] {
  return messages.map(({ text }) => text);
}

/** A thread of its own, in Asha's namespace. */
export function threadOf(thread_id: string) {
  return { configurable: { thread_id, memory_namespace: ["memories", "asha"] } };
}

/** A model that answers "question 1" with "answer to question 1". */
function echoingModel(turns: number) {
  const model = fakeModel();
  for (let turn = 0; turn < turns; turn += 1) {
    model.respond((messages) => new AIMessage(`answer to ${messages.at(-1)?.text}`));
  }
  return model;
}

/** A graph that calls a model. */
export function chatGraph(checkpointer: BaseCheckpointSaver, turns = 100) {
  const model = echoingModel(turns);
  return new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addEdge("__start__", "model")
    .compile({ checkpointer });
}

/** "question 0" with its answer, "question 1" with its answer, and so on. */
export function conversation(turns: number, from = 0): string[] {
  return Array.from({ length: turns }, (_, turn) => [
    `question ${from + turn}`,
    `answer to question ${from + turn}`,
  ]).flat();
}

export const ask = (content: string) => ({ messages: [new HumanMessage(content)] });

/** The message list of the newest checkpoint. */
export async function storedMessages(
  saver: BaseCheckpointSaver,
  config: { configurable: Record<string, unknown> },
): Promise<BaseMessage[]> {
  const tuple = await saver.getTuple(config);
  const messages = tuple?.checkpoint.channel_values.messages;
  return Array.isArray(messages) ? messages : [];
}

/** Throws where a provider would refuse the list. */
export function assertValid(messages: readonly BaseMessage[]): void {
  const violations = validateWindow(messages);
  if (violations.length > 0) throw new Error(JSON.stringify(violations));
}
