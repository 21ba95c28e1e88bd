// AWS Lambda: the process is frozen when the handler returns. Each invocation works off what is due, within its own time.
import assert from "node:assert/strict";
import { background, durable, InMemoryOutbox, MessageReducer, type RememberFn } from "keepsake";

interface Message {
  readonly id: string;
  readonly role: string;
  readonly content: string;
}

const stored: string[] = [];
const store: RememberFn<Message> = async (pruned) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  stored.push(...pruned.map(({ id }) => id));
};
/** In production one that all instances share: a PostgresOutbox. */
const outbox = new InMemoryOutbox();
const counted: number[] = [];

// #region handler
const remember = durable(store, { name: "remember", outbox });
const count = background<Message>((pruned) => void counted.push(pruned.length));
const reducer = new MessageReducer<Message>({ onPrune: [remember, count] });

/** What Lambda hands to every handler, as far as it matters here. */
interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

export async function handler(event: { user: string; messages: Message[] }, context: LambdaContext) {
  const { surviving } = await reducer.reduce({
    existing: event.messages,
    namespace: ["memories", event.user],
  });
  // Two seconds are left for the answer; a hook that is aborted may take one of them.
  const { remaining } = await remember.drain({ deadlineMs: context.getRemainingTimeInMillis() - 2_000 });
  await count.idle(); // not close(): the next invocation needs it
  return { messages: surviving, remaining };
}

/** A second function, run by a schedule: what backed off, and what an instance left behind that was ended. */
export const sweep = (_: unknown, context: LambdaContext) =>
  remember.drain({ deadlineMs: context.getRemainingTimeInMillis() - 2_000 });
// #endregion

const messages = Array.from({ length: 21 }, (_, index) => ({
  id: `${index}`,
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
}));
const context = { getRemainingTimeInMillis: () => 10_000 };
const answer = await handler({ user: "asha", messages }, context);
assert.equal(answer.remaining, 0);
assert.equal(stored.length, messages.length - answer.messages.length);
assert.deepEqual(counted, [stored.length]);
await handler({ user: "asha", messages }, context);
assert.equal(new Set(stored).size, stored.length);
assert.deepEqual(await sweep({}, context), { delivered: 0, failed: 0, remaining: 0 });
