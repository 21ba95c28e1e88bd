import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { MessageReducer } from "keepsake";
import { ReducingSaver } from "keepsake/langgraph";
import type { Subject } from "./subjects.ts";

/** How a thread is grown. */
export interface Setting {
  readonly dress: "bare" | "wrapped";
  readonly durability: "async" | "exit";
  readonly turns: number;
}

/** What was stored, in bytes. */
export interface Figures {
  /** The newest state when the window of 20 was full for the first time, after ten turns. */
  readonly newestWhenFull: number;
  readonly newest: number;
  readonly total: number;
  /** What each of the first and the last ten turns after that added, in the mean. */
  readonly perTurnEarly: number;
  readonly perTurnLate: number;
  /** Messages that reached the hook; each once, or the bench fails. */
  readonly handedOver: number;
}

const words = "the seat is free and the flight leaves at nine from the gate that is named on the board";

/** Grows a thread turn by turn: a question and an answer of 90 characters each, under a window of 20 messages cut to 10. */
export async function measure(subject: Subject, { dress, durability, turns }: Setting): Promise<Figures> {
  const handed: string[] = [];
  const remember = (pruned: BaseMessage[]): void => void handed.push(...pruned.map(({ text }) => text));
  const reducer = new MessageReducer({ minMessages: 10, maxMessages: 20, onPrune: [remember] });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", ({ messages }) => ({ messages: [new AIMessage(`A${messages.at(-1)?.text.slice(1)}`)] }))
    .addEdge("__start__", "model")
    .compile({ checkpointer: dress === "bare" ? subject.saver : new ReducingSaver(subject.saver, reducer) });
  const config = {
    configurable: { thread_id: "bench", memory_namespace: ["memories", "bench"] },
    durability,
  };

  const newest: number[] = [];
  const total: number[] = [];
  const said: string[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const question = `Q${String(turn).padStart(3, "0")} ${words}`;
    said.push(question, `A${question.slice(1)}`);
    await graph.invoke({ messages: [["user", question]] }, config);
    newest.push(await subject.newestBytes());
    total.push(await subject.storedBytes());
  }
  const { values } = await graph.getState(config);
  checkOnce(said, [...handed, ...values.messages.map(({ text }: BaseMessage) => text)]);

  const at = (list: readonly number[], turn: number): number => list[turn - 1] ?? 0;
  return {
    newestWhenFull: at(newest, 10),
    newest: at(newest, turns),
    total: at(total, turns),
    perTurnEarly: (at(total, 20) - at(total, 10)) / 10,
    perTurnLate: (at(total, turns) - at(total, turns - 10)) / 10,
    handedOver: handed.length,
  };
}

function checkOnce(said: readonly string[], found: readonly string[]): void {
  const isWhole = found.length === said.length && new Set(found).size === said.length;
  if (!isWhole)
    throw new Error(`${said.length} messages were said, ${found.length} are handed over or in the window`);
}
