// An edge runtime: the answer goes out first, and what was committed is worked off under waitUntil.
import assert from "node:assert/strict";
import { background, durable, InMemoryOutbox, MessageReducer } from "keepsake";

const stored: unknown[] = [];
const store = async (pruned: unknown[]): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  stored.push(...pruned);
};
/** In production one in a database that the runtime reaches. */
const outbox = new InMemoryOutbox();
let counted = 0;

// #region worker
/** What the platform hands to every request, as far as it matters here. */
interface ExecutionContext {
  waitUntil(promise: Promise<unknown>): void;
}

const remember = durable(store, { name: "remember", outbox });

const worker = {
  async fetch(request: Request, _env: unknown, context: ExecutionContext): Promise<Response> {
    const count = background(
      (pruned) => {
        counted += pruned.length;
      },
      { waitUntil: (done) => context.waitUntil(done) },
    );
    const reducer = new MessageReducer({ onPrune: [remember, count] });
    const existing: unknown[] = JSON.parse(await request.text());
    const { surviving } = await reducer.reduce({ existing, namespace: ["memories", "asha"] });
    context.waitUntil(remember.drain({ deadlineMs: 20_000 }));
    return new Response(JSON.stringify(surviving));
  },
  /** A cron trigger: what backed off, and what an ended instance left behind. */
  async scheduled(_event: unknown, _env: unknown, context: ExecutionContext): Promise<void> {
    context.waitUntil(remember.drain({ deadlineMs: 20_000 }));
  },
};
// #endregion

const promises: Promise<unknown>[] = [];
const context = { waitUntil: (promise: Promise<unknown>) => void promises.push(promise) };
const messages = Array.from({ length: 21 }, (_, index) => ({
  id: `${index}`,
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
}));
const request = new Request("https://example.com", { method: "POST", body: JSON.stringify(messages) });
const surviving: unknown[] = JSON.parse(await (await worker.fetch(request, {}, context)).text());
await Promise.all(promises);
assert.equal(stored.length, messages.length - surviving.length);
assert.equal(counted, stored.length);
await worker.scheduled({}, {}, context);
await Promise.all(promises);
