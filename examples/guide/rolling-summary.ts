// A summary that rolls on: made of the one before and of what newly leaves, kept as one block in the window.
import assert from "node:assert/strict";
// #region summary
import { MessageReducer } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly id?: string;
}

const reducer = new MessageReducer<Message>({
  maxMessages: 8,
  minMessages: 4,
  injectSummary: true,
  summarize: async (pruned, { previousSummary }) => {
    const lines = pruned.map(({ role, content }) => `${role}: ${content}`);
    return model(`Continue this summary.\n${previousSummary ?? ""}\n\n${lines.join("\n")}`);
  },
});
// #endregion

const prompts: string[] = [];

/** Stands in for a model. */
async function model(prompt: string): Promise<string> {
  prompts.push(prompt);
  return `summary ${prompts.length}`;
}

const threadId = "thread-1";
let messages: Message[] = [{ role: "system", content: "You are helpful" }];
let last: string | null = null;
for (let turn = 0; turn < 8; turn += 1) {
  const added = [
    { role: "user", content: `question ${turn}`, id: `u${turn}` },
    { role: "assistant", content: `answer ${turn}`, id: `a${turn}` },
  ];
  const { surviving, summary, overBudget } = await reducer.reduce({
    existing: messages,
    new: added,
    threadId,
  });
  messages = surviving;
  last = summary;
  assert.ok(messages.length <= 8 && !overBudget);
}

// One block: a user message with the latest summary, and an assistant's "OK", before the retained tail.
const blocks = messages.filter(({ content }) => content.includes("<conversation_summary>"));
assert.equal(blocks.length, 1);
assert.ok(last !== null && blocks[0]?.content.includes(last));
assert.deepEqual(
  messages.slice(0, 4).map(({ role }) => role),
  ["system", "user", "assistant", "user"],
);
assert.equal(messages[2]?.content, "OK");

// Each call continued the summary before it, and saw each message once.
assert.ok(prompts.length > 1);
assert.ok(prompts.slice(1).every((prompt, index) => prompt.includes(`summary ${index + 1}\n`)));
assert.equal(prompts.filter((prompt) => prompt.includes("question 1")).length, 1);

// The same list again makes no further call.
const before = prompts.length;
await reducer.reduce({ existing: messages, threadId });
assert.equal(prompts.length, before);

// Where nothing new leaves, the thread's last summary is used again, without a call.
const plain = new MessageReducer<Message>({ summarize: (pruned) => `summary of ${pruned.length}` });
const long = Array.from({ length: 21 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
  id: `m${index}`,
}));
const first = await plain.reduce({ existing: long, threadId });
assert.equal(first.summary, `summary of ${first.pruned.length}`);
assert.equal((await plain.reduce({ existing: long, threadId })).summary, first.summary);
assert.equal((await plain.reduce({ existing: first.surviving, threadId })).summary, first.summary);

// A summariser that fails: no summary, and what it missed is in the next call.
const asked: string[][] = [];
let fails = true;
const flaky = new MessageReducer<Message>({
  summarize: (pruned) => {
    asked.push(pruned.map(({ content }) => content));
    if (fails) throw new Error("The model is away.");
    return "a summary";
  },
  logger: { debug() {}, warn() {} },
});
assert.equal((await flaky.reduce({ existing: long, threadId })).summary, null);
fails = false;
assert.equal((await flaky.reduce({ existing: long, threadId })).summary, "a summary");
assert.deepEqual(asked[0], asked[1]);
