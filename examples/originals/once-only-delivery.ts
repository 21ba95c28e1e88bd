// Delivery of agentstate-reducer's long-term memory hooks: `reduce` runs several times per turn on overlapping lists, hooks get each message once.
import assert from "node:assert/strict";
import { MessageReducer, type ReducerConfig } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly id?: string;
}

const namespace = ["memories", "asha"];
const conversation = Array.from({ length: 16 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
  id: `m${index}`,
}));

/** What a hook gets where a list is saved as it grows, two messages at a time, each list twice and never the reduced copy. */
async function delivered(
  messages: readonly Message[],
  config: ReducerConfig<Message> = {},
): Promise<string[]> {
  const seen: string[] = [];
  const reducer = new MessageReducer<Message>({
    minMessages: 4,
    maxMessages: 6,
    onPrune: [(pruned) => seen.push(...pruned.map(({ content }) => content))],
    ...config,
  });
  for (let length = 2; length <= messages.length; length += 2) {
    const grown = messages.slice(0, length);
    await reducer.reduce({ existing: grown, namespace });
    const { pruned } = await reducer.reduce({ existing: grown, namespace });
    // The result is never filtered, only what the hooks see.
    assert.equal(pruned.length, length <= 6 ? 0 : length - 5);
  }
  return seen;
}

// Each message once: all but the preserved first and the last four.
const once = await delivered(conversation);
assert.deepEqual(
  once,
  conversation.slice(1, 12).map(({ content }) => content),
);

// Messages without an id are always delivered.
const withoutIds = conversation.map(({ role, content }) => ({ role, content }));
assert.ok((await delivered(withoutIds)).length > once.length);

// `dedupeOnPrune: false` delivers every time, `dedupeWindow` bounds what is remembered.
assert.ok((await delivered(conversation, { dedupeOnPrune: false })).length > once.length);
assert.ok((await delivered(conversation, { dedupeWindow: 4 })).length > once.length);

// Unlike there, an id that is used again for another message silences nothing: identity is namespace, thread, id and content.
const reused = conversation.map((message) => ({ ...message, id: "same" }));
assert.deepEqual(await delivered(reused), once);
