// Run as a child process: node outbox-kill-process.mjs; each line of standard input is a conversation to have, or to go on with.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ReducingSaver } from "../../src/adapters/langgraph/index.ts";
import { durable } from "../../src/delivery/index.ts";
import { rememberVerbatim } from "../../src/memory/verbatim/remember-verbatim.ts";
import { MessageReducer } from "../../src/reducer/index.ts";
import { type KillPlace, type OpenKillPlace, openKillPlace, textOf } from "./outbox-kill-place.ts";

interface Job {
  readonly place: KillPlace;
  readonly run: number;
  readonly turns: number;
}

let opened: OpenKillPlace | undefined;
writeSync(1, "r");
for await (const line of createInterface({ input: process.stdin })) {
  await talk(JSON.parse(line));
  writeSync(1, "d");
}
// Nobody kills the process any more where the parent has ended.
process.exit(1);

async function talk({ place, run, turns }: Job): Promise<void> {
  opened ??= await openKillPlace(place);
  const { saver, store, outbox } = opened;
  const remember = durable(rememberVerbatim(store), {
    name: `run ${run}`,
    outbox,
    leaseMs: 400,
    backoff: () => 20,
    logger: { debug: () => undefined, warn: () => undefined },
  });
  remember.start();
  const reducer = new MessageReducer({ minMessages: 2, maxMessages: 6, onPrune: [remember] });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", ({ messages }) => {
      const turn = Number(messages.at(-1)?.id?.slice(1));
      return { messages: [new AIMessage({ id: `a${turn}`, content: textOf("a", turn) })] };
    })
    .addEdge("__start__", "model")
    .addEdge("model", "__end__")
    .compile({ checkpointer: new ReducingSaver(saver, reducer) });
  const config = { configurable: { thread_id: `run ${run}`, memory_namespace: ["kill", String(run)] } };

  // LangGraph shows an answer that was written though it is in no checkpoint yet, and drops it with the next input: finish the step first.
  const { tasks } = await graph.getState(config);
  if (tasks.length > 0) await graph.invoke(null, config);
  const last: string | undefined = (await graph.getState(config)).values.messages?.at(-1)?.id;
  for (let turn = last === undefined ? 0 : Number(last.slice(1)) + 1; turn < turns; turn += 1) {
    const said = new HumanMessage({ id: `u${turn}`, content: textOf("u", turn) });
    await graph.invoke({ messages: [said] }, config);
  }
  await remember.idle();
  await remember.stop();
}
