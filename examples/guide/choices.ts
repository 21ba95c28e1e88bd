// What an app may decide for single messages: which never leave, what their identity is, what hooks get to see.
import assert from "node:assert/strict";
// #region choices
import { MessageReducer } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly uuid?: string;
  readonly important?: boolean;
}

const reducer = new MessageReducer<Message>({
  pin: (message) => message.important === true,
  identify: (message) => message.uuid,
  redact: (message) => ({
    ...message,
    content: message.content.replace(/\d{4} \d{4} \d{4} \d{4}/g, "[card]"),
  }),
  onPrune: [(pruned) => seen.push(...pruned)],
});
// #endregion

const seen: Message[] = [];
const messages: Message[] = Array.from({ length: 24 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `${index}: pay with 4111 1111 1111 1111`,
  uuid: `uuid-${index}`,
  important: index === 4,
}));
const { surviving, pruned } = await reducer.reduce({ existing: messages });
assert.ok(messages[4] !== undefined && surviving.includes(messages[4]));
assert.ok(pruned.every(({ content }) => content.includes("4111")));
assert.equal(seen.length, pruned.length);
assert.ok(seen.every(({ content }) => content.endsWith("pay with [card]")));

// The identity is the app's own: the same messages in other objects are not handed over again.
await reducer.reduce({ existing: structuredClone(messages) });
assert.equal(seen.length, pruned.length);

// A `pin` that throws keeps what it was asked about, with one warning.
const warnings: string[] = [];
const fragile = new MessageReducer<Message>({
  pin: () => {
    throw new Error("no");
  },
  logger: { debug() {}, warn: (text) => warnings.push(text) },
});
assert.deepEqual((await fragile.reduce({ existing: messages })).pruned, []);
assert.equal(warnings.length, 1);

// A `redact` that throws hands nothing over; the window is as it would be.
const handed: Message[] = [];
const careful = new MessageReducer<Message>({
  redact: () => {
    throw new Error("no");
  },
  onPrune: [(taken) => handed.push(...taken)],
  logger: { debug() {}, warn() {} },
});
assert.ok((await careful.reduce({ existing: messages })).pruned.length > 0);
assert.deepEqual(handed, []);
