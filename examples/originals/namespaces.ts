// Where the namespace comes from, in agentstate-reducer's long-term memory hooks: from the caller, untouched.
import assert from "node:assert/strict";
import { MessageReducer } from "keepsake";

const conversation = Array.from({ length: 22 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index + 1}`,
}));

/** The namespace that a hook gets where the caller passes `namespace`, or none. */
async function forwarded<N>(namespace?: N): Promise<unknown> {
  const seen: unknown[] = [];
  const reducer = new MessageReducer<unknown, N>({ onPrune: [(_, given) => seen.push(given)] });
  await reducer.reduce({ existing: conversation, namespace });
  assert.equal(seen.length, 1);
  return seen[0];
}

// A store's namespace, a scope path as CrewAI has it, or a value of the app's own: the very same one arrives.
const segments = ["memories", "asha"];
assert.equal(await forwarded(segments), segments);
assert.equal(await forwarded("/users/asha"), "/users/asha");
const tenant = { region: "eu", account: 42 };
assert.equal(await forwarded(tenant), tenant);

// Callers that pass none get null.
assert.equal(await forwarded(), null);

// The key under which integrations look for it can be another.
assert.equal(new MessageReducer().namespaceKey, "memory_namespace");
assert.equal(new MessageReducer({ namespaceKey: "tenant" }).namespaceKey, "tenant");
