// Cloud Run: a server that is told to end ten seconds before it is, and may have no processor between requests.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { background, durable, InMemoryOutbox, MessageReducer } from "keepsake";

const stored: unknown[] = [];
const store = async (pruned: unknown[]): Promise<void> => {
  stored.push(...pruned);
};
/** In production one that all instances share: a PostgresOutbox. */
const outbox = new InMemoryOutbox();
const port = 0;

// #region server
const remember = durable(store, { name: "remember", outbox });
const notify = background(async (pruned) => console.log(`${pruned.length} messages left the window`));
const reducer = new MessageReducer({ onPrune: [remember, notify] });

const server = createServer(async (request, response) => {
  if (request.url === "/drain") {
    // For Cloud Scheduler or Cloud Tasks, where the processor is given during requests only.
    response.end(JSON.stringify(await remember.drain({ deadlineMs: 50_000 })));
    return;
  }
  const existing = JSON.parse(await bodyOf(request));
  const { surviving } = await reducer.reduce({ existing, namespace: ["memories", "asha"] });
  response.end(JSON.stringify(surviving));
});
server.listen(port);
remember.start(); // where the processor is always allocated

async function shutDown(): Promise<void> {
  server.close();
  await remember.stop({ deadlineMs: 7_000 }); // the rest is the next instance's
  await notify.close();
  await outbox.close();
}
process.once("SIGTERM", () => void shutDown());
// #endregion

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

await once(server, "listening");
const address = `http://localhost:${Object(server.address()).port}`;
const messages = Array.from({ length: 21 }, (_, index) => ({
  id: `${index}`,
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
}));
const answer = await fetch(address, { method: "POST", body: JSON.stringify(messages) });
const surviving: unknown[] = JSON.parse(await answer.text());
const drained = await fetch(`${address}/drain`);
assert.equal(JSON.parse(await drained.text()).remaining, 0);
assert.equal(stored.length, messages.length - surviving.length);
process.emit("SIGTERM");
await once(server, "close");
