// An engine without a model: two functions of your own.
import assert from "node:assert/strict";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore();
const messages = [
  { role: "user", content: "Remember: the gate code is 4711." },
  { role: "assistant", content: "I will." },
];

// #region functions
import { MemoryEngine } from "keepsake/memory";

const engine = new MemoryEngine({
  store,
  extractor: (transcript) =>
    transcript.flatMap(({ text, role }) =>
      text.startsWith("Remember: ") ? [{ content: text.slice(10), role }] : [],
    ),
  consolidator: () => [],
  onEvent: (event) => console.log(event.type),
});
await engine.remember(messages, ["memories", "asha"]);
// #endregion

const [memory] = await engine.list(["memories", "asha"]);
assert.equal(memory?.content, "the gate code is 4711.");
assert.equal(engine.stats().inserted, 1);
