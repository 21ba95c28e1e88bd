// The worked example of agentstate-reducer's long-term memory hooks: at least 4 messages, at most 6, five turns. A loop stands in for
// LangGraph and its saver: each step saves the whole state, the saver keeps it reduced, and a turn begins from what was saved.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { MessageReducer, type RememberFn } from "keepsake";
import { InMemoryStore } from "keepsake/store";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly id: string;
}

const store = new InMemoryStore();

const remember: RememberFn<Message> = async (pruned, namespace) => {
  for (const { role, content } of pruned) await store.put(namespace, randomUUID(), { role, content });
};

const reducer = new MessageReducer<Message>({ minMessages: 4, maxMessages: 6, onPrune: [remember] });
const configurable = { threadId: randomUUID(), memoryNamespace: ["memories", "asha"] };

let checkpoint: Message[] = [];

/** What a saver does with the state of a step. */
async function put(state: readonly Message[]): Promise<void> {
  const { memoryNamespace: namespace, threadId } = configurable;
  checkpoint = (await reducer.reduce({ existing: state, namespace, threadId })).surviving;
}

/** One run of the graph: two steps, so two saves of overlapping lists. */
async function invoke(content: string): Promise<void> {
  const asked = [...checkpoint, { role: "user", content, id: randomUUID() }];
  await put(asked);
  const answered = [...asked, { role: "assistant", content: `answer to ${content}`, id: randomUUID() }];
  await put(answered);
}

for (let turn = 0; turn < 5; turn += 1) await invoke(`turn ${turn}`);

// The turns that left the window, once each.
const found = await store.search(configurable.memoryNamespace, { limit: 100 });
const stored = found.map(({ value }) => value.content);
const window = checkpoint.map(({ content }) => content);
assert.deepEqual(stored.sort(), [
  "answer to turn 0",
  "answer to turn 1",
  "answer to turn 2",
  "turn 1",
  "turn 2",
]);
assert.deepEqual(window, ["turn 0", "turn 3", "answer to turn 3", "turn 4", "answer to turn 4"]);

// A namespace is exact: nobody else's search finds them.
assert.deepEqual(await store.search(["memories", "ash"]), []);
