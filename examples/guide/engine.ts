// Facts instead of transcripts: what an engine makes of conversations, and how it lets go of it.
import assert from "node:assert/strict";
import { scriptedModel } from "keepsake/testing";

// Stands for a model: an example makes no calls that cost.
const model = scriptedModel([
  {
    facts: [
      { content: "Asha lives in Pune.", messages: ["m1"], subject: "Asha", attribute: "home town" },
      {
        content: "Asha's booking code is QX7-88.",
        messages: ["m2"],
        subject: "Asha",
        attribute: "booking code",
      },
    ],
  },
  { facts: [{ content: "Asha lives in Goa.", messages: ["m1"], subject: "Asha", attribute: "home town" }] },
  { decisions: [{ fact: "f1", action: "update", memory: "m1", content: "", reason: "moved" }] },
]);
const firstWeek = [
  { id: "1", role: "user", name: "Asha", content: "I live in Pune. Please book the train." },
  { id: "2", role: "assistant", content: "Done. Your booking code is QX7-88." },
];
const secondWeek = [{ id: "3", role: "user", name: "Asha", content: "By the way, I moved to Goa." }];

// #region remember
import { MemoryEngine } from "keepsake/memory";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore();
const engine = new MemoryEngine({ store, model });
const namespace = ["memories", "asha"];

const written = await engine.remember(firstWeek, namespace);
await engine.remember(secondWeek, namespace);
const matches = await engine.recall("where does she live?", namespace, { limit: 5 });
// #endregion

assert.deepEqual(
  written.map(({ content, role }) => [content, role]),
  [
    ["Asha lives in Pune.", "human"],
    ["Asha's booking code is QX7-88.", "ai"],
  ],
);
const home = matches[0]?.record;
assert.equal(home?.content, "Asha lives in Goa.");
assert.equal(model.left(), 0);
const { key } = home;

// #region history
const versions = await engine.history(namespace, key);
const before = versions.at(-1);
// #endregion

assert.deepEqual(
  versions.map(({ action, content, reason }) => [action, content, reason]),
  [
    ["update", "Asha lives in Goa.", "moved"],
    ["insert", "Asha lives in Pune.", undefined],
  ],
);

// #region restore
if (before !== undefined) await engine.restore(namespace, key, before.version);
// #endregion

assert.equal((await engine.get(namespace, key))?.content, "Asha lives in Pune.");

// #region forget
const forgotten = await engine.forget(namespace, { key, purge: true });
const erased = await engine.erase(["memories", "asha"]);
// #endregion

assert.equal(forgotten, 1);
assert.ok(erased >= 1);
assert.deepEqual(await engine.list(namespace), []);
