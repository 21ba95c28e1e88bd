// The reducer in an agent's loop.
import assert from "node:assert/strict";
// #region loop
import { MessageReducer } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly id: string;
}

const reducer = new MessageReducer<Message>({ maxMessages: 20, minMessages: 10, onPrune: [remember] });

async function answer(existing: readonly Message[], question: Message): Promise<Message[]> {
  const scope = { namespace: ["memories", "asha"], threadId: "thread-1" };
  const { surviving } = await reducer.reduce({ existing, new: [question], ...scope });
  return [...surviving, await callModel(surviving)]; // to be saved, and given as `existing` next time
}
// #endregion

const remembered: Message[] = [];

function remember(pruned: Message[], namespace: string[]): void {
  assert.deepEqual(namespace, ["memories", "asha"]);
  remembered.push(...pruned);
}

/** Stands in for a model. */
async function callModel(window: readonly Message[]): Promise<Message> {
  return { role: "assistant", content: `I see ${window.length} messages.`, id: `a${window.at(-1)?.id}` };
}

let messages: Message[] = [{ role: "system", content: "You are helpful", id: "prompt" }];
for (let turn = 0; turn < 30; turn += 1) {
  messages = await answer(messages, { role: "user", content: `question ${turn}`, id: `u${turn}` });
}
assert.ok(messages.length <= 21);
assert.equal(messages.length + remembered.length, 61);
assert.equal(new Set([...messages, ...remembered].map(({ id }) => id)).size, 61);
